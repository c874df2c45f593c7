package evaluate

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/learner/metrics"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/schema"
)

// plan is the result of checking the settings.
type plan struct {
	*Settings
	program *cli.Program
	given   map[string]bool

	cluster    kafka.ClusterOptions
	delay      replay.Delay
	start, end daemon.Bound
	schemes    []string         // of --multiclass
	specs      []string         // of the learners, as given, those of a grid one by one
	grid       bool             // some are of a grid
	model      *model.Processor // of --from-model
	fixed      model.Config     // of model
	weights    *model.Weights
	cost       *metrics.Cost // nil: not asked for
	contenders []contender   // beside the model
	decode     event.Options // complete when the source is open
	config     model.Config  // of the last learner, when they are made
	timeUnit   cli.TimeUnit  // with --labels and files
	labelField string        // with --labels: of the events, though they may lack it
	gate       registry.Gate // of events and label records that name their schemas
	lateDecode event.Options // with --labels: of label records, when the source is open
	lateFrom   *lateInput    // set when the source is open; nil without --labels
}

func newPlan(s *Settings, given map[string]bool, program *cli.Program) (*plan, error) {
	p := &plan{Settings: s, program: program, given: given, gate: registry.Gate{Known: &schema.Known{}}}
	var f cli.Faults
	p.checkSource(&f)
	f.AddIf(s.Repeat < 1, "repeat: %d: want 1 or more", s.Repeat)
	p.checkLabels(&f)
	p.checkLearning(&f)
	p.checkClasses(&f)
	f.Results(p.readFiles(), []cli.File{{"report", s.Report}, {"json", s.JSON}, {"csv", s.CSV},
		{"profile", s.Profile}, {"predictions", s.Predictions}, {"out", s.Out}})
	var err error
	if s.Predictions != "" {
		_, err = predictionsFormat(s.Predictions)
		f.Check("predictions", err)
	}
	f.AddIf(s.Scores && (s.Predictions == "" || s.FromModel != ""), "scores: they are in --predictions, of learners"+
		" that begin here: want --predictions, and no --from-model")
	f.AddIf(s.Scores && s.Task != event.Multiclass, "scores: they are of several classes: want --task %s",
		event.Multiclass)
	if s.Cost != "" {
		cost, err := metrics.ParseCost(s.Cost)
		f.Check("cost", err)
		p.cost = &cost
	}
	if s.Out != "" {
		f.Check("out", model.CheckPath(s.Out))
	}
	p.delay, err = parseDelay(s.Delay)
	f.Check("delay", err)
	f.AddIf(p.delay.Time > 0 && s.Topic == "", "delay: %s: the events of a file have no timestamps: want a number "+
		"of events", s.Delay)
	if len(f) > 0 {
		return nil, f
	}
	if err := p.readModel(); err != nil {
		return nil, err
	}
	if err := p.choose(); err != nil {
		return nil, err
	}
	return p, p.checkSingle()
}

// readFiles are those that must stay. A model may be replaced by what becomes of it.
func (s *Settings) readFiles() []cli.File {
	files := []cli.File{{"weights", s.Weights}}
	for _, path := range s.Files {
		files = append(files, cli.File{"events", path})
	}
	if s.Topic == "" {
		files = append(files, cli.File{"labels", s.Labels})
	}
	return files
}

func (p *plan) checkLearning(f *cli.Faults) {
	p.Table.Check(f)
	f.AddIf(p.NoLearn && p.FromModel == "" && p.Weights == "",
		"no-learn: a learner that never learns needs --from-model or --weights")
	p.readLearners(f)
	p.weights = p.ReadWeights(f)
}

func (p *plan) checkSource(f *cli.Faults) {
	f.AddIf(p.Topic == "" && len(p.Files) == 0, "nothing to replay: want a file, - for standard input, or --topic")
	f.AddIf(p.Topic != "" && len(p.Files) > 0, "both a file and --topic: want one of them")
	journal := p.Order == "journal"
	f.OneOf("order", p.Order, "time", "journal")
	f.AddIf(p.Journal != "" && p.Journal == p.Topic, "journal: %s: want the topic of predictions, not the one that "+
		"is replayed", p.Journal)
	f.AddIf(p.Journal != "" && !journal, "journal: it is followed with --order journal only")
	for i, path := range p.Files {
		f.AddIf(path == "-" && slices.Contains(p.Files[:i], "-"), "standard input can be read only once")
	}
	if p.Topic == "" {
		for _, flag := range []string{"from", "to", "partitions", "journal"} {
			f.AddIf(p.given[flag], "%s: it needs --topic", flag)
		}
		f.AddIf(journal, "order: a journal needs --topic")
		return
	}
	f.AddIf(p.NoHeader, "no-header: it is for files: in a topic each record is an event")
	var err error
	p.cluster, err = p.Cluster()
	f.Join(err)
	p.start, err = daemon.ParseBound(p.From)
	f.Check("from", err)
	p.end, err = daemon.ParseBound(p.To)
	f.Check("to", err)
	f.AddIf(journal && (p.From != "" || p.To != "" || len(p.Partitions) > 1),
		"order: a journal is followed from its start to its end: leave out --from, --to and --partitions, but for one"+
			" partition that has a model of its own")
}

func parseDelay(text string) (replay.Delay, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && n >= 0 {
		return replay.Delay{Examples: n}, nil
	}
	if d, err := cli.ParseDuration(text); err == nil && d > 0 && d%time.Millisecond == 0 {
		return replay.Delay{Time: d}, nil
	}
	return replay.Delay{}, fmt.Errorf("%q: want a number of events, or a duration of whole milliseconds, as 10m", text)
}
