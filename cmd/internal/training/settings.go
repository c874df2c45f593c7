package training

import (
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// Settings say which file is trained on, and how. Tags: github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	File     string `arg:"" placeholder:"FILE|-"`
	NoHeader bool

	Algorithm string  `group:"Algorithm" default:"primal" placeholder:"NAME"`
	Order     string  `group:"Algorithm" default:"cyclic" placeholder:"cyclic|random"`
	Seed      uint64  `group:"Algorithm" default:"0" placeholder:"N"`
	Rate      float64 `group:"Algorithm" default:"1" placeholder:"N"`
	Threshold float64 `group:"Algorithm" default:"0" placeholder:"N"`
	Update    string  `group:"Algorithm" default:"threshold" placeholder:"threshold|mistake"`
	Bias      int     `group:"Algorithm" default:"1" placeholder:"1|0"`

	Until      string  `group:"End" default:"separated" placeholder:"separated|budget|validation|stable"`
	MaxPasses  int     `group:"End" default:"1000" placeholder:"N"`
	MaxUpdates int64   `group:"End" default:"0" placeholder:"N"`
	Validation float64 `group:"End" default:"0" placeholder:"FRACTION"`
	Patience   int     `group:"End" default:"5" placeholder:"N"`
	Tolerance  float64 `group:"End" default:"0.001" placeholder:"N"`
	Keep       string  `group:"End" default:"best" placeholder:"best|last"`

	daemon.Table   `embed:"" group:"Learning"`
	HashSeed       uint64 `group:"Learning" default:"0" placeholder:"N"`
	daemon.Classes `embed:"" group:"Several classes"`

	GramBytes  int64 `group:"Effort" default:"268435456" placeholder:"N"`
	MarginWork int64 `group:"Effort" default:"1000000000" placeholder:"N"`

	RequireSeparated bool   `group:"Results"`
	Strict           bool   `group:"Results"`
	Out              string `group:"Results" placeholder:"FILE"`
	JSON             string `group:"Results" name:"json" placeholder:"FILE"`

	daemon.Events `embed:"" group:"Events"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
file: A file of events, one on a line (${endings}, also .gz .zst .bz2), or - for standard input.
format: How the events are written, where the file's ending does not tell: ${fileformats} (default: ${default}).
no-header: The first row of a csv file is an event: its columns are c1, c2 ..., or as --columns names them.
algorithm: primal corrects mistaken examples until there are none, pla goes through all in passes, dual counts
	corrections and takes a kernel: dual:kernel=poly,degree=2,offset=1 or dual:kernel=rbf,gamma=0.5 (default:
	${default}).
order: Examples in the order of the file, or by chance: primal and dual pick any mistaken one, pla shuffles each pass
	(default: ${default}).
seed: Seed of --order random and of what --validation holds out (default: ${default}).
rate: Factor of a correction, over 0 up to 1 (default: ${default}).
threshold: An example is corrected when label times score is at most this (default: ${default}).
update: An example is corrected by the threshold, or where its prediction is wrong only; a score of 0 predicts +1
	(default: ${default}).
bias: The value of a feature that every example has; 0: scores are w·x (default: ${default}).
until: When to end: no example is left to correct; the budget is used up; the error on examples held out no longer
	falls; weights hardly change. The first two always end it (default: ${default}).
max-passes: Budget of passes, the number of loops after which it gives up (default: ${default}).
max-updates: Budget of updates; 0 is without limit (default: ${default}).
validation: Fraction of the examples held out; for --until validation 0.2 where none is given (default: ${default}).
patience: Passes without a lower validation error before the end (default: ${default}).
tolerance: Weights hardly change when a pass changes them by at most this part of their length (default: ${default}).
keep: Which weights count at the end: the separator, else those with the least mistakes (of --until validation: on what
	was held out), or the last ones (default: ${default}).
scale: How features are scaled, by statistics of the examples trained on; standard may have a half-life and a clip:
	standard:half-life=10000,clip=5 (default: none).
hash-seed: Seed of the hash that gives a feature its weight, as run's --seed (default: ${default}).
multiclass: Train a machine for each class against all others (ova), or for each pair of classes, which then vote (ovo);
	with ovo:ties=margin the scores decide between equal votes (default: ova).
gram-bytes: Memory for the Gram matrix, which is computed once when it fits, else row by row (default: ${default}).
margin-work: Multiplications that the search for the maximal margin may take; 0 is none (default: ${default}).
require-separated: Exit with 1 unless a separator was found.
strict: End at the first event that is rejected, instead of counting it.
out: Write the model, for run and replay --from-model.
json: Write the result as JSON; - for standard output, instead of the table.
`
}
