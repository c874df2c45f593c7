package learner

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"rosenblatt/learner/metrics"
)

// TestMultiBits compares with constants written down once, see TestBits.
func TestMultiBits(t *testing.T) {
	for _, row := range []struct {
		learner, scheme, scale string
		want                   uint64
	}{
		{"perceptron:rate=0.1", Direct, ScaleStandard, 0xef05b0b802f34521},
		{"perceptron:rate=0.7,decay=0.01,l1=0.003,l2=0.001", Direct, ScaleNone, 0x76f1d23833f56bbc},
		{"averaged:rate=0.1,window=30", Direct, ScaleStandard, 0xbf43b601ff042f6d},
		{"pa", Direct, ScaleStandard, 0xe8c0cf511015858f},
		{"pa1:C=0.1", Direct, ScaleNone, 0xb80cc182ed7a63e},
		{"pa2:C=0.1", Direct, ScaleMaxAbs, 0x5b1de3c849304271},
		{"perceptron:rate=0.1", OVA, ScaleStandard, 0x17f6dadd51c34ad3},
		{"arow:r=0.3", OVA, ScaleStandard, 0x6d4bcf7de453496a},
		{"logistic:rate=0.3,window=0,l2=0.003", OVA, ScaleNone, 0x4ce004ac1904da7a},
		{"perceptron:rate=0.1", OVO, ScaleStandard, 0xe0688694efd4ca0d},
		{"averaged:rate=0.1,decay=0.99", OVO, ScaleMaxAbs, 0xe2f56eb860078968},
		{"dual:kernel=rbf,gamma=0.03,rate=0.3,budget=100", OVO, ScaleStandard, 0x61989d8292ed1b32},
	} {
		h := fnv.New64a()
		add := func(bits uint64) {
			if _, err := h.Write(binary.LittleEndian.AppendUint64(nil, bits)); err != nil {
				t.Fatal(err)
			}
		}
		m := newMulti(t, row.learner, row.scheme, row.scale, 6)
		for _, e := range classStream(2026, 1000) {
			class, score, _ := multiStep(t, m, nil, e)
			add(uint64(class))
			add(score)
			for _, s := range m.Scores() {
				add(math.Float64bits(s))
			}
		}
		for _, c := range m.Columns() {
			for _, v := range c.Float64 {
				add(math.Float64bits(v))
			}
			for _, b := range c.Bytes {
				if !strings.HasSuffix(c.Name, columnTimes) {
					add(uint64(b))
				}
			}
		}
		for _, v := range m.State().Vectors {
			add(math.Float64bits(v.Bias))
		}
		if got := h.Sum64(); got != row.want {
			t.Errorf("%s %s, %s: %#x, want %#x", row.learner, row.scheme, row.scale, got, row.want)
		}
	}
}

// TestMultiRefusesStates: what no stream leads to ends with an error, in Begin or in Restore.
func TestMultiRefusesStates(t *testing.T) {
	for _, scheme := range []string{OVA, OVO} {
		m := newMulti(t, "dual", scheme, ScaleStandard, 6)
		for _, e := range classStream(10, 120) {
			multiStep(t, m, nil, e)
		}
		for name, change := range map[string]func(*MultiState, []Column, [][]byte) [][]byte{
			"a class twice": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Classes[1] = s.Classes[0]
				return x
			},
			"a class of no text": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Classes[1] = "\xff"
				return x
			},
			"a class less": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Classes = s.Classes[1:]
				return x
			},
			"a vector more": func(s *MultiState, _ []Column, x [][]byte) [][]byte {
				s.Vectors = append(s.Vectors, VectorState{})
				return x
			},
			"an infinite bias": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Vectors[2].Bias = math.Inf(1)
				return x
			},
			"a time below 0": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Vectors[0].Time = -1
				return x
			},
			"a clock below 0": func(s *MultiState, _ []Column,
				x [][]byte) [][]byte {
				s.Vectors[1].Clock = -1
				return x
			},
			"other names": func(s *MultiState, _ []Column, x [][]byte) [][]byte { s.Names++; return x },
			"names cut off": func(_ *MultiState, _ []Column,
				x [][]byte) [][]byte {
				x[0] = x[0][:len(x[0])-1]
				return x
			},
			"a column of bytes": func(_ *MultiState, _ []Column, x [][]byte) [][]byte { return x[1:] },
			"kept ones cut off": func(_ *MultiState, _ []Column,
				x [][]byte) [][]byte {
				x[2] = x[2][:len(x[2])-1]
				return x
			},
			"a flag and no print": func(_ *MultiState, c []Column,
				x [][]byte) [][]byte {
				c[0].Uint16[63] = shared
				return x
			},
			"a count not finite": func(_ *MultiState, c []Column,
				x [][]byte) [][]byte {
				c[1].Float64[0] = math.NaN()
				return x
			},
		} {
			if err := restoreChanged(t, m, change); err == nil {
				t.Errorf("%s: %s: accepted", scheme, name)
			}
		}
		if err := restoreChanged(t, m, func(_ *MultiState, _ []Column, x [][]byte) [][]byte { return x }); err != nil {
			t.Errorf("%s: as it was: %v", scheme, err)
		}
		if err := m.Begin(m.State()); err == nil {
			t.Errorf("%s: a trained model began anew", scheme)
		}
	}
}

// restoreChanged loads m's state after something was done to it.
func restoreChanged(t *testing.T, m *Multi, change func(*MultiState, []Column, [][]byte) [][]byte) error {
	loaded, err := NewMulti(m.Spec())
	if err != nil {
		t.Fatal(err)
	}
	state := m.State()
	columns, texts := []Column{}, [][]byte{}
	for _, c := range m.Columns() {
		c.Float64, c.Uint16 = append([]float64(nil), c.Float64...), append([]uint16(nil), c.Uint16...)
		columns = append(columns, c)
		if c.Float64 == nil && c.Uint16 == nil {
			texts = append(texts, append([]byte(nil), c.Bytes...))
		}
	}
	texts = change(&state, columns, texts)
	if err := loaded.Begin(state); err != nil {
		return err
	}
	for i, c := range loaded.Columns() {
		copy(c.Float64, columns[i].Float64)
		copy(c.Uint16, columns[i].Uint16)
	}
	return loaded.Restore(state, texts...)
}

// TestMultiRefusesWeights: each learner's own numbers are checked, the weights of each vector too.
func TestMultiRefusesWeights(t *testing.T) {
	for _, learner := range []string{"perceptron:l1=0.01", "averaged:window=30", "arow", "logistic"} {
		m := newMulti(t, learner, OVA, ScaleNone, 6)
		for _, e := range classStream(10, 120) {
			multiStep(t, m, nil, e)
		}
		for i, c := range m.Columns() {
			if c.Float64 == nil {
				continue
			}
			err := restoreChanged(t, m, func(_ *MultiState, c []Column, x [][]byte) [][]byte {
				c[i].Float64[5] = math.NaN()
				return x
			})
			if err == nil {
				t.Errorf("%s: a NaN in %s was accepted", learner, c.Name)
			}
		}
	}
}

func BenchmarkMulti(b *testing.B) {
	for _, row := range []struct{ learner, scheme string }{{"perceptron", Direct}, {"perceptron", OVA},
		{"perceptron", OVO}, {"pa1", Direct}} {
		b.Run(row.learner+"/"+row.scheme, func(b *testing.B) {
			examples := classStream(1, 1000)
			m, s := newMulti(b, row.learner, row.scheme, ScaleStandard, 6), new(metrics.Multiclass)
			for _, e := range examples {
				multiStep(b, m, s, e)
			}
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				multiStep(b, m, s, examples[i%len(examples)])
			}
		})
	}
}

func BenchmarkMultiScoreAdd(b *testing.B) {
	s := new(metrics.Multiclass)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		s.Add(i%7, i%5, i&1)
	}
}
