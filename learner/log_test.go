package learner

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"rosenblatt/learner/internal/exact"
)

func TestLog(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	xs := []float64{1, 2, 0.5, math.E, math.Sqrt2, math.Sqrt2 / 2, math.Nextafter(1, 0), math.Nextafter(1, 2), 1e-15,
		1 - 1e-15, 1e300,
		math.MaxFloat64, 0x1p-1022}
	for range 200_000 {
		xs = append(xs, r.Float64(), 1-r.Float64()/100, 3*r.Float64(), math.Exp(1400*r.Float64()-700))
	}
	worst := int64(0)
	for _, x := range xs {
		if x == 0 {
			continue
		}
		got, want := exact.Log(x), math.Log(x)
		d := ulps(math.Abs(got), math.Abs(want))
		if worst = max(worst, d); d > 2 || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("exact.Log(%v) = %v, math.Log has %v", x, got, want)
		}
	}
	if got := exact.Log(math.SmallestNonzeroFloat64); got != -744.4400719213812 { // math.Log has -709.09, on amd64
		t.Errorf("exact.Log of the smallest number is %v", got)
	}
	t.Logf("%d units apart at most", worst)
}

// TestLogIsRight compares with 2·artanh((x-1)/(x+1)), summed in 200 bits: math.Log has an error too.
func TestLogIsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		x := 0.1 + 3*r.Float64()
		one, big200 := big.NewFloat(1).SetPrec(200), new(big.Float).SetPrec(200).SetFloat64(x)
		s := new(big.Float).SetPrec(200).Quo(new(big.Float).Sub(big200, one), new(big.Float).Add(big200, one))
		square, power, sum := new(big.Float).Mul(s, s), new(big.Float).Copy(s), new(big.Float).SetPrec(200)
		for k := int64(1); k < 900; k += 2 {
			sum.Add(sum, new(big.Float).Quo(power, new(big.Float).SetInt64(k)))
			power.Mul(power, square)
		}
		want, _ := sum.Mul(sum, big.NewFloat(2)).Float64()
		if got := exact.Log(x); ulps(math.Abs(got), math.Abs(want)) > 1 {
			t.Fatalf("exact.Log(%v) = %v, want %v", x, got, want)
		}
	}
}

// TestTableLog compares with exact.Log, which is within a unit in the last place.
func TestTableLog(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	xs := []float64{1, 2, 0.5, math.Nextafter(1, 0), math.Nextafter(1, 2), 1e-15, 1 - 1e-15, math.MaxFloat64, 0x1p-1022,
		math.Sqrt2, math.Nextafter(math.Sqrt2, 2)}
	for i := range 1_000_000 {
		xs = append(xs, float64(i+1)/1_000_000)
	}
	for i := range 257 { // where the places of the table meet
		x := 1 + float64(i)/256
		xs = append(xs, x, math.Nextafter(x, 0), math.Nextafter(x, 3), x/2, math.Nextafter(x/2, 0))
	}
	for range 100_000 {
		xs = append(xs, math.Exp(1400*r.Float64()-700), 1+math.Ldexp(r.Float64()-0.5, -r.IntN(40)))
	}
	worst := int64(0)
	for _, x := range xs {
		got, want := exact.TableLog(x), exact.Log(x)
		d := ulps(math.Abs(got), math.Abs(want))
		if worst = max(worst, d); d > 2 || math.Signbit(got) != math.Signbit(want) {
			t.Fatalf("exact.TableLog(%v) = %v, exact.Log has %v", x, got, want)
		}
	}
	t.Logf("%d units apart at most", worst)
}

func BenchmarkLog(b *testing.B) {
	for name, log := range map[string]func(float64) float64{"series": exact.Log, "table": exact.TableLog} {
		b.Run(name, func(b *testing.B) {
			sum, x := 0.0, 0.0
			for b.Loop() {
				if x += 0.000123; x > 1 {
					x -= 0.99995
				}
				sum += log(x)
			}
			_ = sum
		})
	}
}
