package decode
import ("testing";"fmt";"encoding/binary";"math";"math/bits")
func numB(b []byte, i int) (v float64, next int) {
	start, minus := i, 0
	if i < len(b) && b[i] == '-' { minus = 1 }
	i += minus
	first := i
	var m uint64
	for i < len(b) && b[i]-'0' <= 9 { m = m*10 + uint64(b[i]-'0'); i++ }
	count := i - first
	if count == 0 || count > 1 && b[first] == '0' { return 0, -1 }
	exp := 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for i+8 <= len(b) {
			x := binary.LittleEndian.Uint64(b[i:]) ^ 0x3030303030303030
			n := uint(bits.TrailingZeros64((x+0x0606060606060606|x)&0xf0f0f0f0f0f0f0f0)) &^ 7
			m = m*wholePowers[n>>3] + eight(x << (64-n))
			i += int(n>>3)
			if n < 64 { goto done }
		}
		for i < len(b) && b[i]-'0' <= 9 { m = m*10 + uint64(b[i]-'0'); i++ }
	done:
		if i == point { return 0, -1 }
		exp = point - i
		count -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' { return number(b, start) }
	if count <= 19 && m < 1<<53 && exp <= 0 && exp >= -22 {
		v = float64(int64(m)) / powers[-exp]
		return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
	}
	return convert(m, count, exp, b[start:i]), i
}
func numC(b []byte, i int) (v float64, next int) {
	start, minus := i, 0
	if i < len(b) && b[i] == '-' { minus = 1 }
	i += minus
	first := i
	var m uint64
	for i < len(b) && b[i]-'0' <= 9 { m = m*10 + uint64(b[i]-'0'); i++ }
	count := i - first
	if count == 0 || count > 1 && b[first] == '0' { return 0, -1 }
	exp := 0
	if i < len(b) && b[i] == '.' {
		i++
		point := i
		for i < len(b) && b[i]-'0' <= 9 { m = m*10 + uint64(b[i]-'0'); i++ }
		if i == point { return 0, -1 }
		exp = point - i
		count -= exp
	}
	if i < len(b) && b[i]|0x20 == 'e' { return number(b, start) }
	if count <= 19 && m < 1<<53 && exp <= 0 && exp >= -22 {
		v = float64(int64(m)) / powers[-exp]
		return math.Float64frombits(math.Float64bits(v) | uint64(minus)<<63), i
	}
	return convert(m, count, exp, b[start:i]), i
}
func TestNum(t *testing.T) {
	for _, verb := range []string{"%.6f", "%.17g", "%.3g"} {
	ev := []byte(benchEvent(JSON, verb))
	var at []int
	for i := range ev { if ev[i]==':' && (ev[i+1]=='-'||ev[i+1]=='0') { at = append(at, i+1) } }
	for name, f := range map[string]func([]byte,int)(float64,int){"A":number,"B":numB,"C":numC} {
		fmt.Printf("%s %s %.1f\n", verb, name, best(20, func(){ for _, i := range at { f(ev, i) } })/float64(len(at)))
	}}
}
