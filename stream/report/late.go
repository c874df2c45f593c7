package report

import (
	"fmt"
	"math"
	"strings"
	"time"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/replay"
)

// lateDocument is the JSON of labels that came later.
type lateDocument struct {
	Records  int64              `json:"records"`
	Outcomes map[string]int64   `json:"outcomes"` // of examples
	Waiting  int64              `json:"waiting"`  // examples at the end
	NoID     int64              `json:"noID"`     // events with neither a label nor an id
	Repeats  int64              `json:"repeats"`
	Outside  int64              `json:"outside,omitempty"` // labels of events that were not read, or of none
	Refused  int64              `json:"refused,omitempty"` // rejected ones whose events were rejected
	Rejected map[string]int64   `json:"rejected"`          // by reason
	TooLate  []labels.LateShare `json:"tooLate,omitempty"` // labels of which many records came too late
	Delays   []delayRow         `json:"delays"`            // of labels with an outcome, by timestamps
	Delay    float64            `json:"meanDelaySeconds"`
}

// delayRow counts the labels that came up to so much later than their events, beyond those of the row before.
type delayRow struct {
	UpTo   *float64 `json:"upToSeconds"` // null in the last row
	Labels int64    `json:"labels"`
}

func lateDocumentOf(j *replay.Joined) *lateDocument {
	if j == nil {
		return nil
	}
	d := &lateDocument{Records: j.Records, Outcomes: map[string]int64{}, Waiting: j.Waiting, NoID: j.NoID,
		Repeats: j.Repeats, Outside: j.Outside, Refused: j.Refused,
		TooLate: j.TooLate, Rejected: named(j.Rejected), Delay: meanDelay(&j.Delays).Seconds()}
	for _, o := range labels.Outcomes() {
		d.Outcomes[o.String()] = j.Outcomes[o]
	}
	bounds := labels.DelayBounds()
	for i, n := range j.Delays.Counts {
		row := delayRow{Labels: n}
		if i < len(bounds) {
			seconds := bounds[i].Seconds()
			row.UpTo = &seconds
		}
		d.Delays = append(d.Delays, row)
	}
	return d
}

func meanDelay(d *labels.Delays) time.Duration {
	return time.Duration(d.Sum/max(d.Labels(), 1)) * time.Millisecond
}

// lateNotes are the lines about labels that came later below the table.
func lateNotes(j *replay.Joined) string {
	var b strings.Builder
	fmt.Fprintf(&b, "label records %d; examples: %s", j.Records, outcomes(j))
	if j.Waiting > 0 {
		fmt.Fprintf(&b, ", waiting at the end %d", j.Waiting)
	}
	if j.NoID > 0 {
		fmt.Fprintf(&b, ", without an id %d", j.NoID)
	}
	b.WriteString("\n")
	if j.Repeats > 0 {
		fmt.Fprintf(&b, "repeated labels: %d\n", j.Repeats)
	}
	if j.Outside > 0 {
		fmt.Fprintf(&b, "labels of events that were not read, or of none: %d\n", j.Outside)
	}
	for _, text := range TooLate(j) {
		b.WriteString(text + "\n")
	}
	if n := total(j.Rejected); n > 0 {
		fmt.Fprintf(&b, "rejected %d of %d label records: %s%s\n", n, j.Records, reasons(j.Rejected), refused(j))
	}
	if j.Delays.Labels() > 0 {
		fmt.Fprintf(&b, "labels came later by %v in the mean:", labels.Span(meanDelay(&j.Delays)))
		for _, bar := range delayBars(&j.Delays) {
			fmt.Fprintf(&b, " %s %d", bar.Name, bar.Count)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// refused says how many label records have no example because their events were rejected.
func refused(j *replay.Joined) string {
	if j.Refused == 0 {
		return ""
	}
	return fmt.Sprintf("; the events of %d of them were rejected", j.Refused)
}

// TooLate says of which labels many came when their events no longer waited, and what mends it.
func TooLate(j *replay.Joined) (texts []string) {
	wait := time.Duration(j.Limits.Wait) * time.Millisecond
	for i := range j.TooLate {
		found, do := j.TooLate[i].Text(wait, j.Limits.Examples)
		texts = append(texts, found+": "+do)
	}
	return texts
}

// outcomes lists counts in the order of labels.Outcomes.
func outcomes(j *replay.Joined) string {
	var parts []string
	for _, o := range labels.Outcomes() {
		if n := j.Outcomes[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", o, n))
		}
	}
	if len(parts) == 0 {
		return "no outcome"
	}
	return strings.Join(parts, ", ")
}

// delayBar is a row of the histogram.
type delayBar struct {
	Name   string
	Count  int64
	Length int // in percent of the longest
}

func delayBars(d *labels.Delays) (bars []delayBar) {
	most := int64(1)
	for _, n := range d.Counts {
		most = max(most, n)
	}
	bounds := labels.DelayBounds()
	for i, n := range d.Counts {
		name := "more"
		if i < len(bounds) {
			name = "≤" + labels.Span(bounds[i])
		}
		if n > 0 {
			bars = append(bars, delayBar{name, n, int(math.Round(100 * float64(n) / float64(most)))})
		}
	}
	return bars
}

// lateSection is the section of the page about labels that came later.
type lateSection struct {
	*replay.Joined
	Ends    string // outcomes
	Reasons string
	Mean    string
	Late    []string // TooLate
	Bars    []delayBar
}

func newLateSection(j *replay.Joined) *lateSection {
	if j == nil {
		return nil
	}
	return &lateSection{Joined: j, Ends: outcomes(j), Reasons: reasons(j.Rejected) + refused(j),
		Bars: delayBars(&j.Delays),
		Mean: meanDelay(&j.Delays).String(), Late: TooLate(j)}
}
