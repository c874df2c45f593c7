package evaluate

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// electricity writes a csv file of the kind of Elec2: eight numbers and a word for the label.
func electricity(b *testing.B, rows int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "electricity.csv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(f)
	r := rand.New(rand.NewPCG(1, 1))
	fmt.Fprintln(w, "date,day,period,nswprice,nswdemand,vicprice,vicdemand,transfer,class")
	before := 0.05
	for i := range rows {
		price := 0.05 + 0.03*r.Float64()
		class := map[bool]string{true: "UP", false: "DOWN"}[price > before+0.005*r.NormFloat64()]
		fmt.Fprintf(w, "%.6g,%d,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%s\n", float64(i)/float64(rows), i/48%7+1,
			float64(i%48)/47, price, r.Float64(), 0.003467, r.Float64(), 0.414912, class)
		before = price
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkReplay measures the whole way from a file to the scores; an iteration is an example.
func BenchmarkReplay(b *testing.B) {
	path := electricity(b, 200_000)
	for _, names := range [][]string{{"perceptron"}, {"perceptron", "pa", "averaged", "arow"}} {
		b.Run(fmt.Sprintf("learners=%d", len(names)), func(b *testing.B) {
			b.ReportAllocs()
			for done := 0; done < b.N; {
				from, err := openFiles([]string{path}, source.Options{}, nil)
				if err != nil {
					b.Fatal(err)
				}
				o := event.Defaults(event.CSV)
				o.Columns, o.LabelField, o.Positive = from.table().Columns, "class", "UP"
				var learners []replay.Learner
				for _, name := range names {
					spec := learner.Spec{Scale: learner.ScaleStandard}
					if err := learner.ParseLearner(name, &spec); err != nil {
						b.Fatal(err)
					}
					proc, err := model.NewProcessor(model.Config{Learner: spec, Decode: o})
					if err != nil {
						b.Fatal(err)
					}
					learners = append(learners, replay.Learner{Name: name, Processor: proc})
				}
				result, err := replay.Run(b.Context(), from, replay.Config{Decode: o, Learners: learners})
				if err != nil {
					b.Fatal(err)
				}
				from.close()
				done += int(result.Learners[0].Predictions)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "examples/s")
		})
	}
}
