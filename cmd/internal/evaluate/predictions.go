package evaluate

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"rosenblatt/learner/decision"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// predictionFile writes a line for each event, with its prediction or why it was rejected. Where labels come later, the
// line comes when its outcome is known, and those that wait at the end last. One goroutine uses it.
type predictionFile struct {
	file    *os.File // nil: standard output
	out     *bufio.Writer
	table   *csv.Writer // nil: jsonl
	columns []int       // the fields of a table
	files   []string    // the paths, if there are several
	topic   bool
	scores  bool // of each class
	ruled   bool // by another rule than the sign of the score
	proc    *model.Processor
	options *event.Options
	fields  [predictionFields][]byte // as JSON
	later   bool                     // labels come later: a line is written when its outcome is known
	waiting map[int64][predictionFields][]byte
	err     error
}

// predictionsFormat is csv or jsonl, by the file's ending.
func predictionsFormat(path string) (format string, err error) {
	switch ending := strings.ToLower(filepath.Ext(path)); {
	case ending == ".csv":
		return "csv", nil
	case path == "-" || ending == ".jsonl" || ending == ".json":
		return "jsonl", nil
	}
	return "", fmt.Errorf("%s: want a name that ends in .csv or .jsonl, or - for standard output", path)
}

// predictionFiles are those of the learners, in their order.
type predictionFiles []*predictionFile

// writePredictions has each learner write a line for each event, if the settings say so: several learners to a file
// each.
func (p *plan) writePredictions(learners []replay.Learner) (all predictionFiles, err error) {
	if p.Predictions == "" {
		return nil, nil
	}
	paths := []string{p.Predictions}
	if len(learners) > 1 {
		paths = predictionPaths(p.Predictions, learners)
	}
	for i := range learners {
		f, err := p.openPredictions(&learners[i], paths[i])
		if err != nil {
			_ = all.close()
			return nil, err
		}
		all = append(all, f)
	}
	if len(learners) > 1 {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: predictions: %s\n", strings.Join(paths, ", "))
	}
	return all, nil
}

// predictionPaths are a path for each learner: its name comes before the ending, without what is odd in a file's name.
func predictionPaths(path string, learners []replay.Learner) (paths []string) {
	ending := filepath.Ext(path)
	for _, l := range learners {
		name := strings.Map(func(r rune) rune {
			if r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '=' {
				return '-'
			}
			return r
		}, l.Name)
		unique := name
		for n := 2; slices.Contains(paths, strings.TrimSuffix(path, ending)+"."+unique+ending); n++ {
			unique = fmt.Sprint(name, ".", n)
		}
		paths = append(paths, strings.TrimSuffix(path, ending)+"."+unique+ending)
	}
	return paths
}

func (p *plan) openPredictions(l *replay.Learner, path string) (*predictionFile, error) {
	f := &predictionFile{topic: p.Topic != "", later: p.Labels != "", waiting: map[int64][predictionFields][]byte{},
		proc: l.Processor, options: &p.decode, scores: p.Scores}
	if d := l.Processor.Decision(); d != nil {
		f.ruled = d.Rule.Kind != decision.Sign
	}
	format, err := predictionsFormat(path)
	if err != nil {
		return nil, err
	}
	to := p.program.Stdout
	if path != "-" {
		if f.file, err = os.Create(path); err != nil {
			return nil, err
		}
		to = f.file
	}
	f.out = bufio.NewWriter(to)
	if len(p.Files) > 1 {
		f.files = p.Files
	}
	if format == "csv" {
		f.table = csv.NewWriter(f.out)
		f.header()
	}
	l.Watch, l.Refused = f.watch, f.refused
	if f.later {
		l.Waits, l.Ended = f.waits, f.ended
	}
	return f, nil
}

// header writes the names of the columns: of those that say where an event is, the ones that its source has.
func (f *predictionFile) header() {
	var names []string
	for i, name := range predictionNames {
		inTopic := i == partitionField || i == offsetField
		ofRule := i == positiveField || i == thresholdField
		if i == lineField && f.topic || inTopic && !f.topic || i == fileField && f.files == nil ||
			i == scoresField && !f.scores || ofRule && !f.ruled || (i == outcomeField || i == delayField) && !f.later {
			continue
		}
		f.columns, names = append(f.columns, i), append(names, name)
	}
	f.err = f.table.Write(names)
}

// watch is replay.Learner.Watch.
func (f *predictionFile) watch(b *replay.Block, i int, o model.Outcome) {
	f.begin(b, i)
	e := &b.Examples[i]
	f.fields[predictionField] = f.proc.AppendPrediction(f.fields[predictionField], f.options, &o)
	f.fields[scoreField] = strconv.AppendFloat(f.fields[scoreField], o.Score, 'g', -1, 64)
	if o.Probable {
		f.fields[probabilityField] = o.AppendProbability(f.fields[probabilityField])
	}
	if o.Ruled {
		f.fields[positiveField] = o.AppendPositive(f.fields[positiveField])
	}
	if o.HasThreshold {
		f.fields[thresholdField] = strconv.AppendFloat(f.fields[thresholdField], o.Threshold, 'g', -1, 64)
	}
	if f.scores && o.Scores != nil {
		f.fields[scoresField] = f.appendScores(f.fields[scoresField], &o)
	}
	if o.Untrained {
		f.fields[untrainedField] = append(f.fields[untrainedField], "true"...)
	}
	if o.Labelled {
		f.fields[labelField] = f.proc.AppendLabel(f.fields[labelField], f.options, e, &o)
		f.fields[mistakeField] = strconv.AppendBool(f.fields[mistakeField], o.Mistake)
	}
	if !f.later {
		f.write()
	}
}

// waits is replay.Learner.Waits: a line that does not wait is written at once.
func (f *predictionFile) waits(number int64, duplicate bool) {
	if duplicate {
		f.fields[outcomeField] = event.AppendQuoted(f.fields[outcomeField], []byte(labels.Duplicate.String()))
	}
	if number == 0 {
		f.write()
		return
	}
	var line [predictionFields][]byte
	for i, text := range f.fields {
		line[i] = bytes.Clone(text)
	}
	f.waiting[number] = line
}

// ended is replay.Learner.Ended.
func (f *predictionFile) ended(x *replay.Ending) {
	line, known := f.waiting[x.Number]
	if !known {
		return
	}
	delete(f.waiting, x.Number)
	f.fields = line
	f.fields[outcomeField] = event.AppendQuoted(nil, []byte(x.Outcome.String()))
	if x.Outcome == labels.Labelled {
		f.fields[delayField] = strconv.AppendInt(nil, x.Delay, 10)
	}
	if x.Example != nil {
		f.fields[labelField] = f.proc.AppendLabel(nil, f.options, x.Example, x.Learned)
		f.fields[mistakeField] = strconv.AppendBool(nil, x.Learned.Mistake)
	}
	if x.Why != nil {
		f.fields[rejectedField] = event.AppendQuoted(nil, []byte(x.Why.Reason.String()))
		f.fields[errorField] = event.AppendQuoted(nil, []byte(x.Why.Message()))
	}
	f.write()
}

// refused is replay.Learner.Refused.
func (f *predictionFile) refused(b *replay.Block, i int, why *event.Error) {
	f.begin(b, i)
	f.fields[rejectedField] = event.AppendQuoted(f.fields[rejectedField], []byte(why.Reason.String()))
	f.fields[errorField] = event.AppendQuoted(f.fields[errorField], []byte(why.Message()))
	f.write()
}

// close closes all, and returns the first error.
func (all predictionFiles) close() (err error) {
	for _, f := range all {
		err = cmp.Or(err, f.close())
	}
	return err
}

// close writes what is buffered and returns the first error.
func (f *predictionFile) close() error {
	for _, number := range slices.Sorted(maps.Keys(f.waiting)) {
		f.fields = f.waiting[number]
		f.write()
	}
	if f.table != nil {
		f.table.Flush()
	}
	err := cmp.Or(f.err, f.out.Flush())
	if f.file != nil {
		err = cmp.Or(err, f.file.Close())
	}
	return err
}
