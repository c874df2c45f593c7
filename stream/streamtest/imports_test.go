package streamtest_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
)

// floors are the packages of the module, the lowest first. A package imports packages of lower floors only, so those of
// one floor know nothing of each other. A name that ends in /... means all packages below it that have no floor of
// their own.
var floors = [][]string{
	{"checkpoint", "learner/datasets", "learner/internal/...", "stream/internal/..."},
	{"learner", "learner/decision", "learner/drift", "stream/recordbatch", "stream/avro", "stream/kafka/broker"},
	{"learner/metrics", "learner/batch", "stream/topics", "stream/stops", "stream/schema", "stream/protobuf"},
	{"stream/event", "stream/registry", "stream/kafka/verdict", "stream/kafka/internal/..."},
	{"stream/labels", "stream/silence", "stream/survey", "stream/profile", "stream/group", "stream/kafka/cluster"},
	{"stream/model", "stream/kafka/fetch"},
	{"stream/journal", "stream/recall", "stream/statetopic"},
	{"stream/kafka/produce", "stream/readahead", "stream/late"},
	{"stream/kafka", "stream/state", "stream/walk"},
	{"stream/plan", "stream/board"},
	{"stream"},
	{"stream/replay", "stream/verify", "stream/web"},
	{"stream/report", "stream/streamtest", "stream/simulation"},
	{"stream/streamtest/mutate", "stream/streamtest/prose", "cmd/internal/cli", "cmd/internal/generate",
		"cmd/internal/proxytest"},
	{"cmd/internal/source", "cmd/internal/inspection", "cmd/internal/login"},
	{"cmd/internal/daemon"},
	{"cmd/internal/remote"},
	{"cmd/internal/..."},
	{"cmd/demo", "cmd/rosenblatt"},
}

func floorOf(pkg string) int {
	exact := func(floor []string) bool { return slices.Contains(floor, pkg) }
	below := func(floor []string) bool {
		return slices.ContainsFunc(floor, func(name string) bool {
			dir, all := strings.CutSuffix(name, "/...")
			return all && strings.HasPrefix(pkg, dir+"/")
		})
	}
	if i := slices.IndexFunc(floors, exact); i >= 0 {
		return i
	}
	return slices.IndexFunc(floors, below)
}

// TestImportsGoDown keeps the order of the packages. The learners and the checkpoint file know nothing of each other,
// the learners import the standard library only, and an embedded broker is in the demo and in tests only.
func TestImportsGoDown(t *testing.T) {
	const module = "rosenblatt/"
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for packages := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := packages.Decode(&p); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(p.ImportPath, module)
		floor := floorOf(name)
		if floor < 0 {
			t.Errorf("%s is in no floor: add it to the list", name)
		}
		for _, i := range p.Imports {
			own := strings.HasPrefix(i, module)
			switch {
			case own && floorOf(strings.TrimPrefix(i, module)) >= floor:
				t.Errorf("%s imports %s, which is not below it", name, i)
			case strings.HasPrefix(name, "learner") && (!own && strings.Contains(i, ".") || i == module+"checkpoint"):
				t.Errorf("%s imports %s: learners import the standard library only", name, i)
			case path.Base(i) == "kfake" && name != "cmd/demo" && name != "stream/streamtest":
				t.Errorf("%s imports %s: an embedded broker is for the demo and for tests", name, i)
			}
		}
	}
}
