package daemon

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// minimal is the least that has to be said.
func minimal() Settings {
	s := Defaults()
	s.Brokers, s.Input = []string{"k1:9092"}, "events"
	return s
}

func resolve(t *testing.T, s Settings) *Resolved {
	t.Helper()
	r, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestDerivedDefaults(t *testing.T) {
	t.Parallel()
	r := resolve(t, minimal())
	for what, pair := range map[string][2]string{
		"output":           {r.Kafka.Output, "events.predictions"},
		"dead letters":     {r.Kafka.DeadLetters, "events.dlq"},
		"model":            {r.Task.Model, "events"},
		"group":            {r.Kafka.Group, "rosenblatt-events"},
		"folder":           {r.Folder, filepath.Join("state", "events")},
		"transactional id": {r.Kafka.TransactionalID, "rosenblatt.events.predictions"},
		"scale":            {r.Task.ModelConfig.Learner.Scale, "standard"},
		"label field":      {r.Task.ModelConfig.Decode.LabelField, "label"},
		"features field":   {r.Task.ModelConfig.Decode.FeaturesField, "features"},
		"http":             {r.Settings.HTTP, "127.0.0.1:8080"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
	if r.Task.CheckpointInterval != 10*time.Second || r.Task.ModelConfig.Decode.MaxBytes != 1<<20 ||
		r.Task.ModelConfig.Learner.Bits != 18 {
		t.Errorf("interval %v, max bytes %d, bits %d", r.Task.CheckpointInterval, r.Task.ModelConfig.Decode.MaxBytes,
			r.Task.ModelConfig.Learner.Bits)
	}
}

func TestNamesFollowTheirOwn(t *testing.T) {
	t.Parallel()
	s := minimal()
	s.Model, s.Output = "fraud", "answers"
	r := resolve(t, s)
	if r.Kafka.Group != "rosenblatt-fraud" || r.Kafka.TransactionalID != "rosenblatt.answers" ||
		r.Folder != filepath.Join("state", "fraud") {
		t.Errorf("group %s, transactional id %s, folder %s", r.Kafka.Group, r.Kafka.TransactionalID, r.Folder)
	}
}

func TestScaleFollowsTheFormat(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]string{"json": "standard", "csv": "standard", "libsvm": "maxabs",
		"vw": "maxabs"} {
		s := minimal()
		s.Format = format
		if format == "csv" {
			s.Columns = []string{"label", "a"}
		}
		if got := resolve(t, s).Task.ModelConfig.Learner.Scale; got != want {
			t.Errorf("%s: scale %s, want %s", format, got, want)
		}
		s.Scale = "none"
		if got := resolve(t, s).Task.ModelConfig.Learner.Scale; got != "none" {
			t.Errorf("%s: scale %s, asked for none", format, got)
		}
	}
}

func TestEverySettingArrives(t *testing.T) {
	t.Parallel()
	s := minimal()
	s.Compression, s.Learner, s.NoLearn, s.UntilEnd = "zstd", "perceptron:rate=0.5,threshold=1", true, true
	s.Accept, s.Skip, s.CheckpointEvery, s.MaxBatchBytes = []string{"config"}, []string{"2:10-20"}, 7, 5<<20
	s.Seed, s.MaxNames, s.Positive, s.ClientID, s.Start = 9, 11, "UP", "me", "latest"
	r := resolve(t, s)
	if r.Kafka.Codec != recordbatch.Zstd || r.Kafka.MaxBatchBytes != 5<<20 || r.Kafka.ClientID != "me" {
		t.Errorf("kafka: %+v", r.Kafka)
	}
	f := r.Task.ModelConfig
	if f.Learner.Rate != 0.5 || f.Learner.Threshold != 1 || !f.NoLearn || f.Decode.Seed != 9 ||
		f.Learner.MaxNames != 11 || f.Decode.Positive != "UP" {
		t.Errorf("fixed: %+v", f)
	}
	want := topics.SkipRange{Partition: 2, From: 10, To: 20}
	if len(r.Task.Skip) != 1 || r.Task.Skip[0] != want {
		t.Errorf("skip: %v", r.Task.Skip)
	}
	if !slices.Equal(r.Task.Accept, []string{"config"}) || r.Task.CheckpointEvery != 7 || !r.Task.UntilEnd ||
		!r.Start.Latest {
		t.Errorf("task: %+v", r.Task)
	}
}

// TestMaxBatchBytes: a limit under which no batch, or not every event that is allowed, could be read is a fault, as is
// one over Kafka's own.
func TestMaxBatchBytes(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int64]string{
		-1: "max-batch-bytes: -1", 0: "max-batch-bytes: 0", 5: "max-batch-bytes: 5",
		1<<20 - 1: "less than max-bytes, 1048576", 1<<30 + 1: "max-batch-bytes: 1073741825",
		math.MaxInt64: "max-batch-bytes", 1 << 20: "", 1 << 30: "",
	} {
		s := minimal()
		s.MaxBatchBytes = limit
		_, err := s.Resolve()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%d: %v, want %q", limit, err, want)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	s := Defaults()
	s.Brokers, s.Format, s.Tombstones, s.MaxDepth, s.Bits, s.Learner = []string{"nowhere"}, "xml", "keep", 5000, 31,
		"perceptron:rate=7"
	s.Scale, s.Start, s.Compression, s.HTTP, s.LogLevel = "huge", "yesterday", "rar", "0.0.0.0:80", "loud"
	s.Accept, s.Skip, s.SASL, s.TLSKey, s.CheckpointInterval, s.Decoders = []string{"fenced"}, []string{"1:9-3"},
		"gssapi", "key", -1, 0
	_, err := s.Resolve()
	faults, ok := cli.AsFaults(err)
	if !ok {
		t.Fatalf("%v is no Faults", err)
	}
	for _, name := range []string{"brokers", "input", "format", "tombstones", "max-depth", "bits", "learner", "scale",
		"start", "compression",
		"http", "log-level", "accept", "skip", "sasl", "tls-cert",
		"checkpoint-interval", "decoders"} {
		if !slices.ContainsFunc(faults, func(f error) bool { return strings.HasPrefix(f.Error(), name+": ") }) {
			t.Errorf("nothing about %s in:\n%v", name, err)
		}
	}
}

func TestFaultsSayWhatIsAllowed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		change func(*Settings)
		want   string
	}{
		{func(s *Settings) { s.Output = "events" },
			"output: input, output and dead-letter must be three different topics"},
		{func(s *Settings) { s.Model = "a/b" }, `model: "a/b": want 1 to 249 of the letters`},
		{func(s *Settings) { s.Model = ".." }, `model: "..": want`},
		{func(s *Settings) { s.Format = "csv" }, "format csv: csv needs the names of its columns"},
		{func(s *Settings) { s.Bits = 0 }, "bits: 0: want 1 to 30"},
		{func(s *Settings) { s.MaxBytes = 0 }, "max-bytes: 0: want 1 to"},
		{func(s *Settings) { s.By = []string{"a", "a"} }, `by: "a" is named twice`},
		{func(s *Settings) { s.Format, s.By = "vw", []string{"a"} }, "by: format vw: its events have no named fields"},
		{func(s *Settings) { s.Instance = "a" }, "instance: it needs --standby"},
		{func(s *Settings) { s.Standby.Standby = true }, "standby: it needs --checkpoint-topic"},
		{func(s *Settings) { s.SessionTimeout = 0 }, "session-timeout: 0s: want 1s or more"},
		{func(s *Settings) { s.Standby.Standby, s.Instance = true, "a/b" }, `instance: "a/b": want 1 to 249`},
		{func(s *Settings) { s.Standby.Standby, s.Accept = true, []string{"config"} },
			"accept: with --standby give config with its token, as config:TOKEN, at all daemons: `rosenblatt check`"},
		{func(s *Settings) { s.Standby.Standby, s.Accept = true, []string{"input-gone"} },
			"as input-gone:TOKEN, at all daemons: a daemon that is started without --accept prints it when it stops"},
		{func(s *Settings) { s.Standby.Standby, s.Skip = true, []string{"0:1-2"} },
			"skip: it is for one daemon without --standby: end all daemons"},
		{func(s *Settings) {
			s.Standby.Standby, s.CheckpointTopic, s.Accept = true, "c", []string{"state-missing:0123456789ab"}
		}, "accept: state-missing is for one daemon without --standby: end all daemons"},
		{func(s *Settings) {
			s.Standby.Standby, s.CheckpointTopic, s.Accept = true, "c", []string{"fence-ineffective:0123456789ab"}
		}, "accept: fence-ineffective cannot be accepted with --standby"},
		{func(s *Settings) { s.Accept = []string{"config:zz"} },
			`accept: "config:zz": want NAME, or NAME:TOKEN as a stop, and check, print it: 12 digits from 0 to f`},
		{func(s *Settings) { s.Accept = []string{"fenced:0123456789ab"} }, `accept: "fenced": want some of`},
		{func(s *Settings) { s.Format = "xml" }, `format: "xml": want ` + event.FormatChoice()},
		{func(s *Settings) { s.Accept = []string{"everything"} }, "want some of state-invalid,state-missing"},
		{func(s *Settings) { s.HTTP = ":8080" }, "http: \":8080\" can be reached from other machines"},
		{func(s *Settings) { s.HTTP = "8080" }, `http: "8080": want HOST:PORT`},
		{func(s *Settings) { s.HTTPHost = []string{"ml.example.org", "http://ml"} },
			`http-host: "http://ml": want a name as in http://NAME:8080/, without scheme and port`},
		{func(s *Settings) { s.HTTPHost = []string{"ml:8080"} }, `http-host: "ml:8080": want a name`},
		{func(s *Settings) { s.HTTPHost = []string{"*"} }, `http-host: "*": want a name`},
		{func(s *Settings) { s.HTTPHost = []string{""} }, `http-host: "": want a name`},
		{func(s *Settings) { s.Brokers = []string{"k:0"} }, `brokers: "k:0": want HOST:PORT`},
		{func(s *Settings) { s.SASLUser = "me" }, "sasl: missing"},
		{func(s *Settings) { s.Weights = "no such file" }, "weights: open no such file"},
		{func(s *Settings) { s.HTTPTokenFile = "no such file" }, "http-token-file: open no such file"},
	} {
		s := minimal()
		c.change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

func TestHTTPAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"127.0.0.1:0", "localhost:8080", "[::1]:8080", "off"} {
		s := minimal()
		s.HTTP = address
		resolve(t, s)
	}
	s := minimal()
	s.HTTP, s.HTTPOpen, s.HTTPHost = "0.0.0.0:8080", true, []string{"ml.example.org", "Ml_2", "xn--bcher-kva"}
	resolve(t, s)
	s.HTTPOpen, s.HTTPTokenFile = false, write(t, "token", "secret\n")
	if r := resolve(t, s); r.Token != "secret" {
		t.Errorf("token %q", r.Token)
	}
}

func TestParseStart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Start{
		"earliest": {}, "latest": {Latest: true}, "1795257554199": {Time: 1795257554199},
		"2026-01-31T18:00:00Z": {Time: 1769882400000}, "2026-01-31T19:00:00+01:00": {Time: 1769882400000},
		"1769882400": {Time: 1769882400000}, "2026-01-31 18:00:00.5Z": {Time: 1769882400500},
	} {
		if got, err := ParseStart(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-5", "0", "now", "2026-01-31", "2026-01-31 18:00:00"} {
		if _, err := ParseStart(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func TestParseSkip(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "1", "1:2", "1:2-", "-1:2-3", "1:3-2", "1:2-3x", "99999999999:1-2",
		"1:2-99999999999999999999"} {
		if s, err := parseSkip(text); err == nil {
			t.Errorf("%q was taken as %+v", text, s)
		}
	}
}

func TestWeights(t *testing.T) {
	t.Parallel()
	w, err := readWeights(write(t, "w.json", `{"z":1.5,"bias":-2,"a":0.25}`))
	if err != nil {
		t.Fatal(err)
	}
	if w.Bias != -2 || !slices.Equal(w.Names, []string{"a", "z"}) || w.Value["z"] != 1.5 || w.Value["a"] != 0.25 {
		t.Errorf("%+v", w)
	}
	w, err = readWeights(write(t, "w.json", `{"bias":-2,"weights":{"a":0.25},"examples":9,"shared":["a"],"scale":{`+
		`"a":{"mean":1,"deviation":2,"count":7},"z":{"mean":1,"deviation":2,"count":7}}}`))
	if err != nil || w.Bias != -2 || len(w.Scale) != 1 || w.Examples != 9 || w.Scale["a"].Count != 7 ||
		w.Scale["a"].Deviation != 2 || w.Scale["a"].Mean != 1 {
		t.Errorf("%v %+v", err, w)
	}
	w, err = readWeights(write(t, "w.json", `{"weights":1,"scale":2}`)) // features of these names
	if err != nil || w.Value["weights"] != 1 || w.Value["scale"] != 2 || w.Scale != nil {
		t.Errorf("%v %+v", err, w)
	}
	for text, want := range map[string]string{
		`[1]`: "want a JSON object", `{"a":1,"a":2}`: "duplicate", `{"bias":1,"bias":2}`: "duplicate",
		`{"a":"1"}`: "want a number", `{"a":null}`: "want a number",
		`{"a":1e31}`: "at most", `{"a":1`: "does not end", `{"a":1} x`: "follows", ``: "want a JSON object",
		`{"a":1e999}`:                                    "want a number",
		`{"weights":{"a":1},"scales":{}}`:                "unknown field",
		`{"weights":{"a":1,"a":2}}`:                      "weights: \"a\": duplicate",
		`{"weights":{"bias":1}}`:                         "the bias is beside them",
		`{"weights":{"a":1},"scale":{"a":{"mean":"1"}}}`: "string",
		`{"weights":{"a":1},"examples":-1}`:              "examples: -1",
		`{"weights":{"a":1},"bias":1e31}`:                "at most",
	} {
		if _, err := readWeights(write(t, "w.json", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestFaultsUnwrap(t *testing.T) {
	t.Parallel()
	s := minimal()
	s.Weights = "no such file"
	if _, err := s.Resolve(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v does not wrap its cause", err)
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
