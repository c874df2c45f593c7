package report

import (
	"bytes"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"rosenblatt/learner/metrics"
)

// TestFiguresAreExplained: the guide's glossary has every column of the table and every figure of its JSON.
func TestFiguresAreExplained(t *testing.T) {
	raw, err := os.ReadFile("../../cmd/rosenblatt/docs/figures.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	var table bytes.Buffer
	r := Report{Learners: []Learner{{}}}
	if err := r.Table(&table); err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(table.String(), "\n")
	columns := regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(head), -1)
	for _, column := range columns {
		if column != "last 1000" && !strings.Contains(text, column) {
			t.Errorf("figures.md does not explain the column %s", column)
		}
	}
	if len(columns) < 12 {
		t.Errorf("only %d columns: %q", len(columns), columns)
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[metrics.Report]()) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if key == "" || key == "name" {
			continue
		}
		if !strings.Contains(text, "`"+snake(key)+"`") && !strings.Contains(text, "`"+key+"`") && key != "R" {
			t.Errorf("figures.md does not explain %s", key)
		}
	}
}

// snake spells kappaM as kappa_m.
func snake(key string) string {
	var b strings.Builder
	for _, r := range key {
		if unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
