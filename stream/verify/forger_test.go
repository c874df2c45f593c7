package verify_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// published is what the forger reads of a prediction.
type published struct {
	Seq, Offset int64
	Partition   int
	Score       float64
	Model       string
	Updated     bool
	Label       *int
	Prediction  int
	p, i        int // where it is

	Probability, Positive, Threshold *float64
}

// forger changes a copy of a history. It knows the formats from their documentation, not from the program.
type forger struct {
	*recorded
	bySeq []published // of the good history
	dead  []published // its dead letters: Partition, Offset, Model
}

// forge returns a forger of a history without layouts of flights, which most forgeries would damage as well.
func (h *history) forge(t *testing.T) *forger {
	t.Helper()
	f := h.forgeFlights(t)
	for _, records := range f.records[topics.Output] {
		for i := range records {
			records[i].Headers = rawHeaders()
		}
	}
	return f
}

func (h *history) forgeFlights(t *testing.T) *forger {
	t.Helper()
	f := &forger{recorded: h.copied()}
	for p, records := range f.records[topics.Output] {
		for i, r := range records {
			x := published{p: p, i: i}
			if err := json.Unmarshal(r.Value, &x); err != nil {
				t.Fatal(err)
			}
			f.bySeq = append(f.bySeq, x)
		}
	}
	slices.SortFunc(f.bySeq, func(x, y published) int { return int(x.Seq - y.Seq) })
	for i, r := range f.records[topics.DeadLetters][0] {
		x := published{i: i}
		for name, value := range headersOf(r.Headers) {
			switch name {
			case "rosenblatt.partition":
				fmt.Sscan(value, &x.Partition)
			case "rosenblatt.offset":
				fmt.Sscan(value, &x.Offset)
			case "rosenblatt.model":
				x.Model = value
			}
		}
		f.dead = append(f.dead, x)
	}
	return f
}

// headersOf reads the headers of a record: their number, then keys and values, each after its length.
func headersOf(raw []byte) map[string]string {
	next := func() string {
		n, size := binary.Varint(raw)
		text := string(raw[size : size+int(n)])
		raw = raw[size+int(n):]
		return text
	}
	n, size := binary.Varint(raw)
	raw = raw[size:]
	headers := map[string]string{}
	for range n {
		key := next()
		headers[key] = next()
	}
	return headers
}

func rawHeaders(pairs ...string) []byte {
	raw := binary.AppendVarint(nil, int64(len(pairs)/2))
	for _, text := range pairs {
		raw = append(binary.AppendVarint(raw, int64(len(text))), text...)
	}
	return raw
}

func remove(records []topics.Record, i int) []topics.Record { return slices.Delete(records, i, i+1) }

func (f *forger) drop(x published) {
	f.records[topics.Output][x.p] = remove(f.records[topics.Output][x.p], x.i)
}

// dropLast drops the predictions from a seq on.
func (f *forger) dropLast(seq int64) {
	for _, x := range slices.Backward(f.bySeq[seq-1:]) {
		f.drop(x)
	}
}

func (f *forger) edit(x published, old, now string) {
	r := &f.records[topics.Output][x.p][x.i]
	if bytes.Count(r.Value, []byte(old)) != 1 {
		panic(old + " is not once in " + string(r.Value))
	}
	r.Value = bytes.Replace(r.Value, []byte(old), []byte(now), 1)
}

// addDeadLetter appends a dead letter of a record.
func (f *forger) addDeadLetter(x published, reason, model string) {
	f.records[topics.DeadLetters][0] = append(f.records[topics.DeadLetters][0], topics.Record{Headers: rawHeaders(
		"rosenblatt.reason", reason, "rosenblatt.error", "forged", "rosenblatt.topic", f.top.Input.Name,
		"rosenblatt.partition", fmt.Sprint(x.Partition), "rosenblatt.offset", fmt.Sprint(x.Offset),
		"rosenblatt.timestamp", "1", "rosenblatt.model", model, "rosenblatt.output", f.top.Output.Name)})
}

// shift adds to the seqs of the good history from one on.
func (f *forger) shift(from, by int64) {
	for _, x := range f.bySeq[from-1:] {
		f.edit(x, fmt.Sprintf(`"seq":%d,`, x.Seq), fmt.Sprintf(`"seq":%d,`, x.Seq+by))
	}
}

// nextOf is the next prediction of the same partition.
func (f *forger) nextOf(x published) (next published, ok bool) {
	for _, y := range f.bySeq[x.Seq:] {
		if y.Partition == x.Partition {
			return y, true
		}
	}
	return x, false
}

// want is a finding that is expected; the zero values of Seq and partition -1 are any.
type want struct {
	kind      verify.Kind
	seq       int64
	partition int
	offset    int64
	n         int64 // counts as so many; 0: one
}

func at(kind verify.Kind, x published) want { return want{kind, 0, x.Partition, x.Offset, 1} }

func hole(seq, n int64) want { return want{verify.Hole, seq, -1, 0, n} }

func (w want) met(f *verify.Finding) bool {
	return f.Kind == w.kind && (w.seq == 0 || f.Seq == w.seq) &&
		(w.partition < 0 || f.Input != nil && int(f.Input.Partition) == w.partition && f.Input.Offset == w.offset)
}

// finds audits the forgery and expects these findings and no others.
func (f *forger) finds(t *testing.T, h *history, name string, wants ...want) {
	t.Helper()
	f.finding(t, h, name, nil, true, wants)
}

// findsAmong expects these findings, and maybe what follows from them.
func (f *forger) findsAmong(t *testing.T, h *history, name string, wants ...want) {
	t.Helper()
	f.finding(t, h, name, nil, false, wants)
}

func (f *forger) finding(t *testing.T, h *history, name string, change func(*verify.Audit), only bool, wants []want) {
	t.Helper()
	f.renumber(topics.Output)
	f.renumber(topics.DeadLetters)
	r, err := audited(t, h.Setup, f, func(a *verify.Audit) {
		a.Floor = h.floor
		if change != nil {
			change(a)
		}
	})
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	adds(t, r)
	counts := map[verify.Kind]int64{}
	for _, w := range wants {
		counts[w.kind] += w.n
		if !slices.ContainsFunc(r.Findings, w.met) && r.Counts[w.kind] <= 100 { // no more are kept
			t.Errorf("%s: not found: %+v", name, w)
		}
	}
	for _, kind := range verify.Kinds() {
		if r.Counts[kind] < counts[kind] || only && r.Counts[kind] != counts[kind] {
			t.Errorf("%s: %d of kind %s, want %d", name, r.Counts[kind], kind, counts[kind])
		}
	}
	if t.Failed() {
		var all strings.Builder
		for _, x := range r.Findings[:min(10, len(r.Findings))] {
			fmt.Fprintf(&all, "%+v\n", *x)
		}
		t.Fatalf("%s", all.String())
	}
}

// TestEveryRuleVerifies: what a daemon published by a rule is what verify computes, over its crashes.
func TestEveryRuleVerifies(t *testing.T) {
	t.Parallel()
	for _, rule := range []string{"sign", "cost=fp:1,fn:5", "precision=0.6", "alerts=0.2"} {
		h := newHistoryOf(t, learner.Logistic, model.CalibrateNone, rule) // any scores have a threshold
		f := h.forge(t)
		f.finds(t, h, rule+": nothing forged")
		thresholds := 0
		for i := range f.bySeq {
			if f.bySeq[i].Threshold != nil {
				thresholds++
			}
		}
		if rule == "sign" && thresholds > 0 || rule != "sign" && thresholds < 5 {
			t.Errorf("%s: %d thresholds", rule, thresholds)
		}
	}
}

// forgeDecision forges what a prediction says of probabilities: each number alone, by as little as it can be.
func (h *history) forgeDecision(t *testing.T, x published) {
	t.Helper()
	for _, name := range []string{"probability", "positive", "threshold"} {
		is := map[string]*float64{"probability": x.Probability, "positive": x.Positive, "threshold": x.Threshold}[name]
		if is == nil {
			if name != "threshold" {
				t.Fatalf("seq %d has no %s", x.Seq, name)
			}
			continue
		}
		number := func(v float64) string {
			text, _ := json.Marshal(v)
			return fmt.Sprintf("%q:%s", name, text)
		}
		f := h.forge(t)
		f.edit(x, number(*is), number(math.Nextafter(*is, 9)))
		f.finds(t, h, fmt.Sprintf("%s of seq %d by a bit", name, x.Seq), at(verify.Differs, x))
	}
	f := h.forge(t)
	f.edit(x, fmt.Sprintf(`"prediction":%d,`, x.Prediction), fmt.Sprintf(`"prediction":%d,`, -x.Prediction))
	f.finds(t, h, fmt.Sprintf("prediction of seq %d", x.Seq), at(verify.Differs, x))
}

// TestForgedPredictions: every prediction of a history is forged in every way. Each forgery is found and named, and
// nothing else is.
func TestForgedPredictions(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	h.forge(t).finds(t, h, "nothing forged")
	for k := range h.forge(t).bySeq {
		if testing.Short() && k%5 > 0 {
			continue
		}
		f := h.forge(t)
		x := f.bySeq[k]
		f.drop(x)
		f.finds(t, h, fmt.Sprintf("seq %d dropped", x.Seq), hole(x.Seq, 1), at(verify.NoPrediction, x))

		f = h.forge(t)
		out := f.records[topics.Output][x.p]
		f.records[topics.Output][x.p] = slices.Insert(out, x.i+1, out[x.i])
		f.finds(t, h, fmt.Sprintf("seq %d repeated", x.Seq), at(verify.Duplicate, x))

		f = h.forge(t)
		out = f.records[topics.Output][x.p]
		f.records[topics.Output][x.p] = append(out, out[x.i])
		f.finds(t, h, fmt.Sprintf("seq %d repeated at the end", x.Seq), at(verify.Duplicate, x))

		f = h.forge(t)
		f.edit(x, scoreField(x.Score), scoreField(math.Nextafter(x.Score, 9)))
		f.finds(t, h, fmt.Sprintf("score of seq %d by a bit", x.Seq), at(verify.Differs, x))

		h.forgeDecision(t, x)
		if x.Label != nil {
			f = h.forge(t)
			f.edit(x, fmt.Sprintf(`"label":%d,`, *x.Label), fmt.Sprintf(`"label":%d,`, -*x.Label))
			f.finds(t, h, fmt.Sprintf("label of seq %d", x.Seq), at(verify.Differs, x))
		}
		if x.i+1 < len(h.records[topics.Output][x.p]) {
			f = h.forge(t)
			out = f.records[topics.Output][x.p]
			out[x.i], out[x.i+1] = out[x.i+1], out[x.i]
			f.finds(t, h, fmt.Sprintf("seq %d swapped with the next of its partition", x.Seq), at(verify.Order, x))
		}
	}
}

func scoreField(score float64) string {
	text, _ := json.Marshal(score) // in its shortest form
	return `"score":` + string(text) + ","
}

// TestForgedEnds: what is missing from the end on is found with the checkpoint, and with it alone.
func TestForgedEnds(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	last := int64(len(h.forge(t).bySeq))
	for _, seq := range []int64{1, 2, 10, last / 2, last - 1, last} {
		f := h.forge(t)
		f.dropLast(seq)
		wants := []want{hole(seq, last-seq+1)}
		for _, x := range f.bySeq[seq-1:] {
			wants = append(wants, at(verify.NoPrediction, x))
		}
		f.finds(t, h, fmt.Sprintf("all from seq %d on dropped", seq), wants...)
		f.finding(t, h, "the same without a checkpoint", func(a *verify.Audit) { a.Floor = nil }, true, nil)
	}
	for p := range 3 {
		for _, keep := range []int{0, 1, 20} {
			f := h.forge(t)
			f.records[topics.Output][p] = f.records[topics.Output][p][:keep]
			var wants []want
			for _, x := range f.bySeq {
				if x.p == p && x.i >= keep {
					wants = append(wants, at(verify.NoPrediction, x), want{kind: verify.Hole, partition: -1, n: 1})
				}
			}
			f.finds(t, h, fmt.Sprintf("partition %d from its %dth on dropped", p, keep), wants...)
		}
	}
	f := h.forge(t)
	x := f.bySeq[last-1]
	f.edit(x, fmt.Sprintf(`"seq":%d,`, last), `"seq":5,`)
	// Where the one before it is of another partition, it is read, and learned, before others, which then differ.
	adjacent := f.bySeq[last-2].p == x.p
	f.finding(t, h, "the last one with a lower seq", nil, adjacent, []want{at(verify.Order, x), hole(last, 1)})

	f = h.forge(t)
	f.records[topics.DeadLetters][0] = nil
	var wants []want
	for _, x := range f.dead {
		wants = append(wants, at(verify.NoDeadLetter, x))
	}
	f.finds(t, h, "all dead letters dropped", wants...)
	f.dropLast(1)
	f.findsAmong(t, h, "everything dropped", append(wants, hole(1, last), want{verify.NoPrediction, 0, -1, 0, last})...)
}

// TestForgedDeadLetters: so is every dead letter.
func TestForgedDeadLetters(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	for i := range h.forge(t).dead {
		f := h.forge(t)
		x := f.dead[i]
		f.records[topics.DeadLetters][0] = remove(f.records[topics.DeadLetters][0], i)
		f.finds(t, h, fmt.Sprintf("dead letter %d dropped", i), at(verify.NoDeadLetter, x))

		f = h.forge(t)
		f.addDeadLetter(x, "syntax", x.Model)
		f.finds(t, h, fmt.Sprintf("a second dead letter %d", i), at(verify.Duplicate, x))

		// It becomes a prediction, with the seq that was due.
		f = h.forge(t)
		k := slices.IndexFunc(f.bySeq, func(y published) bool {
			return y.Partition == x.Partition && y.Offset > x.Offset
		})
		if k < 0 {
			continue // it is behind all predictions
		}
		y := f.bySeq[k]
		forged := f.records[topics.Output][y.p][y.i]
		forged.Value = []byte(strings.Replace(string(forged.Value), fmt.Sprintf(`"offset":%d,`, y.Offset),
			fmt.Sprintf(`"offset":%d,`, x.Offset), 1))
		f.shift(y.Seq, 1)
		f.records[topics.Output][y.p] = slices.Insert(f.records[topics.Output][y.p], y.i, forged)
		f.records[topics.DeadLetters][0] = remove(f.records[topics.DeadLetters][0], i)
		f.finds(t, h, fmt.Sprintf("dead letter %d swapped for a prediction", i), at(verify.Differs, x))
	}
}

// TestPredictionsSwappedForDeadLetters: the reason is decided again. Some cannot be.
func TestPredictionsSwappedForDeadLetters(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	for k := range h.forge(t).bySeq {
		if k%streamtest.Rounds(5, 3, 1) > 0 {
			continue
		}
		f := h.forge(t)
		x := f.bySeq[k]
		swap := func(reason, model string) string {
			f = h.forge(t)
			f.drop(x)
			f.addDeadLetter(x, reason, model)
			return fmt.Sprintf("seq %d swapped for a dead letter, %s by %s", x.Seq, reason, model)
		}
		name := swap("syntax", x.Model)
		f.finds(t, h, name, hole(x.Seq, 1), at(verify.NoPrediction, x))
		name = swap("syntax", h.Name+"@1")
		f.finds(t, h, name, hole(x.Seq, 1), at(verify.NoPrediction, x))
		if x.Label == nil { // nothing was learned: the later seqs may be forged to fit
			f = h.forge(t)
			f.shift(x.Seq, -1)
			f.drop(x)
			f.addDeadLetter(x, "no-features", x.Model)
			f.finds(t, h, name+", and the seqs fit", hole(int64(len(f.bySeq)), 1), at(verify.NoPrediction, x))
		}
		next, ok := f.nextOf(x)
		for _, reason := range []string{"overflow", "bad-label", "too-many-classes"} {
			if !ok {
				break
			}
			name = swap(reason, next.Model)
			f.findsAmong(t, h, name, hole(x.Seq, 1), at(verify.NoPrediction, x))
		}
		for _, reason := range []string{"prediction-too-large", "internal", "a-later-reason"} {
			name = swap(reason, x.Model)
			f.findsAmong(t, h, name, hole(x.Seq, 1))
			f.unfound(t, h, name, verify.NoPrediction)
		}
		name = swap("overflow", h.Name+"@99") // what that process had learned is nowhere
		f.unfound(t, h, name, verify.NoPrediction)
		name = swap("syntax", h.Name+"@3")
		f.finding(t, h, name+", a new configuration from epoch 4 on",
			func(a *verify.Audit) { a.From.Configured = 4 }, false, []want{hole(x.Seq, 1)})
		f.unfound(t, h, name, verify.NoPrediction, 4)
	}
}

// unfound expects no finding of a kind.
func (f *forger) unfound(t *testing.T, h *history, name string, kind verify.Kind, configured ...int64) {
	t.Helper()
	r, err := audited(t, h.Setup, f, func(a *verify.Audit) {
		a.Floor = h.floor
		for _, epoch := range configured {
			a.From.Configured = epoch
		}
	})
	if err != nil || r.Counts[kind] > 0 {
		t.Fatalf("%s: %v, %+v", name, err, r)
	}
}
