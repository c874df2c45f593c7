package learner

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"
)

func TestNamesAreBounded(t *testing.T) {
	m, err := New(Spec{Bits: 6, MaxNames: 3})
	if err != nil {
		t.Fatal(err)
	}
	for slot := range uint32(10) {
		x := []Feature{{Slot: slot, Print: 7, Value: 1}}
		if _, err := m.Predict(x); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare(-1, 1); err != nil {
			t.Fatal(err)
		}
		if fresh := m.Learn(); fresh != (slot < 3) {
			t.Errorf("slot %d: fresh %v", slot, fresh)
		}
		m.SetName(slot, 7, []byte("name"))
	}
	if m.State().Names != 3 {
		t.Errorf("%d names, want 3", m.State().Names)
	}
	if got := m.Names([]uint32{2, 3}); got[0] != "name" || got[1] != "#3" {
		t.Error(got)
	}
	saveAndLoad(t, m)
}

func TestFreshUntilNamed(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 4)
	learn := func(slot uint32, print uint16) bool {
		if _, err := m.Predict([]Feature{{Slot: slot, Print: print, Value: 1}}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Prepare(1, 1); err != nil {
			t.Fatal(err)
		}
		return m.Learn()
	}
	for range 2 {
		if !learn(1, 5) {
			t.Error("a slot without a name is fresh, however often it is met")
		}
	}
	if learn(1, 6) {
		t.Error("another print's name would not be kept")
	}
	m.SetName(1, 6, []byte("other"))
	m.SetName(2, 5, []byte("never met"))
	m.SetName(2, 0, []byte("no print"))
	if m.State().Names != 0 {
		t.Error("a name was kept that is not the slot's")
	}
	m.SetName(1, 5, []byte("first"))
	m.SetName(1, 5, []byte("second"))
	if learn(1, 5) || m.Names([]uint32{1})[0] != "first" {
		t.Error("the first name stays")
	}
}

func TestLongNamesAreCut(t *testing.T) {
	for _, name := range []string{strings.Repeat("a", 300), strings.Repeat("é", 200), "a" + strings.Repeat("é", 200),
		strings.Repeat("日", 100), "a" + strings.Repeat("日", 100), "ab" + strings.Repeat("😀", 99),
		strings.Repeat("\x80", 300)} {
		cut := CutName([]byte(name))
		if len(cut) > MaxNameBytes || len(cut) < MaxNameBytes-3 || !strings.HasPrefix(name, string(cut)) {
			t.Errorf("%q was cut to %q", name, cut)
		}
		if utf8.ValidString(name) && !utf8.Valid(cut) {
			t.Errorf("%q was cut within a rune: %q", name, cut)
		}
	}
	if got := CutName([]byte("short")); string(got) != "short" {
		t.Error(got)
	}
}

func entry(slot uint32, length uint16, name string) []byte {
	b := binary.LittleEndian.AppendUint32(nil, slot)
	b = binary.LittleEndian.AppendUint16(b, length)
	return append(b, name...)
}

func TestHostileNames(t *testing.T) {
	prints := []uint16{1, 0, 2 | shared, 3}
	good := append(entry(3, 1, "a"), entry(0, 0, "")...)
	var table nameTable
	if err := table.load(good, prints); err != nil || table.count != 2 || !table.has(3) || table.has(2) {
		t.Fatal(table, err)
	}
	for what, text := range map[string][]byte{
		"slot beyond the table": entry(4, 1, "a"),
		"largest slot":          entry(1<<32-1, 1, "a"),
		"slot never met":        entry(1, 1, "a"),
		"named twice":           append(entry(3, 1, "a"), entry(3, 1, "b")...),
		"cut":                   good[:len(good)-1],
		"longer than the rest":  entry(3, 2, "a"),
		"longer than allowed":   entry(3, 257, strings.Repeat("a", 257)),
		"a byte too many":       append(bytes.Clone(good), 0),
	} {
		if err := table.load(text, prints); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	if table.count != 2 {
		t.Error("a refused table changed the one there was")
	}
}

// FuzzNames loads anything as a table: it is refused, or it reads back as it is and its names can be listed.
func FuzzNames(f *testing.F) {
	f.Add(entry(3, 1, "a"))
	f.Add(append(entry(3, 1, "a"), entry(0, 2, "bc")...))
	f.Add(append(entry(2, 256, strings.Repeat("x", 256)), 1, 2, 3))
	prints := []uint16{1, 0, 2 | shared, 3}
	f.Fuzz(func(t *testing.T, text []byte) {
		var table nameTable
		if table.load(text, prints) != nil {
			return
		}
		n, size := 0, 0
		table.each(func(slot uint32, name []byte) bool {
			n, size = n+1, size+entryHead+len(name)
			return table.has(slot)
		})
		if !bytes.Equal(table.text, text) || n != table.count || size != len(text) || n > 3 {
			t.Errorf("%d of %d names, %d of %d bytes", n, table.count, size, len(text))
		}
	})
}

// TestNamesAreSharedSafely reads a copy's names while the model adds names: run with -race, it shows that the two
// never meet in memory. The copy then grows too, away from the model's.
func TestNamesAreSharedSafely(t *testing.T) {
	m := newModel(t, "perceptron", ScaleNone, 12)
	name := func(m *Model, from, to uint32, name string) {
		for slot := from; slot < to; slot++ {
			if err := m.SetWeight(slot, 1, []byte(name), 1); err != nil {
				t.Error(err)
			}
		}
	}
	name(m, 0, 1000, "before")
	var dst Model
	m.CopyTo(&dst)
	var wait sync.WaitGroup
	wait.Go(func() {
		for _, top := range dst.Top(2000) {
			if top.Name != "before" {
				t.Errorf("slot %d is %q", top.Slot, top.Name)
			}
		}
		name(&dst, 1000, 1500, "copy")
	})
	name(m, 1000, 2000, "after")
	wait.Wait()
	for slot := range uint32(500) {
		slot += 1000
		if a, b := m.Names([]uint32{slot})[0], dst.Names([]uint32{slot})[0]; a != "after" || b != "copy" {
			t.Fatalf("slot %d is %q and in the copy %q", slot, a, b)
		}
	}
}

// TestCopiesNameTheirOwn has a model and its copy add a name each, right after the copy was made.
func TestCopiesNameTheirOwn(t *testing.T) {
	m, dst := newModel(t, "perceptron", ScaleNone, 8), new(Model)
	for slot := range uint32(200) {
		m.CopyTo(dst)
		for _, row := range []struct {
			m    *Model
			name string
		}{{m, "model"}, {dst, "copy"}} {
			if err := row.m.SetWeight(slot, 1, []byte(row.name), 1); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := m.Names([]uint32{slot})[0], dst.Names([]uint32{slot})[0]; a != "model" || b != "copy" {
			t.Fatalf("slot %d is %q and in the copy %q", slot, a, b)
		}
	}
}
