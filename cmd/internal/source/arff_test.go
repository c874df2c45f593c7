package source

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// arffRows returns the events of an ARFF file, each behind its line, or "reason: message" of a row that is none.
func arffRows(t testing.TB, content string) (rows []string, file *File, err error) {
	t.Helper()
	s, err := From(strings.NewReader(content), "x.arff", Options{Format: ARFF})
	for err == nil {
		var value []byte
		if value, err = s.Next(); err != nil {
			break
		}
		if why := s.Fault(); why != nil {
			rows = append(rows, fmt.Sprintf("%d:%v: %s", s.Line(), why.Reason, why.Message()))
		} else {
			rows = append(rows, fmt.Sprintf("%d:%s", s.Line(), value))
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return rows, s, err
}

// weather has each kind of attribute, with keywords, quotes and comments as Weka takes them.
const weather = `% comment
@RELATION 'the weather: -C 1'

@attribute outlook {sunny, 'very rainy', "it's", 0}
@Attribute 'wind speed' NUMERIC
@attribute temp real [0,100]  % a range
	@attribute n Integer
@ATTRIBUTE note String
@attribute at DATE
@attribute day date "dd.MM.yyyy HH:mm"
@attribute play {no,yes}
@DATA
`

// TestARFFRows: dense and sparse rows, as Weka's ArffLoader and scipy's loadarff read them.
func TestARFFRows(t *testing.T) {
	for row, want := range map[string]string{
		`sunny,1.5,20,3,hello,"2026-01-31T18:00:00",'31.01.2026 18:00',yes`: `{"outlook":"sunny","wind speed":1.5,` +
			`"temp":20,"n":3,"note":"hello","at":1769882400000,"day":1769882400000,"play":"yes"}`,
		`'very rainy' , 1 2	3, 'a, b', ?,?, no % the end`: `{"outlook":"very rainy","wind speed":1,"temp":2,"n":3,` +
			`"note":"a, b","play":"no"}`,
		`"it's",+1,.5,007,123,?,?,yes`: `{"outlook":"it's","wind speed":1,"temp":0.5,"n":7,"note":"123","play":"yes"}`,
		`0,1e400,-0,1E5,'?',?,?,yes`:   `{"outlook":"0","wind speed":1e400,"temp":-0,"n":1E5,"note":"?","play":"yes"}`,
		`new,1.,NaN,?,'it\'s \u00e9 \101\n\%',?,?,yes`: `{"outlook":"new","wind speed":1,` +
			`"note":"it's é A\n%","play":"yes"}`,
		`sunny,,1,2,'',?,?,yes`:        `{"outlook":"sunny","temp":1,"n":2,"note":"","play":"yes"}`,
		`?,?,?,?,?,?,?,?`:              `{}`,
		`sunny,1,?,?,x,?,?,yes,{2.5}`:  `{"outlook":"sunny","wind speed":1,"note":"x","play":"yes","weight":2.5}`,
		`sunny,1,?,?,x,?,?,yes {3}`:    `{"outlook":"sunny","wind speed":1,"note":"x","play":"yes","weight":3}`,
		`{1 2.5, 7 yes}`:               `{"wind speed":2.5,"play":"yes","outlook":"sunny"}`,
		`{}`:                           `{"outlook":"sunny","play":"no"}`,
		`{ 0 'very rainy' , 7 ? } `:    `{"outlook":"very rainy"}`,
		`{4 'a b', 0 ?,7 yes}, {0.5}%`: `{"note":"a b","play":"yes","weight":0.5}`,

		`sunny,1,2`:                     "syntax: the row has 3 values, but there are 8 attributes",
		`sunny,1,2,3,a b,?,?,no`:        "syntax: the row has 9 values",
		`sunny,x,2,3,x,?,?,no`:          `bad-features: the attribute "wind speed" is numeric, but "x" is no number`,
		`sunny,0x1p3,2,3,x,?,?,no`:      `bad-features: the attribute "wind speed" is numeric`,
		`sunny,1_0,2,3,x,?,?,no`:        `bad-features: the attribute "wind speed" is numeric`,
		`sunny,-inf,2,3,x,?,?,no`:       `not-finite: the number "-inf" is not finite`,
		`sunny,1,2,3,x,yesterday,?,no`:  `bad-features: the attribute "at" is a date, but "yesterday"`,
		`sunny,1,2,3,x,?,31.02.2026,no`: `bad-features: the attribute "day" is a date`,
		`sunny,1,2,3,'x,?,?,no`:         "syntax: a quote that does not close on its line",
		`sunny,1,2,3,x,?,?,no,{a}`:      "bad-weight: the weight of the row",
		`sunny,1,2,3,x,?,?,no,{1} 2`:    "bad-weight: the weight of the row",
		`{8 1}`:                         `syntax: "8" is no index of an attribute: want 0 to 7`,
		`{1 1, 1 2}`:                    "syntax: the index 1 is there twice",
		`{1 1`:                          "syntax: the sparse row has no closing brace",
		`{1}`:                           "syntax: the sparse row has no closing brace, or an index without a value",
		`{1 2} 3`:                       `syntax: "3" behind the sparse row`,
	} {
		got, file, err := arffRows(t, weather+"\n"+row+"\n% end\n")
		event := want[0] == '{'
		want = "14:" + want
		if err != nil || len(got) != 1 || got[0] != want && (event || !strings.HasPrefix(got[0], want)) {
			t.Errorf("%s:\n%q, %v, want\n%s", row, got, err, want)
			continue
		}
		if file.Format() != "json" || file.Weighted() != strings.Contains(want, `"weight":`) {
			t.Errorf("%s: format %s, weighted %v", row, file.Format(), file.Weighted())
		}
	}
}

// TestARFFHeader: what the header declares is told, and what is wrong with it is named with its line.
func TestARFFHeader(t *testing.T) {
	_, file, err := arffRows(t, "\xef\xbb\xbf"+weather)
	if err != nil {
		t.Fatal(err)
	}
	if table := file.Table(); table.Label != "play" || table.Weight != "weight" || table.Columns != nil ||
		!slices.Equal(table.Values["play"], []string{"no", "yes"}) || len(table.Values["temp"]) != 0 {
		t.Errorf("%+v", table)
	}
	_, file, err = arffRows(t, "@attribute weight numeric\r\n@attribute weight_ string\r\n@data\r\n1,a\r\n")
	if table := file.Table(); err != nil || table.Weight != "weight__" {
		t.Errorf("%+v, %v", table, err)
	}
	wrong := ErrARFF.Error() + ": "
	for header, want := range map[string]string{
		"":                                    "x.arff: the file is empty",
		"\n":                                  "x.arff: " + wrong + "it has no line @data",
		"@data\n":                             "x.arff:1: " + wrong + "it declares no attribute",
		"@relation r\n1,2\n":                  "x.arff:2: " + wrong + `"1": want @relation`,
		"@attribute\n":                        "an attribute without a name",
		"@attribute a\n":                      `the attribute "a" has no type`,
		"@attribute a complex\n":              `the attribute "a" has the type "complex": want numeric`,
		"@attribute a {b,c\n":                 `the values of the attribute "a" have no closing brace`,
		"@attribute 'a {b}\n":                 "a quote that does not close",
		"@attribute a real\n@attribute a {b}": "x.arff:2: " + wrong + `the attribute "a" is declared twice`,
		"@attribute bag relational\n":         `the attribute "bag" is relational, and a bag of rows is no event`,
		"@attribute a date 'yyyy-ww'\n":       `the date pattern "yyyy-ww" has 'w'`,
	} {
		if _, _, err := arffRows(t, header); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", header, err, want)
		}
	}
}

// TestARFFIsReadAgain: rows that were read ahead, or once before, come with what is wrong with them.
func TestARFFIsReadAgain(t *testing.T) {
	s, err := From(strings.NewReader("@attribute a real\n@data\n1\nx\n2\n"), "x", Options{Format: ARFF})
	if err != nil {
		t.Fatal(err)
	}
	if _, ends := s.Lines(10, 1000); len(ends) > 0 {
		t.Error("Lines returns rows as they are")
	}
	s.Ahead(2)
	for i, want := range []bool{true, false, true} {
		if _, err := s.Next(); err != nil || (s.Fault() == nil) != want {
			t.Errorf("row %d: %v, %v", i, s.Fault(), err)
		}
	}
}

// FuzzARFF: each row becomes an event that is json, with the fields of the header at most, or is named as none.
func FuzzARFF(f *testing.F) {
	for _, row := range []string{"sunny,1,2,3,x,?,?,yes", "{1 2,7 yes}, {2}", `'a\'\u00e9',1`, "{0 'a'", "%", "{"} {
		f.Add(row)
	}
	f.Fuzz(func(t *testing.T, row string) {
		if strings.ContainsAny(row, "\r\n") {
			return
		}
		s, err := From(strings.NewReader(weather+row+"\n"), "x", Options{Format: ARFF})
		if err != nil {
			t.Fatal(err)
		}
		value, err := s.Next()
		if err != nil || s.Fault() != nil || !utf8.ValidString(row) {
			return
		}
		var fields map[string]any
		err = json.Unmarshal(value, &fields)
		if err != nil && !strings.Contains(err.Error(), "cannot unmarshal number") {
			t.Errorf("%q gives %q: %v", row, value, err)
		}
		for name := range fields {
			if name != "weight" && !strings.Contains(weather, name) {
				t.Errorf("%q gives %q", row, value)
			}
		}
	})
}
