package schema_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"rosenblatt/stream/schema"
)

func entry(id uint32, text string) schema.Entry {
	return schema.Entry{ID: schema.ID{Number: id}, Schema: &schema.Schema{Type: schema.Avro, Text: text,
		References: []schema.Reference{{Name: "n", Subject: "s", Version: 2, Text: "é\n" + text}}}}
}

// TestKnownSchemas: what is known is saved before it is found, ids of one schema share it, and there is a limit.
func TestKnownSchemas(t *testing.T) {
	var saved []schema.Entry
	k := &schema.Known{Limit: 2}
	k.Save = func(entries []schema.Entry) error {
		for _, e := range entries {
			if k.Newest(e.ID) != nil {
				t.Errorf("%v is found before it is saved", e.ID)
			}
		}
		saved = append(saved, entries...)
		return nil
	}
	if k.Newest(schema.ID{}) != nil || k.Add(nil) != nil {
		t.Error("something is known")
	}
	if err := k.Add([]schema.Entry{entry(1, "a"), entry(2, "b"), entry(1, "c")}); err != nil {
		t.Fatal(err)
	}
	if err := k.Add([]schema.Entry{entry(3, "a"), entry(1, "a"), entry(2, "x")}); err != nil {
		t.Fatal(err)
	}
	a, b := k.Newest(schema.ID{Number: 1}), k.Newest(schema.ID{Number: 2})
	if a.Text != "a" || b.Text != "b" || k.Newest(schema.ID{Number: 3}) != a || k.Size() != 2 || len(saved) != 3 ||
		k.Newest(schema.ID{HasGUID: true}) != nil || !reflect.DeepEqual(k.Entries(), saved) {
		t.Errorf("%v, %v, %+v", a, b, saved)
	}
	if err := k.Add([]schema.Entry{entry(4, "d")}); !errors.Is(err, schema.ErrTooMany) || len(saved) != 3 ||
		k.Newest(schema.ID{Number: 4}) != nil {
		t.Errorf("%v", err)
	}
	k.Limit, k.Save = 0, func([]schema.Entry) error { return errors.New("no room") }
	if err := k.Add([]schema.Entry{entry(4, "d")}); err == nil || k.Newest(schema.ID{Number: 4}) != nil {
		t.Errorf("%v", err)
	}
	k.Save = nil
	long := &schema.Schema{Type: schema.Avro, Text: strings.Repeat("x", 64<<20)}
	if err := k.Add([]schema.Entry{{ID: schema.ID{Number: 9}, Schema: long}}); !errors.Is(err, schema.ErrTooMany) {
		t.Errorf("%v", err)
	}
}

// TestChangedSchemas: each text of an id is that of the records from its place on, whatever the order of entries; what
// is not in a topic has the newest. A place is lowered where other records are in the topic.
func TestChangedSchemas(t *testing.T) {
	var saved []schema.Entry
	k := &schema.Known{Save: func(all []schema.Entry) error { saved = append(saved, all...); return nil }}
	if err := k.Add([]schema.Entry{entry(1, "a"), entry(2, "b")}); err != nil {
		t.Fatal(err)
	}
	for i, text := range []string{"c", "d"} {
		at := int64(10 * (i + 1))
		from := schema.From{Epoch: int64(i + 2), Positions: []int64{at, 5}, Labels: []int64{at + 1}}
		if err := k.Change([]schema.Entry{entry(1, text)}, from); err != nil {
			t.Fatal(err)
		}
	}
	again := &schema.Known{}
	if err := again.Load([]schema.Entry{saved[3], saved[1], saved[2], saved[0]}); err != nil {
		t.Fatal(err)
	}
	in := func(labels bool, partition int32, offset int64) schema.Place {
		return schema.Place{Read: true, Labels: labels, Partition: partition, Offset: offset}
	}
	check := func(k *schema.Known, at schema.Place, want string) {
		t.Helper()
		if got := k.Lookup(schema.ID{Number: 1}, at); got == nil || got.Text != want {
			t.Errorf("%+v: %+v, want %s", at, got, want)
		}
	}
	for _, k := range []*schema.Known{k, again} {
		check(k, schema.Place{}, "d")
		check(k, in(false, 0, 9), "a")
		check(k, in(false, 0, 10), "c")
		check(k, in(false, 0, 19), "c")
		check(k, in(false, 0, 20), "d")
		check(k, in(false, 1, 4), "a")
		check(k, in(false, 1, 5), "d")
		check(k, in(false, 2, 0), "d") // added since
		check(k, in(true, 0, 10), "a")
		check(k, in(true, 0, 11), "c")
		if k.Lookup(schema.ID{Number: 2}, in(false, 0, 30)).Text != "b" || len(k.Latest()) != 2 {
			t.Error("another id")
		}
		if !k.ChangedSince(in(false, 0, 20), 2) || k.ChangedSince(in(false, 0, 19), 2) ||
			k.ChangedSince(in(false, 0, 20), 3) || k.ChangedSince(in(true, 0, 20), 2) {
			t.Error("changed since")
		}
	}
	n := len(saved)
	if err := k.Lower([]int64{15, math.MaxInt64}, []int64{math.MaxInt64}); err != nil || len(saved) != n+1 {
		t.Fatalf("%v, %+v", err, saved[n:])
	}
	check(k, in(false, 0, 14), "c")
	check(k, in(false, 0, 15), "d")
	check(k, in(true, 0, 20), "c")
	if err := again.Reset(saved[:1], func([]schema.Entry) error { return nil }); err != nil || again.Size() != 1 {
		t.Errorf("%v, %d", err, again.Size())
	}
	check(again, in(false, 0, 30), "a")
}

func opened(t *testing.T, dir string) *schema.File {
	t.Helper()
	f, err := schema.OpenFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSchemaFile: what is appended is there when it is opened again.
func TestSchemaFile(t *testing.T) {
	dir := t.TempDir()
	var want []schema.Entry
	guid := entry(0, "guid")
	guid.ID, _ = schema.ParseID(guidText)
	guid.Schema.Fault = "why"
	for i, batch := range [][]schema.Entry{{entry(1, "a")}, {entry(2, "b"), guid}, {entry(3, "c")}} {
		f := opened(t, dir)
		if i == 2 {
			if err := f.Append([]schema.Entry{entry(7, "same opening")}); err != nil {
				t.Fatal(err)
			}
			want = append(want, entry(7, "same opening"))
		}
		if err := f.Append(batch); err != nil {
			t.Fatal(err)
		}
		want = append(want, batch...)
		if got := opened(t, dir).Entries(); !reflect.DeepEqual(got, want) || !reflect.DeepEqual(f.Entries(), want) {
			t.Fatalf("%+v", got)
		}
	}
	if names, _ := os.ReadDir(dir); len(names) != 1 {
		t.Errorf("%v", names)
	}
}

// TestTornSchemas: wherever an append breaks off, what was appended before is there, and the next append goes on.
func TestTornSchemas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, schema.FileName)
	f := opened(t, dir)
	if err := errors.Join(f.Append([]schema.Entry{entry(1, "a"), entry(2, "b")})); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	if err := f.Append([]schema.Entry{entry(3, "c"), entry(4, "d")}); err != nil {
		t.Fatal(err)
	}
	after, _ := os.ReadFile(path)
	for n := range len(after) {
		if err := os.WriteFile(path, after[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		f := opened(t, dir)
		if got := len(f.Entries()); n >= len(before) && got < 2 || n == len(after) && got != 4 {
			t.Fatalf("%d bytes: %d entries", n, got)
		}
		if err := f.Append([]schema.Entry{entry(5, "e")}); err != nil {
			t.Fatal(err)
		}
		again := opened(t, dir).Entries()
		if got := f.Entries(); !reflect.DeepEqual(again, got) || again[len(again)-1].ID.Number != 5 {
			t.Fatalf("%d bytes: %+v, then %+v", n, got, again)
		}
	}
	zeros := append(bytes.Clone(before), make([]byte, 500)...) // blocks that were not written
	if err := os.WriteFile(path, zeros, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := opened(t, dir).Entries(); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestDamagedSchemas: a flipped bit is found, except in the last entry, which is as if it had never been written.
func TestDamagedSchemas(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, schema.FileName)
	if err := opened(t, dir).Append([]schema.Entry{entry(1, "a"), entry(2, "b"), entry(3, "c")}); err != nil {
		t.Fatal(err)
	}
	sound, _ := os.ReadFile(path)
	last := bytes.LastIndexByte(sound[:len(sound)-1], '\n')
	for at := range sound {
		for bit := range 8 {
			damaged := bytes.Clone(sound)
			damaged[at] ^= 1 << bit
			if err := os.WriteFile(path, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := schema.OpenFile(dir)
			if at < last {
				var invalid *schema.Invalid
				if !errors.As(err, &invalid) || invalid.Line < 1 {
					t.Fatalf("byte %d, bit %d: %v", at, bit, err)
				}
			} else if err != nil || len(f.Entries()) > 2 && at > last || len(f.Entries()) < 1 {
				t.Fatalf("byte %d, bit %d: %v, %+v", at, bit, err, f.Entries())
			}
		}
	}
	if err := os.WriteFile(path, []byte("rosenblatt schemas 3\nwhat\never\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := schema.OpenFile(dir); err == nil || !strings.Contains(err.Error(), `of version "3"`) {
		t.Errorf("%v", err)
	}
}

// TestFailedAppend: after an append that failed, the next one does not rely on what it left.
func TestFailedAppend(t *testing.T) {
	dir := t.TempDir()
	f := opened(t, dir)
	if err := f.Append([]schema.Entry{entry(1, "a")}); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(dir, dir+"x"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := f.Append([]schema.Entry{entry(2, "b")}); err == nil {
			t.Fatal("a folder that is gone")
		}
	}
	if err := os.Rename(dir+"x", dir); err != nil {
		t.Fatal(err)
	}
	raw, _ := os.ReadFile(f.Path)
	if err := os.WriteFile(f.Path, append(raw, "half of a line"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.Append([]schema.Entry{entry(2, "b")}); err != nil {
		t.Fatal(err)
	}
	if got := opened(t, dir).Entries(); len(got) != 2 || len(f.Entries()) != 2 {
		t.Errorf("%+v", got)
	}
}

func FuzzLine(f *testing.F) {
	for i := range uint32(3) {
		line, err := entry(i, fmt.Sprint(i)).AppendLine(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := schema.ParseLine(line)
		if err != nil {
			return
		}
		again, err := e.AppendLine(nil)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := schema.ParseLine(again); err != nil || !reflect.DeepEqual(back, e) {
			t.Fatalf("%s: %+v, %v", again, back, err)
		}
	})
}
