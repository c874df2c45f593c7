package web

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
)

// statusBody is documented in cmd/rosenblatt/docs/http.md, "HTTP".
type statusBody struct {
	Model       string           `json:"model"`
	State       string           `json:"state"` // recovering, following, idle, live, stopping or stopped
	Seq         int64            `json:"seq"`
	Epoch       int64            `json:"epoch"`
	Examples    int64            `json:"examples"`    // labelled ones
	Predictions int64            `json:"predictions"` // with and without a label
	Mistakes    int64            `json:"mistakes"`
	Updates     int64            `json:"updates"`
	Accuracy    metrics.Optional `json:"accuracy,omitzero"` // 0 to 1, over all examples
	Rejected    map[string]int64 `json:"rejected"`          // by reason, those that occurred
	Partitions  []partitionBody  `json:"partitions"`
	Checkpoint  checkpointBody   `json:"checkpoint"`
	Labels      *labelsBody      `json:"labels,omitempty"`   // absent without later labels
	Behind      *float64         `json:"behind_s,omitempty"` // of a follower, behind the journal; absent of others
	Predicts    *predictsBody    `json:"predicts,omitempty"` // who does; absent of a task that is not shared
	Stop        *stopBody        `json:"stop,omitempty"`     // of a task that has stopped; absent of others
	Registry    *registryBody    `json:"registry,omitempty"` // absent where no schema registry is asked
	Schemas     []schemaBody     `json:"schemas,omitempty"`  // that events name

	Learner      string             `json:"learner"`
	Version      string             `json:"version,omitempty"`
	Ready        bool               `json:"ready"`
	Reasons      []string           `json:"reasons"` // why it is not ready
	Notices      []string           `json:"notices"` // what is most likely a mistake although it works
	Lag          *int64             `json:"lag"`     // over all partitions; null: unknown while brokers are away
	StableLag    int64              `json:"last_stable_offset_lag"`
	PerSecond    float64            `json:"predictions_per_s"`
	Learned      float64            `json:"learned_per_s,omitempty"` // of others, by a follower
	Latency      *quantiles         `json:"latency_s"`               // over the last ten seconds; null: of nothing
	Processing   *quantiles         `json:"processing_s"`            // likewise, since the records arrived here
	Read         int64              `json:"read"`                    // records read
	Tombstones   int64              `json:"tombstones"`
	Untrained    int64              `json:"untrained"`    // predictions in no figure (model.Outcome)
	Acknowledged int64              `json:"acknowledged"` // predictions, by this process
	Baselines    []baselineBody     `json:"baselines"`
	CommitFails  int64              `json:"offset_commit_failures"` // in this process
	Accepted     []model.Acceptance `json:"accepted"`               // stops, over the life of the model
	Recovery     recoveryBody       `json:"recovery"`
	Trouble      *troubleBody       `json:"trouble"`             // with the brokers; null: none
	Throttles    []throttleBody     `json:"throttles,omitempty"` // what brokers have asked for
	Nearby       []nearbyBody       `json:"nearby,omitempty"`    // partitions that are not read from their leaders
	Uptime       float64            `json:"uptime_s"`
	Figures      figuresBody        `json:"figures"`
	Decision     *decisionBody      `json:"decision,omitempty"`   // absent: by the sign of the score alone
	RuleSince    int64              `json:"rule_since,omitempty"` // the seq of the last prediction by a rule before
	Classes      []string           `json:"classes,omitempty"`    // of several classes, in order of discovery
	ByClass      []classFiguresBody `json:"by_class,omitempty"`
	Slices       []sliceBody        `json:"slices,omitempty"`     // with --by
	Drift        *model.DriftReport `json:"drift,omitempty"`      // absent where drifts are not detected
	Fields       []profile.Brief    `json:"fields,omitempty"`     // absent before there are some
	Champion     string             `json:"champion,omitempty"`   // absent without challengers, as what follows
	Learners     []learnerBody      `json:"learners,omitempty"`   // the champion first
	Promotions   []promotionBody    `json:"promotions,omitempty"` // the newest ones, the oldest first
	Promoting    string             `json:"promoting,omitempty"`  // the learner whose promotion waits for an entry
}

type partitionBody struct {
	Partition int32  `json:"partition"`
	Position  int64  `json:"position"`
	End       int64  `json:"end"`
	Lag       *int64 `json:"lag"`                    // to the high watermark; null: unknown
	StableLag int64  `json:"last_stable_offset_lag"` // the part of it behind an open transaction
}

// ahead is the lag as last known.
func (p *partitionBody) ahead() int64 { return max(0, p.End-p.Position) + p.StableLag }

type checkpointBody struct {
	Seq      int64    `json:"seq"`
	Age      *float64 `json:"age_s"` // null: this process has saved none yet
	Bytes    int64    `json:"bytes"`
	Duration float64  `json:"duration_s"`
	Saved    int64    `json:"saved"`           // in this process
	Failed   int64    `json:"failed"`          // in this process
	Error    string   `json:"error,omitempty"` // of the last one

	Topic *checkpointTopicBody `json:"topic,omitempty"` // absent where checkpoints are in the folder alone
}

// checkpointTopicBody is the newest checkpoint in the checkpoint topic.
type checkpointTopicBody struct {
	Manifest int64 `json:"manifest"` // its number
	Bytes    int64 `json:"bytes"`    // of its files
	Sent     int64 `json:"sent"`     // that were not there before
}

// stopBody is why a task has stopped while the process goes on with others.
type stopBody struct {
	Name string `json:"name"`
	What string `json:"what"` // was found
	Safe string `json:"safe"`
	Do   string `json:"do"`
}

type baselineBody struct {
	Name    string      `json:"name"`
	Figures figuresBody `json:"figures"`
}

// figuresBody are the figures that the examples give, by the name of their scope: all, last (1,000), last10000, fading.
type figuresBody map[string]map[string]float64

// classFiguresBody are the figures of one of several classes, by the name of their scope.
type classFiguresBody struct {
	Class   string                          `json:"class"`
	Figures map[string]metrics.ClassFigures `json:"figures"`
}

// byClass lists classes in the order of discovery.
func (v *view) byClass() (out []classFiguresBody) {
	for i := range min(len(v.ByClass), len(v.Classes)) {
		out = append(out, classFiguresBody{v.Classes[i], v.ByClass[i].ByScope()})
	}
	return out
}

// sliceBody are the decisions on events with a value of a field, over all.
type sliceBody struct {
	Field    string             `json:"field"`
	Value    string             `json:"value"`
	Examples float64            `json:"examples"`
	Mistakes float64            `json:"mistakes"`
	Figures  map[string]float64 `json:"figures"`
}

// sliceBodies are in the order in which the values were seen.
func sliceBodies(rows []metrics.SliceRow) (out []sliceBody) {
	for i := range rows {
		r := &rows[i]
		out = append(out, sliceBody{r.Field, r.Value, r.Examples(), r.Mistakes(), figuresIn(&r.Figures)})
	}
	return out
}

type recoveryBody struct {
	Predictions int64 `json:"predictions"` // learned again
	Done        int64 `json:"done"`        // offsets of the journal
	Total       int64 `json:"total"`
}

type troubleBody struct {
	Text string  `json:"text"`
	For  float64 `json:"for_s"`
}

func (s *Server) status(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.body(s.look()))
}

func (s *Server) body(v *view) *statusBody {
	sc := &v.Score
	b := &statusBody{
		Model: v.Model, State: v.State, Seq: v.Seq, Epoch: v.Epoch, Learner: v.Learner, Version: s.Version,
		Examples: sc.Examples, Predictions: v.Counts.Predictions, Mistakes: sc.Mistakes, Updates: sc.Updates,
		Accuracy: sc.Accuracy,
		Rejected: map[string]int64{}, Partitions: v.partitionBodies(v.Partitions), Checkpoint: checkpointOf(v),
		Labels: v.labelsBody(),
		Ready:  len(v.reasons) == 0, Reasons: append([]string{}, v.reasons...),
		Notices: append([]string{}, v.notices()...), Lag: v.known(v.Lag()),
		PerSecond: v.seen.perSecond, Learned: v.seen.learned, Latency: v.seen.latency, Processing: v.seen.processing,
		Read: v.Counts.Read, Tombstones: v.Counts.Tombstones, Untrained: v.Counts.Untrained,
		Acknowledged: v.Acknowledged,
		Figures:      figuresOf(&sc.Row), Decision: decisionOf(v.Decision, &sc.Row, v.Labels),
		RuleSince: model.RuleSince(v.Accepted),
		Classes:   v.Classes, ByClass: v.byClass(), Slices: sliceBodies(v.Slices), Drift: v.Drift,
		Champion: v.champion(), Learners: v.learnerBodies(), Promotions: promotionBodies(v.Promotions),
		Promoting: v.Promoting,
		Baselines: []baselineBody{}, CommitFails: v.CommitFails, Accepted: append([]model.Acceptance{}, v.Accepted...),
		Recovery: recoveryBody{v.Recovered.Predictions, v.Recovered.Done, v.Recovered.Total},
		Uptime:   v.now.Sub(v.Began).Seconds(),
	}
	b.Throttles, b.Nearby = v.throttleBodies(), s.nearbyBodies()
	b.Registry, b.Schemas, b.Predicts = v.registryBody(), v.schemaBodies(), v.predicts()
	if v.State == board.Following {
		b.Behind = new(v.behind().Seconds())
	}
	if x := v.Stop; x != nil {
		b.Stop = &stopBody{x.Name, x.What, x.Safe, x.Do}
	}
	if v.Fields != nil {
		b.Fields = v.Fields.Briefs()
	}
	maps.Copy(b.Rejected, v.Counts.Rejected)
	for _, p := range v.Partitions {
		b.StableLag += p.StableLag
	}
	for _, row := range sc.Baselines {
		b.Baselines = append(b.Baselines, baselineBody{row.Name, figuresOf(&row)})
	}
	for i := range b.Accepted {
		b.Accepted[i].Ends = nil
	}
	if v.trouble != "" {
		b.Trouble = &troubleBody{v.trouble, v.now.Sub(v.troubleSince).Seconds()}
	}
	return b
}

func (v *view) partitionBodies(partitions []board.PartitionStatus) []partitionBody {
	out := []partitionBody{}
	for _, p := range partitions {
		out = append(out, partitionBody{p.Partition, p.Position, p.End, v.known(p.Lag()), p.StableLag})
	}
	return out
}

func checkpointOf(v *view) checkpointBody {
	c := checkpointBody{Seq: v.Saved.Seq, Bytes: v.Saved.Bytes, Duration: v.Saved.Duration.Seconds(),
		Saved: v.Checkpoints, Failed: v.SaveErrors, Error: v.SaveError}
	if !v.Saved.At.IsZero() {
		c.Age = new(v.now.Sub(v.Saved.At).Seconds())
	}
	if topic := v.Saved.Topic; topic != nil {
		c.Topic = &checkpointTopicBody{topic.Number, topic.Bytes, topic.Sent}
	}
	return c
}

func figuresOf(r *metrics.Row) figuresBody {
	b := figuresBody{}
	for _, scope := range metrics.Scopes {
		b[scope.Name] = figuresIn(scope.Of(r))
	}
	return b
}

// figuresIn are those that the examples give, by name.
func figuresIn(f *metrics.Figures) map[string]float64 {
	figures := map[string]float64{}
	for _, c := range metrics.Columns {
		if x, known := c.Of(f).Get(); known {
			figures[c.Name] = x
		}
	}
	return figures
}

// known returns a lag; nil if it is unknown.
func (v *view) known(lag int64) *int64 {
	if !v.lagKnown {
		return nil
	}
	return &lag
}

func known(st *board.Status) bool { return st.Learner != "" }

// writeJSON writes v. A failed write means that the client is gone.
func writeJSON(w http.ResponseWriter, code int, v any) {
	var buf bytes.Buffer
	if err := json.NewEncoder(&buf).Encode(v); err != nil {
		http.Error(w, "JSON: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_, _ = w.Write(buf.Bytes())
}
