package daemon

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alecthomas/kong"
)

// given are flags that a setting needs beside it, and the value to try where it does not follow from its kind.
var given = map[string]struct{ beside, value string }{
	"columns":          {"--format=csv --columns=id,label,x", "y"},
	"delimiter":        {"--format=csv --columns=id,label,x", ";"},
	"quote":            {"--format=csv --columns=id,label,x", "none"},
	"escape":           {"--format=csv --columns=id,label,x", "backslash"},
	"encoding":         {"", "cp1252"},
	"nan":              {"", "absent"},
	"cross":            {value: "x*y"},
	"ngrams":           {"--text-field=msg", "2"},
	"decimal":          {"--format=csv --columns=id,label,x", "comma"},
	"features-field":   {value: "f"},
	"format":           {"--labels-format=json", "vw"},
	"labels-columns":   {"--labels-format=csv --labels-columns=id,label", "y"},
	"label-names":      {value: "a,b"},
	"labels-format":    {"--format=csv --columns=id,label,x", "json"},
	"schema":           {"--format=avro --schema=testdata/double.avsc", "testdata/float.avsc"},
	"labels-schema":    {"--labels-format=avro --labels-schema=testdata/double.avsc", "testdata/float.avsc"},
	"message":          {"--format=protobuf --schema=testdata/two.proto --message=A", "B"},
	"labels-message":   {"--labels-format=protobuf --labels-schema=testdata/two.proto --labels-message=A", "B"},
	"learner":          {value: "pa"},
	"calibrate":        {value: "platt"},
	"challenger":       {value: "c=pa1"},
	"decide":           {value: "cost=fp:1,fn:20"},
	"max-classes":      {"--task=multiclass --multiclass=ova", "7"},
	"multiclass":       {"--task=multiclass", "ovo"},
	"scale":            {value: "none"},
	"scores":           {"--task=multiclass", ""},
	"start":            {value: "latest"},
	"max-batch-bytes":  {value: "1100000"},
	"failover":         {value: "2s"},
	"missing":          {"--format=csv --columns=id,label,x", "x"},
	"assume-label":     {value: "-1"},
	"bits":             {value: "17"},
	"waiting-memory":   {value: "1MiB"},
	"checkpoint-topic": {value: "d"},

	"profile-reference": {value: "testdata/profile.json"},
}

// valueOf is another value of a flag.
func valueOf(t *testing.T, f *kong.Flag) string {
	t.Helper()
	if v := given[f.Name].value; v != "" {
		return "=" + v
	}
	now := f.Target.Interface()
	if kinds := strings.Split(f.PlaceHolder, "|"); len(kinds) > 1 && kinds[0] == strings.ToLower(kinds[0]) {
		kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == now || k == f.Default })
		return "=" + kinds[0]
	}
	switch v := f.Target; {
	case v.Kind() == reflect.Bool:
		return ""
	case v.Type() == reflect.TypeFor[time.Duration]():
		return "=" + (time.Duration(v.Int()) + time.Second).String()
	case v.CanInt(), v.CanUint():
		return "=77"
	case f.Name == "weights":
		path := filepath.Join(t.TempDir(), "w.json")
		if err := os.WriteFile(path, []byte(`{"bias":1,"x":1}`), 0o600); err != nil {
			t.Fatal(err)
		}
		return "=" + path
	case f.Name == "from-model":
		return "=" + t.TempDir()
	}
	return "=x"
}

func fingerprintOf(t *testing.T, args ...string) string {
	t.Helper()
	var s Settings
	k, err := kong.New(&s, kong.Name("rosenblatt"), Vars())
	if err != nil {
		t.Fatal(err)
	}
	args = append(strings.Fields("--brokers=k:1 --input=events --labels=l --checkpoint-topic=c --standby"), args...)
	if _, err := k.Parse(args); err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	r, err := s.Resolve()
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	f, err := r.fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	ofModel, err := json.Marshal(r.Task.ModelConfig) // the checkpoint has them, and members compare them with it
	if err != nil {
		t.Fatal(err)
	}
	return f + string(ofModel)
}

// TestUnsharedSettings: the settings that members need not share are those of the table in PROTOCOL.md, but for how a
// daemon reaches brokers, shows itself and logs.
func TestUnsharedSettings(t *testing.T) {
	t.Parallel()
	var s Settings
	k, err := kong.New(&s, kong.Name("rosenblatt"), Vars())
	if err != nil {
		t.Fatal(err)
	}
	var unshared []string
	for _, f := range k.Model.Flags {
		outside := []string{"Connection", "HTTP", "Logs", "Schema registry"}
		if f.Group == nil || slices.Contains(outside, f.Group.Title) ||
			f.Tag.Has("cmdline") || slices.Contains([]string{"standby", "until-end"}, f.Name) {
			continue
		}
		beside := strings.Fields(given[f.Name].beside)
		if fingerprintOf(t, beside...) == fingerprintOf(t, append(beside, "--"+f.Name+valueOf(t, f))...) {
			unshared = append(unshared, f.Name)
		}
	}
	text, err := os.ReadFile("../../../stream/PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "### Settings that members need not share")
	table, _, _ = strings.Cut(table, "\n## ")
	var documented []string
	for line := range strings.Lines(table) {
		if cell, ok := strings.CutPrefix(line, "| "); ok {
			cell, _, _ = strings.Cut(cell, " |")
			for _, m := range regexp.MustCompile("`--([a-z-]+)`").FindAllStringSubmatch(cell, -1) {
				documented = append(documented, m[1])
			}
		}
	}
	slices.Sort(unshared)
	slices.Sort(documented)
	if !slices.Equal(unshared, documented) {
		t.Errorf("not in the fingerprint:\n%v\nin the table:\n%v", unshared, documented)
	}
}
