package web

import (
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
)

func (s *Server) metrics() http.Handler {
	r := processMetrics()
	r.MustRegister(s.collector())
	return metricsHandler(r)
}

func processMetrics() *prometheus.Registry {
	r := prometheus.NewRegistry()
	r.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return r
}

func metricsHandler(g prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(g, promhttp.HandlerOpts{MaxRequestsInFlight: 4, Timeout: 10 * time.Second})
}

func (s *Server) collector() prometheus.Collector { return &collector{s} }

// collector reads the status on each scrape. Counts of the model continue after a restart. They are left out until the
// first recovery is complete: a 0 would be taken for a reset.
type collector struct{ s *Server }

type metric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
}

var allMetrics []metric // the constructors add to it

func newMetric(kind prometheus.ValueType, name, help string, labels []string) metric {
	m := metric{prometheus.NewDesc("rosenblatt_"+name, help, labels, nil), kind}
	allMetrics = append(allMetrics, m)
	return m
}

func counter(name, help string, labels ...string) metric {
	return newMetric(prometheus.CounterValue, name, help, labels)
}

func gauge(name, help string, labels ...string) metric {
	return newMetric(prometheus.GaugeValue, name, help, labels)
}

// histogram names a histogram. The kind of metric is not used: see gather.histogram.
func histogram(name, help string) metric { return gauge(name, help) }

// Describe sends all names.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, m := range allMetrics {
		out <- m.desc
	}
}

// Collect sends the values of one status of the task.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	v := c.s.look()
	g := gather{out}
	g.send(buildInfo, 1, c.s.Version, runtime.Version())
	c.process(g, v)
	if !known(v.Status) {
		return
	}
	g.send(modelInfo, 1, v.Model, v.Learner)
	counts(g, v.Status)
	figures(g, v.Status)
	labelMetrics(g, v)
	driftMetrics(g, v.Status)
	fieldMetrics(g, v)
	schemaMetrics(g, v.Status)
	learnerMetrics(g, v.Status)
	for _, p := range v.Partitions {
		name := strconv.Itoa(int(p.Partition))
		g.send(position, float64(p.Position), name)
		if v.lagKnown {
			g.send(endOffset, float64(p.End), name)
			g.send(lagRecords, float64(p.Lag()), name)
			g.send(stableLag, float64(p.StableLag), name)
		}
	}
}

func (c *collector) process(g gather, v *view) {
	for _, state := range []string{board.Recovering, board.Following, board.Idle, board.Live, board.Stopping,
		board.Stopped} {
		g.send(stateMetric, truth(v.State == state), v.Model, state)
	}
	if v.Stop != nil {
		g.send(stopped, 1, v.Model, v.Stop.Name)
	}
	g.send(followingBehind, v.behind().Seconds())
	if v.Shared != nil {
		for c, n := range v.Takeovers {
			g.send(takeovers, float64(n), board.Cause(c).String())
		}
		g.send(suspicions, float64(v.Shared.Suspicions.Alive), "alive")
		g.send(suspicions, float64(v.Shared.Suspicions.Replaced), "replaced")
	}
	g.send(ready, truth(len(v.reasons) == 0))
	outage := 0.0
	if v.trouble != "" {
		outage = max(0, v.now.Sub(v.troubleSince).Seconds())
	}
	g.send(brokerTrouble, outage)
	for _, x := range v.throttles {
		g.send(throttleSeconds, x.Total.Seconds(), x.Broker, x.Request)
	}
	g.send(acknowledged, float64(v.Acknowledged))
	g.send(rejectedInRow, float64(v.Rejects.InRow))
	without := 0.0
	if since := v.seen.unlabelledSince; !since.IsZero() && v.seen.unlabelled >= unlabelledMost {
		without = max(0, v.now.Sub(since).Seconds())
	}
	g.send(unlabelledSeconds, without)
	g.send(commitFailures, float64(v.CommitFails))
	g.send(checkpoints, float64(v.Checkpoints))
	g.send(checkpointFailures, float64(v.SaveErrors))
	if !v.Saved.At.IsZero() {
		g.send(checkpointAge, max(0, v.now.Sub(v.Saved.At).Seconds()))
		g.send(checkpointBytes, float64(v.Saved.Bytes))
		g.send(checkpointDuration, v.Saved.Duration.Seconds())
		g.send(checkpointSeq, float64(v.Saved.Seq))
	}
	if topic := v.Saved.Topic; topic != nil {
		g.send(checkpointTopicBytes, float64(topic.Bytes))
		g.send(checkpointTopicSent, float64(topic.Sent))
	}
	if v.Timings != nil {
		g.histogram(latency, v.Timings.Latency)
		g.histogram(processing, v.Timings.Processing)
		g.histogram(batchSize, v.Timings.Batch)
		g.histogram(fetchTime, v.Timings.Fetch)
		g.histogram(saveTime, v.Timings.Save)
	}
	g.send(recovered, float64(v.Recovered.Predictions))
	if v.Recovered.Total > 0 {
		g.send(recoveryRatio, float64(v.Recovered.Done)/float64(v.Recovered.Total))
	}
}

func counts(g gather, st *board.Status) {
	g.send(seq, float64(st.Seq))
	g.send(epoch, float64(st.Epoch))
	g.send(predictions, float64(st.Counts.Predictions))
	g.send(untrained, float64(st.Counts.Untrained))
	g.send(examples, float64(st.Score.Examples))
	g.send(mistakes, float64(st.Score.Mistakes))
	g.send(updates, float64(st.Score.Updates))
	g.send(records, float64(st.Counts.Read))
	g.send(tombstones, float64(st.Counts.Tombstones))
	g.send(acceptedStops, float64(len(st.Accepted)))
	for _, r := range event.Reasons() {
		g.send(rejected, float64(st.Counts.Rejected[r.String()]), r.String())
	}
}

func figures(g gather, st *board.Status) {
	score := &st.Score
	for _, scope := range metrics.Scopes {
		for i, c := range metrics.Columns {
			//mutation:figures-that-are-absent
			if x, known := c.Of(scope.Of(&score.Row)).Get(); known && c.Kind != metrics.Count {
				g.send(figureMetrics[i], x, scope.Name)
			}
		}
		for i := range score.Baselines {
			b := &score.Baselines[i]
			if x, known := scope.Of(b).Accuracy.Get(); known {
				g.send(baseline, x, b.Name, scope.Name)
			}
		}
	}
	if st.Classes != nil {
		g.send(classes, float64(len(st.Classes)))
		classFigures(g, st)
		return // the others are for two labels
	}
	g.send(classes, 2)
	g.decisions(decisions, &score.Confusion)
	decisionMetrics(g, st.Decision, &score.Row)
	if st.Decision != nil {
		//mutation:alerts-alone-metric
		g.send(alertsAlone, truth(ofAlerts(st)))
		g.send(noPositives, truth(withoutPositives(st)))
	}
	for i := range st.Slices {
		g.decisions(sliceDecisions, &st.Slices[i].Confusion, st.Slices[i].Field, st.Slices[i].Value)
	}
}

// decisions sends four counts, by label and prediction.
func (g gather) decisions(m metric, c *metrics.Confusion, labels ...string) {
	for _, x := range []struct {
		n                 float64
		label, prediction string
	}{{c.TruePositive, "positive", "positive"}, {c.FalsePositive, "negative", "positive"},
		{c.FalseNegative, "positive", "negative"}, {c.TrueNegative, "negative", "negative"}} {
		g.send(m, x.n, append(slices.Clone(labels), x.label, x.prediction)...)
	}
}

// classFigures are of the first classes, so that the series are the same at each scrape.
func classFigures(g gather, st *board.Status) {
	for i := range min(len(st.ByClass), len(st.Classes), shownClasses) {
		for scope := range st.ByClass[i] {
			window, f := metrics.Scopes[scope].Name, st.ByClass[i][scope].Figures()
			g.send(classExamples, f.Support, st.Classes[i], window)
			for _, of := range []struct {
				metric
				metrics.Optional
			}{{classPrecision, f.Precision}, {classRecall, f.Recall}, {classF1, f.F1}} {
				if x, known := of.Get(); known {
					g.send(of.metric, x, st.Classes[i], window)
				}
			}
		}
	}
}

type gather struct{ out chan<- prometheus.Metric }

// send sends one value. Labels may hold any bytes; Prometheus accepts UTF-8 only.
func (g gather) send(m metric, v float64, labels ...string) {
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "\ufffd")
	}
	g.out <- prometheus.MustNewConstMetric(m.desc, m.kind, v, labels...)
}

// optional sends a value that is known.
func (g gather) optional(m metric, x metrics.Optional, labels ...string) {
	if v, known := x.Get(); known {
		g.send(m, v, labels...)
	}
}

// histogram sends h under the name of m.
func (g gather) histogram(m metric, h prometheus.Histogram) { g.out <- named{h, m.desc} }

type named struct {
	prometheus.Metric
	desc *prometheus.Desc
}

func (n named) Desc() *prometheus.Desc { return n.desc }

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
