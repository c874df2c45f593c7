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
		if c.Name == columnKept {
			for _, b := range c.Bytes {
				add(uint64(b))
			}
		}
	}
	add(math.Float64bits(m.Bias()))
	return h.Sum64()
}

// TestBits compares with constants written down once. They hold for every processor and compiler setting (try
// GOAMD64=v3, whose compiler fuses what it may, and GOARCH=386); the rates make
// every product inexact, so a fused multiply-add anywhere would show.
func TestBits(t *testing.T) {
	for _, row := range []struct {
		learner, scale string
		want           uint64
	}{
		{"perceptron:rate=0.1", ScaleNone, 0x6a1d20de0b0fabd9},
		{"perceptron:rate=0.1", ScaleStandard, 0xef1139798a34a84f},
		{"perceptron:rate=0.7,threshold=1", ScaleStandard, 0x1c3d28cd30f4ef82},
		{"perceptron:rate=0.3,update=mistake", ScaleMaxAbs, 0xc49f684bf49ba583},
		{"perceptron:rate=0.7,decay=0.01,l1=0.003,l2=0.001", ScaleStandard, 0x5e3a27feb76e419a},
		{"perceptron:positive-weight=0.3", ScaleStandard, 0xd8728f8f68e45773},
		{"averaged:rate=0.1", ScaleStandard, 0xd6a4fe9193d18718},
		{"averaged:rate=0.1,window=30", ScaleStandard, 0x54bf0788061f4039},
		{"averaged:rate=0.1,decay=0.99", ScaleNone, 0x2650a2e41ab1bf6b},
		{"pa", ScaleStandard, 0x9b757ca7b97f2545},
		{"pa1:C=0.1", ScaleNone, 0xa6306e14f44b87f1},
		{"pa2:C=0.1", ScaleMaxAbs, 0xe460e96c33d6c56e},
		{"arow:r=0.3,floor=0.01", ScaleStandard, 0xeadb9328e9f85185},
		{"dual:kernel=rbf,gamma=0.03,budget=100,update=pa1,C=0.3", ScaleStandard, 0x38c6ec8c751f730d},
		{"dual:predict=mean,rate=0.1", ScaleNone, 0x9665c24110aa1d4a},
		{"alma", ScaleNone, 0xbd1233612a073ce3},
		{"alma:alpha=0.7,C=0.3", ScaleStandard, 0x34241a65ba6545a1},
		{"logistic:rate=0.1,window=0", ScaleStandard, 0x2f49ddadc67ad95e},
		{"logistic:rate=0.3,window=0,decay=0.01,l1=0.01,l2=0.003", ScaleNone, 0x16d1f09c32f01c0d},
		{"dual:rate=0.3", ScaleStandard, 0x8557758ba27f1e61},
		{"dual:kernel=poly,degree=3,rate=0.1,budget=100", ScaleMaxAbs, 0x13e6c1b3500bb732},
		{"dual:kernel=rbf,gamma=0.03,rate=0.3,budget=100", ScaleStandard, 0xcd73f75a07a89c40},
	} {
		if got := fingerprint(t, row.learner, row.scale); got != row.want {
			t.Errorf("%s, %s: %#x, want %#x", row.learner, row.scale, got, row.want)
		}
	}
}
