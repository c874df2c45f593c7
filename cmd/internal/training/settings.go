package training

import "rosenblatt/cmd/internal/daemon"

// Settings say how which file is trained on. The tags are those of github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	File string `arg:"" placeholder:"FILE|-" help:"A file of events, one on a line (${endings}, also .gz .zst), or - for standard input."`

	Algorithm string  `group:"Algorithm" default:"primal" placeholder:"NAME" help:"primal corrects mistaken examples until there are none, pla goes through all in passes, dual counts corrections and takes a kernel: dual:kernel=poly,degree=2,offset=1 or dual:kernel=rbf,gamma=0.5 (default: ${default})."`
	Order     string  `group:"Algorithm" default:"cyclic" placeholder:"cyclic|random" help:"Examples in the order of the file, or by chance: primal and dual pick any mistaken one, pla shuffles each pass (default: ${default})."`
	Seed      uint64  `group:"Algorithm" default:"0" placeholder:"N" help:"Seed of --order random and of what --validation holds out (default: ${default})."`
	Rate      float64 `group:"Algorithm" default:"1" placeholder:"N" help:"Factor of a correction, over 0 up to 1 (default: ${default})."`
	Threshold float64 `group:"Algorithm" default:"0" placeholder:"N" help:"An example is corrected when label times score is at most this (default: ${default})."`
	Weights   string  `group:"Algorithm" placeholder:"FILE" help:"Weights to start from: a JSON object, name: number; \"bias\" is the bias."`

	Until      string  `group:"End" default:"separated" placeholder:"separated|budget|validation|stable" help:"When to end: no example is left to correct; the budget is used up; the error on examples held out no longer falls; weights hardly change. The first two always end it (default: ${default})."`
	MaxPasses  int     `group:"End" default:"1000" placeholder:"N" help:"Budget of passes (default: ${default})."`
	MaxUpdates int64   `group:"End" default:"0" placeholder:"N" help:"Budget of updates; 0 is without limit (default: ${default})."`
	Validation float64 `group:"End" default:"0" placeholder:"FRACTION" help:"Fraction of the examples held out; for --until validation 0.2 where none is given (default: ${default})."`
	Patience   int     `group:"End" default:"5" placeholder:"N" help:"Passes without a lower validation error before the end (default: ${default})."`
	Tolerance  float64 `group:"End" default:"0.001" placeholder:"N" help:"Weights hardly change when a pass changes them by at most this part of their length (default: ${default})."`
	Keep       string  `group:"End" default:"best" placeholder:"best|last" help:"Which weights count at the end: the separator, else those with the least mistakes (of --until validation: on what was held out), or the last ones (default: ${default})."`

	Scale    string `group:"Learning" default:"none" placeholder:"standard|maxabs|none" help:"How features are scaled, by statistics of the whole file (default: ${default})."`
	Bits     int    `group:"Learning" default:"18" placeholder:"N" help:"Features share 2^N weights, 1 to 30 (default: ${default})."`
	HashSeed uint64 `group:"Learning" default:"0" placeholder:"N" help:"Seed of the hash that gives a feature its weight, as run's --seed (default: ${default})."`
	MaxNames int    `group:"Learning" default:"262144" placeholder:"N" help:"Most feature names remembered, for reading weights (default: ${default})."`

	Task       string `group:"Several classes" default:"binary" placeholder:"binary|multiclass" help:"Whether labels are one of two, or one of any number of classes (default: ${default})."`
	Multiclass string `group:"Several classes" placeholder:"ova|ovo" help:"Train a machine for each class against all others, or for each pair of classes, which then vote (default: ova)."`
	MaxClasses int    `group:"Several classes" placeholder:"N" help:"Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100)."`

	GramBytes  int64 `group:"Effort" default:"268435456" placeholder:"N" help:"Memory for the Gram matrix, which is computed once when it fits, else row by row (default: ${default})."`
	MarginWork int64 `group:"Effort" default:"1000000000" placeholder:"N" help:"Multiplications that the search for the maximal margin may take; 0 is none (default: ${default})."`

	RequireSeparated bool   `group:"Results" help:"Exit with 1 unless a separator was found."`
	Strict           bool   `group:"Results" help:"End at the first event that is rejected, instead of counting it."`
	Out              string `group:"Results" placeholder:"FILE" help:"Write the model, for run and replay --from-model."`
	JSON             string `group:"Results" name:"json" placeholder:"FILE" help:"Write the result as JSON; - for standard output, instead of the table."`

	daemon.Events `embed:"" group:"Events"`
}
