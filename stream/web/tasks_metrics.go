package web

import (
	"cmp"
	"net/http"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// modelLabel tells the tasks' metrics apart.
const modelLabel = "model"

// taskMetrics has the metrics of all tasks, each with its model's name, and those of the process.
func (s *Server) taskMetrics() http.Handler {
	process := processMetrics()
	return metricsHandler(prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		all := prometheus.Gatherers{process}
		for _, one := range s.shown() {
			all = append(all, one.named())
		}
		return all.Gather()
	}))
}

// named gathers the metrics of the task, each with the model's name.
func (s *Server) named() prometheus.Gatherer {
	r := prometheus.NewRegistry()
	r.MustRegister(s.collector())
	return prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) {
		families, err := r.Gather()
		label, name := modelLabel, s.Task.Status().Model
		for _, f := range families {
			for _, m := range f.Metric {
				has := func(l *dto.LabelPair) bool { return l.GetName() == modelLabel }
				if !slices.ContainsFunc(m.Label, has) {
					m.Label = append(m.Label, &dto.LabelPair{Name: &label, Value: &name})
				}
				slices.SortFunc(m.Label, func(a, b *dto.LabelPair) int { return cmp.Compare(a.GetName(), b.GetName()) })
			}
		}
		return families, err
	})
}
