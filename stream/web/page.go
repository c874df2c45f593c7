package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream"
)

//go:embed page.html
var pageText string

//go:embed page.css
var style string

// styleSum lets exactly this style sheet through the content security policy.
var styleSum = func() string {
	sum := sha256.Sum256([]byte(style))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}()

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) }, // ours, not foreign
	"count": count, "percent": percent, "bytes": size, "span": span,
}).Parse(pageText))

// shownPartitions bounds the table of partitions. /status lists all.
const shownPartitions = 64

// pageView is what the page shows beside the view.
type pageView struct {
	*view
	Version      string
	Known        bool // there is a model to tell of
	Reasons      []string
	PerSecond    float64
	Rows         []learner.Row // the model, then the baselines
	Partitions   []stream.PartitionStatus
	Hidden       int // partitions not shown
	Rejects      []reject
	RejectsTotal int64
	Uptime       time.Duration
	CheckpointAt time.Duration // its age
	Trouble      string        // with the brokers, while it is too young to be one of the reasons
	TroubleFor   time.Duration
}

type reject struct {
	Reason string
	Count  int64
}

// page shows the status to people.
func (s *Server) page(w http.ResponseWriter, _ *http.Request) {
	v := s.look()
	p := pageView{view: v, Version: s.Version, Known: known(v.Status), Reasons: v.reasons, PerSecond: v.seen.perSecond,
		Partitions: v.Partitions, Uptime: v.now.Sub(v.Began), CheckpointAt: v.now.Sub(v.Saved.At)}
	if young := v.now.Sub(v.troubleSince); v.trouble != "" && young <= s.TroubleAfter {
		p.Trouble, p.TroubleFor = v.trouble, young
	}
	model := v.Score.Row
	model.Name = v.Learner
	p.Rows = append([]learner.Row{model}, v.Score.Baselines...)
	if len(p.Partitions) > shownPartitions {
		p.Partitions, p.Hidden = p.Partitions[:shownPartitions], len(p.Partitions)-shownPartitions
	}
	for _, reason := range slices.Sorted(maps.Keys(v.Counts.Rejected)) {
		n := v.Counts.Rejected[reason]
		p.Rejects, p.RejectsTotal = append(p.Rejects, reject{reason, n}), p.RejectsTotal+n
	}
	var buf bytes.Buffer
	if err := pageTemplate.Execute(&buf, &p); err != nil {
		http.Error(w, "the page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(buf.Bytes()) // an error means that the client is gone
}

// count writes 1234567 as 1,234,567.
func count(n int64) string {
	digits := strconv.FormatInt(n, 10)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return sign + b.String()
}

func percent(ratio float64) string { return fmt.Sprintf("%.2f%%", 100*ratio) }

// size writes bytes in the largest unit that leaves at least 1.
func size(n int64) string {
	units := [...]string{"B", "kB", "MB", "GB", "TB"}
	x, i := float64(n), 0
	for ; x >= 1000 && i < len(units)-1; i++ {
		x /= 1000
	}
	if i == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", x, units[i])
}

// span writes a duration as people say it: 12ms, 3.4s, 5m6s, 7h8m, 9d10h.
func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}
