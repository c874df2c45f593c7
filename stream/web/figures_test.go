package web

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// TestFiguresAreExplained: the guide's glossary has every key of /status.
func TestFiguresAreExplained(t *testing.T) {
	text, err := os.ReadFile(pages + "/figures.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"/decisions.md", "/drift.md", "/challengers.md", "/several-daemons.md",
		"/shared-clusters.md", "/http.md"} {
		more, err := os.ReadFile(pages + page)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, more...)
	}
	seen, own := map[string]bool{}, reflect.TypeFor[statusBody]().PkgPath()
	var walk func(reflect.Type)
	walk = func(of reflect.Type) {
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(of.Elem())
		case reflect.Struct:
			if of.PkgPath() != own {
				return
			}
			for _, f := range reflect.VisibleFields(of) {
				key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
				seen[key] = true
				walk(f.Type)
			}
		}
	}
	walk(reflect.TypeFor[statusBody]())
	for key := range seen {
		if !regexp.MustCompile("`(\\w+\\.)?" + key + "`").Match(text) {
			t.Errorf("figures.md does not explain %s", key)
		}
	}
	if len(seen) < 50 {
		t.Errorf("only %d keys found", len(seen))
	}
}
