package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// A counterpart is what does here what options of Vowpal Wabbit do there.
type counterpart struct {
	options string // separated by blanks
	flag    string // what a command needs to do it; empty: the text holds for all commands
	text    string
}

// none begins the text of what no command has.
const none = "nothing does that here: "

var counterparts = []counterpart{
	{"-q --quadratic --interactions", "cross", `give --cross "user^*item^", with whole names of namespaces`},
	{"--cubic", "cross", `give --cross "user^*item^*page^", with whole names of namespaces`},
	{"-b --bit_precision", "bits", "give --bits N"},
	{"-l --learning_rate", "learner", "give --learner logistic:rate=X"},
	{"--l1", "learner", "give --learner logistic:l1=X"},
	{"--l2", "learner", "give --learner logistic:l2=X"},
	{"--noconstant", "learner", "give --learner logistic:bias=0"},
	{"--loss_function", "learner", "give a learner: --learner logistic, or pa1 for the hinge loss"},
	{"--ngram", "ngrams", "give --text-field NAME --ngrams N, in json or csv"},
	{"--passes", "repeat", "give --repeat N"},
	{"-i --initial_regressor", "from-model", "give --from-model FILE"},
	{"-t --testonly", "no-learn", "give --no-learn"},
	{"-f --final_regressor", "out", "give --out FILE"},
	{"--oaa --ect", "task", "give --task multiclass; classes need no number"},
	{"-p", "predictions", "give --predictions FILE.csv"},
	{"--invert_hash --readable_model", "", "`rosenblatt inspect MODEL --weights FILE` writes weights by name"},
	{"-a --audit", "", "`rosenblatt inspect MODEL --event VALUE` and POST /predict?explain=N explain a prediction"},
	{"--daemon --port", "", "`rosenblatt run --http HOST:PORT` has POST /predict?lines=1"},
	{"-d --data", "", "name the file without a flag, as in `rosenblatt replay FILE`"},
	{"-c -k --cache --cache_file --kill_cache", "", none + "there is no cache, files are read each time"},
	{"--holdout_off --holdout_period --holdout_after", "",
		none + "`rosenblatt replay` predicts each event before it learns from it"},
	{"--keep", "", none + "--ignore names what is left out"},
	{"--skips", "", none + "--ngrams takes neighbouring words alone"},
	{"--bfgs", "", none + "`rosenblatt train` has batch algorithms of its own"},
	{"--csoaa --csoaa_ldf --wap --cb --cb_explore", "", none + "labels with costs are not read"},
	{"--quantile_tau", "", none + "there is no regression, learners predict two labels, or classes"},
}

// ofVowpalWabbit adds to an error for an unknown flag what does here what that option of Vowpal Wabbit does. People who
// know it try its options. A guess at a short flag is left out: all are one letter away from -h.
func ofVowpalWabbit(err error) error {
	parse, ok := errors.AsType[*kong.ParseError](err)
	flag, unknown := strings.CutPrefix(err.Error(), "unknown flag ")
	if !ok || !unknown {
		return err
	}
	flag, _, _ = strings.Cut(flag, ",")
	called, all := parse.Context.Selected(), parse.Context.Model.Node
	//mutation:options-of-vw
	if c := counterpartOf(flag); c != nil {
		return fmt.Errorf("unknown flag %s: for Vowpal Wabbit's %[1]s, %s%s", flag, c.text, c.owners(called, all))
	}
	//mutation:guess-at-a-letter
	if !strings.HasPrefix(flag, "--") {
		return fmt.Errorf("unknown flag %s", flag)
	}
	return err
}

// counterpartOf returns nil for a flag that is no option of the table.
func counterpartOf(flag string) *counterpart {
	i := slices.IndexFunc(counterparts, func(c counterpart) bool {
		return slices.Contains(strings.Fields(c.options), flag)
	})
	if i < 0 {
		return nil
	}
	return &counterparts[i]
}

// owners says which commands have what the text names, where the one that is called has not.
func (c *counterpart) owners(called, all *kong.Node) string {
	if c.flag == "" || called != nil && slices.Contains(flagNames(called), c.flag) {
		return ""
	}
	var names []string
	for _, command := range all.Children {
		if slices.Contains(flagNames(command), c.flag) {
			names = append(names, command.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (of " + alternatives(names) + ")"
}
