package decode
import ("testing";"time";"fmt";"encoding/json";"strings")
func best(n int, f func()) float64 { m := 1e18; for s:=0;s<1500;s++ { t:=time.Now(); for i:=0;i<n;i++ {f()}; if v := float64(time.Since(t).Nanoseconds())/float64(n); v<m {m=v} }; return m }
func TestSpeed(t *testing.T) {
	run := func(name string, o Options, ev string) {
		d := decoder(t, o); v := []byte(ev); var e Example; arena := d.Decode(nil, v, nil, &e)
		fmt.Printf("%s %d bytes %d features: %.0f ns\n", name, len(v), len(arena), best(50, func(){ arena = d.Decode(nil, v, arena[:0], &e) }))
	}
	for _, f := range []string{JSON, LIBSVM, VW, CSV} { run(f+" 6", benchOptions(f), benchEvent(f, "%.6f")); run(f+" 17", benchOptions(f), benchEvent(f, "%.17g")) }
	run("flat", Defaults(JSON), strings.ReplaceAll(strings.ReplaceAll(benchEvent(JSON, "%.6f"), `"features":{`, ""), "}}", "}"))
	v := []byte(benchEvent(JSON, "%.6f"))
	fmt.Printf("std %.0f\n", best(5, func() { var e struct {ID string; Label int; Features map[string]float64}; json.Unmarshal(v, &e) }))
	n := []byte(`-0.123456,"f10":0.234512`); fmt.Printf("number %.1f\n", best(500, func(){ number(n,0) }))
	n2 := []byte(`-0.12345678901234567,"f10":0.234512`); fmt.Printf("number17 %.1f\n", best(500, func(){ number(n2,0) }))
}
