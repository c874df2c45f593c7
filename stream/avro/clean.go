package avro

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/twmb/avro"
)

// Normalize returns the text of a schema that is equal for schemas of the same values: without what does not count, and
// blanks. The error is that of Compile.
func Normalize(text string) (string, error) { return cleaned(text) }

// Bundle is Normalize for a schema that uses named types of others, as Compile takes them: they become a part of it.
func Bundle(text string, references ...string) (string, error) {
	if len(references) == 0 {
		return Normalize(text)
	}
	cache, whole := new(avro.SchemaCache), ""
	for _, s := range append(references[:len(references):len(references)], text) {
		clean, err := cleaned(s)
		if err != nil {
			return "", err
		}
		parsed, err := cache.Parse(clean, avro.WithLaxNames(nil))
		if err != nil {
			return "", err
		}
		whole = parsed.String()
	}
	return Normalize(whole)
}

// cleaned returns the text of a schema without what does not count here: the library would refuse a schema for a
// default that does not fit, or for a decimal that is none, which is the type as it is.
func cleaned(text string) (string, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		if strings.TrimSpace(text) != "" && !strings.ContainsAny(text, "{[\"") {
			return strconv.Quote(strings.TrimSpace(text)), nil // the name of a type
		}
		return "", fmt.Errorf("the schema is no JSON: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return "", fmt.Errorf("the schema has something behind its end")
	}
	clean(v)
	out, err := json.Marshal(v)
	return string(out), err
}

// clean removes what does not count from a type.
func clean(v any) {
	switch t := v.(type) {
	case []any:
		for _, branch := range t {
			clean(branch)
		}
	case map[string]any:
		for _, name := range []string{"doc", "aliases", "default"} {
			delete(t, name)
		}
		if t["logicalType"] == "decimal" && !isDecimal(t) {
			delete(t, "logicalType")
		}
		clean(t["type"])
		clean(t["items"])
		clean(t["values"])
		fields, _ := t["fields"].([]any)
		for _, field := range fields {
			f, _ := field.(map[string]any)
			for _, name := range []string{"doc", "aliases", "default", "order", "logicalType", "precision", "scale"} {
				delete(f, name)
			}
			clean(f["type"])
		}
	}
}

// isDecimal reports whether the attributes of a decimal are valid.
func isDecimal(t map[string]any) bool {
	whole := func(name string, absent float64) (float64, bool) {
		n, ok := t[name].(json.Number)
		if t[name] == nil {
			return absent, true
		}
		v, err := n.Float64()
		return v, ok && err == nil && v == math.Trunc(v)
	}
	precision, ok1 := whole("precision", 0)
	scale, ok2 := whole("scale", 0)
	if size, ok := whole("size", math.Inf(1)); !ok || t["type"] == "fixed" && precision > digits(size) {
		return false
	}
	return ok1 && ok2 && precision >= 1 && precision <= math.MaxInt32 && scale >= 0 && scale <= precision
}

// digits is how many decimal digits any number of so many bytes can have.
func digits(size float64) float64 { return math.Floor((8*size - 1) * math.Log10(2)) }
