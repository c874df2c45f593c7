package learner

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// fingerprint is a hash of a model's numbers and of every score it gave to a seeded stream.
func fingerprint(t *testing.T, learner, scale string) uint64 {
	h := fnv.New64a()
	add := func(bits uint64) {
		if _, err := h.Write(binary.LittleEndian.AppendUint64(nil, bits)); err != nil {
			t.Fatal(err)
		}
	}
	m := newModel(t, learner, scale, 8)
	for _, e := range stream(2026, 2000, 12, 8) {
		add(step(t, m, e))
	}
	for _, c := range m.Columns() {
		for _, v := range c.Float64 {
			add(math.Float64bits(v))
		}
	}
	add(math.Float64bits(m.Bias()))
	return h.Sum64()
}

// TestBits compares with constants written down once. They hold for every processor and compiler setting; the rates make
// every product inexact, so a fused multiply-add anywhere would show.
func TestBits(t *testing.T) {
	for _, row := range []struct {
		learner, scale string
		want           uint64
	}{
		{"perceptron:rate=0.1", ScaleNone, 0x6a1d20de0b0fabd9},
		{"perceptron:rate=0.1", ScaleStandard, 0x99e579160fb8bc73},
		{"perceptron:rate=0.7,threshold=1", ScaleStandard, 0x40be6f0814c806d},
		{"perceptron:rate=0.3,update=mistake", ScaleMaxAbs, 0xc49f684bf49ba583},
	} {
		if got := fingerprint(t, row.learner, row.scale); got != row.want {
			t.Errorf("%s, %s: %#x, want %#x", row.learner, row.scale, got, row.want)
		}
	}
}
