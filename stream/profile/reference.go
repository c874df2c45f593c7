package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// Reference is what a stream is compared with.
type Reference struct {
	Events int
	Fields []NamedSummary
}

// NamedSummary is a field of a reference.
type NamedSummary struct {
	Name string
	*Summary
}

// MaxReference is how large a reference is that is kept in a checkpoint, compressed.
const MaxReference = 64 << 10

var errReference = errors.New("profile: want the file of a profile, as replay --profile writes it")

// ofReference is the reference of a profile that has one.
func (p *Profile) ofReference() *Reference {
	r := &Reference{Events: p.reference}
	for _, f := range p.fields {
		if f.reference != nil {
			r.Fields = append(r.Fields, NamedSummary{f.name, f.reference})
		}
	}
	return r
}

// Compress packs a reference into MaxReference bytes at most. Where it is larger, fields with most distinct words lack
// what tells new words, and then the last fields are left out.
func (r *Reference) Compress() ([]byte, error) {
	report := Report{}
	for _, f := range r.Fields {
		report.Fields = append(report.Fields, Field{Name: f.Name, Reference: f.Summary})
	}
	for {
		var packed bytes.Buffer
		w := gzip.NewWriter(&packed)
		if err := errors.Join(json.NewEncoder(w).Encode(&report), w.Close()); err != nil {
			return nil, err
		}
		//mutation:reference-fits
		if packed.Len() <= MaxReference {
			return packed.Bytes(), nil
		}
		report.Fields = lighten(report.Fields)
	}
}

// lighten leaves something out: a quarter of the bitmaps of words, or a tenth of the fields.
func lighten(fields []Field) []Field {
	var known []int
	for i := range fields {
		if fields[i].Reference.Seen != nil {
			known = append(known, i)
		}
	}
	if len(known) == 0 {
		return fields[:len(fields)-len(fields)/10-1]
	}
	slices.SortStableFunc(known, func(a, b int) int {
		return fields[b].Reference.Distinct - fields[a].Reference.Distinct
	})
	for _, i := range known[:len(known)/4+1] {
		light := *fields[i].Reference
		light.Seen = nil
		fields[i].Reference = &light
	}
	return fields
}

// unpacked bounds what a packed reference may hold.
const unpacked = 16 << 20

// Decompress reads what Compress packs.
func Decompress(packed []byte) (*Reference, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errReference, err)
	}
	return ReadReference(io.LimitReader(r, unpacked))
}

// ReadReference takes the reference of a report in JSON.
func ReadReference(from io.Reader) (*Reference, error) {
	var r Report
	d := json.NewDecoder(from)
	if err := d.Decode(&r); err != nil {
		return nil, fmt.Errorf("%w: %w", errReference, err)
	}
	ref, named := &Reference{}, map[string]bool{}
	for _, f := range r.Fields {
		if f.Reference == nil {
			continue
		}
		if s := f.Reference; !s.valid() || named[f.Name] || len(f.Name) > maxName || len(ref.Fields) == MaxFields ||
			ref.Events > 0 && s.Events != ref.Events {
			return nil, fmt.Errorf("%w: the field %q is not what a profile has", errReference, f.Name)
		}
		named[f.Name] = true
		ref.Events = f.Reference.Events
		ref.Fields = append(ref.Fields, NamedSummary{f.Name, f.Reference})
	}
	if len(ref.Fields) == 0 {
		return nil, fmt.Errorf("%w: it has no field with a reference", errReference)
	}
	return ref, nil
}

// valid reports whether a summary that was read may be a reference.
func (s *Summary) valid() bool {
	for _, n := range append([]int{s.Events - 1, s.Nulls, s.Numbers, s.Words, s.Booleans, s.Distinct, s.others()},
		s.Bins...) {
		if n < 0 || n > math.MaxInt32 {
			return false
		}
	}
	n := 0
	for _, w := range s.Top {
		if w.Count < 0 {
			return false
		}
	}
	for _, x := range s.Bins {
		n += x
	}
	return s.Present >= 0 && s.Present <= s.Events && n == s.Numbers && len(s.Bounds) <= bins &&
		len(s.Top) <= topWords && slices.IsSorted(s.Bounds) && (len(s.Bins) == 0 || len(s.Bins) == len(s.Bounds)+1) &&
		(len(s.Seen) == 0 || len(s.Seen) == bitmapSize)
}
