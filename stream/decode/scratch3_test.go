package decode
import ("testing";"fmt";"rosenblatt/learner";"unicode/utf8")
func TestParts(t *testing.T) {
	d := decoder(t, Defaults(JSON)); var e Example
	ev := []byte(benchEvent(JSON, "%.6f"))
	arena := d.Decode(nil, ev, nil, &e)
	var names [][]byte; var hs []uint64
	d.Walk(nil, ev, func(n []byte, f learner.Feature) { names = append(names, append([]byte(nil), n...)); hs = append(hs, d.sum(n)) })
	fmt.Printf("empty decode %.1f\n", best(500, func(){ d.Decode(nil, []byte("{}x")[:2], arena[:0], &e) }))
	fmt.Printf("utf8+surr %.1f\n", best(500, func(){ utf8.Valid(ev); loneSurrogate(ev) }))
	fmt.Printf("sum %.2f\n", best(50, func(){ for _, n := range names { d.sum(n) } })/30)
	d.arena = arena[:0]; d.start = 0
	fmt.Printf("addHashed %.2f\n", best(50, func(){ d.arena = d.arena[:0]; d.seen.reset(); for i, h := range hs { d.addHashed(h, names[i], 0.5, learner.Numeric, false) } })/30)
	fmt.Printf("add %.2f\n", best(50, func(){ d.arena = d.arena[:0]; d.seen.reset(); for i := range hs { d.add(names[i], 0.5, learner.Numeric) } })/30)
	d.value = ev
	var at []int
	for i := range ev { if ev[i]=='"' && ev[i+1]=='f' && ev[i+2]<='9' { at = append(at, i) } }
	fmt.Printf("key %.2f\n", best(50, func(){ for _, i := range at { d.key(i) } })/float64(len(at)))
	fmt.Printf("plain %.2f\n", best(50, func(){ for _, i := range at { plain(ev, i+1) } })/float64(len(at)))
	var s scope = d.inner
	fmt.Printf("role %.2f %d\n", best(50, func(){ for _, n := range names { s.role(n) } })/30, len(s.names))
}
