package evaluate

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// Settings say what is evaluated. Tags: github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	Files []string `arg:"" optional:"" name:"file" placeholder:"FILE|-"`

	Topic      string  `group:"Source" placeholder:"TOPIC"`
	From       string  `group:"Source" placeholder:"OFFSET|TIME"`
	To         string  `group:"Source" placeholder:"OFFSET|TIME"`
	Partitions []int32 `group:"Source" placeholder:"N"`
	Order      string  `group:"Source" default:"time" placeholder:"time|journal"`
	Journal    string  `group:"Source" placeholder:"TOPIC"`

	NoHeader bool `group:"Source"`

	Learner         []string `group:"Learning" sep:"none" placeholder:"${learners}"`
	daemon.NewModel `embed:"" group:"Learning"`
	Calibrate       string   `group:"Learning" placeholder:"platt|none"`
	Decide          []string `group:"Learning" sep:"none" default:"sign" placeholder:"RULE"`
	daemon.Drifting `embed:"" group:"Learning"`
	Challenger      []string `group:"Learning" sep:"none" placeholder:"NAME=LEARNER"`
	daemon.Classes  `embed:"" group:"Several classes"`

	Labels            string `group:"Labels that come later" placeholder:"FILE|TOPIC"`
	Outcomes          string `group:"Labels that come later" placeholder:"TOPIC"`
	TimeField         string `group:"Labels that come later" placeholder:"NAME"`
	TimeUnit          string `group:"Labels that come later" default:"auto" placeholder:"auto|s|ms|us|ns"`
	daemon.LateLabels `embed:"" group:"Labels that come later"`

	Delay   string `group:"Evaluation" default:"0" placeholder:"N|DURATION"`
	Repeat  int    `group:"Evaluation" default:"1" placeholder:"N"`
	Shuffle bool   `group:"Evaluation"`
	Strict  bool   `group:"Evaluation"`

	Report string `group:"Results" placeholder:"FILE.html"`
	JSON   string `group:"Results" name:"json" placeholder:"FILE"`
	CSV    string `group:"Results" name:"csv" placeholder:"FILE"`

	Cost string   `group:"Results" placeholder:"fp:N,fn:N"`
	By   []string `group:"Results" placeholder:"FIELD"`

	Profile     string `group:"Results" placeholder:"FILE"`
	Predictions string `group:"Results" placeholder:"FILE.csv|FILE.jsonl"`
	Scores      bool   `group:"Results"`
	Out         string `group:"Results" placeholder:"FILE"`

	daemon.Events     `embed:"" group:"Events"`
	daemon.Connection `embed:"" group:"Connection, for --topic"`
	daemon.Registry   `embed:"" group:"Schema registry, for --topic"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
file: Files of events, one on a line (${endings}, also .gz .zst .bz2), or - for standard input.
format: How the events are written, of files where the ending does not tell: ${fileformats}, where arff is for files
	alone (default: ${default}).
topic: Read a topic instead of files.
from: Begin there: an offset in every partition, or a time as 2026-01-31T18:00:00Z (default: the log's start).
to: End before that offset or time (default: the log's end as it is at the start).
partitions: These partitions only (default: all); with --order journal one, of those that have a model each.
order: Several partitions in the order of time, partition, offset; or in the order in which a daemon learned them
	(default: ${default}).
journal: With --order journal: the daemon's output topic (default: TOPIC.predictions).
no-header: The first row of a csv file is an event: its columns are c1, c2 ..., or as --columns names them.
learner: Learners, several separated by spaces or by repeating the flag (default: perceptron). Values in braces make a
	grid, every combination of them: "pa1:C={0.01,0.1,1}". The learners share the cores and one reading of the events.
calibrate: Learn how probable a score of two labels is (platt), or take what the learner says, if it says so (none;
	default: platt where --decide needs a probability that the learner does not give, else none).
decide: When the positive one of two labels is predicted, as in run; several rules, separated by spaces, are compared,
	each learner with each: "sign cost=fp:1,fn:20 precision=0.9" (default: ${default}).
challenger: A further learner of the comparison, written as run has it, "c1=pa1:C=0.1 scale:none"; repeated.
seed: Seed of the hash that gives a feature its weight, and of --shuffle (default: ${default}).
from-model: Evaluate this model, a checkpoint or the newest in a folder, beside the learners named; how events are read
	is taken from it where no flag says otherwise.
no-learn: Only predict, never learn; with --from-model or --weights.
task: Whether labels are one of two, or one of any number of classes, which are discovered as they come (default:
	${default}, or the model's).
multiclass: How classes are told apart, or several ways, as ova,ovo: each learner in each of them, side by side; with
	ovo:ties=margin the scores decide between equal votes (default: direct, where the learner has it, else ova).
labels: Join a file of label records, or with --topic a topic, with the events by their ids, in the order of time or,
	with --order journal, as the daemon did (json or csv).
outcomes: With --labels and --order journal: the daemon's topic of outcomes (default: TOPIC.outcomes).
time-field: With --labels and files: the field with the time of an event and of a label record: a date and time as
	2026-01-31T18:00:00Z or 2026-01-31 18:00:00, or a number. It is no feature.
time-unit: What a number in --time-field is: seconds, milli-, micro- or nanoseconds since 1970 (default: ${default},
	what the magnitude of a file's first one tells; small ones are milliseconds).
delay: Learn each label after N more predictions, or that much later by the records' timestamps (default: ${default}, at
	once).
repeat: Go through the events N times (default: ${default}).
shuffle: Take the events of each pass in a random order, by --seed.
strict: End at the first event that is rejected, instead of counting it.
report: Write a page with curves, tables and weights.
json: Write all figures as JSON; - for standard output, instead of the table.
csv: Write the learning curves.
cost: What a false and a missed prediction of the positive label cost, as fp:1,fn:20: results have the cost of 1,000
	examples, and learners are sorted by it.
by: Count decisions of two labels by the values of these fields, at most four, of json or csv: in the report, the JSON
	and the CSV.
profile: Write what the fields of the events hold, and where that changes, as JSON; - for standard output, instead of
	the table.
predictions: Write a line for each event: prediction, score and label, or why it was rejected; of several learners a
	file each, named for it; - for standard output, as jsonl, instead of the table.
scores: With --predictions and several classes: the score of each class, too.
out: Write the model of the one learner as it is at the end, for run, replay and inspect.
`
}
