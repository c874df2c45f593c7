package labels

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"rosenblatt/stream/event"
)

// Lateness counts the records of each label by whether their events still waited: the rare label often comes last. The
// zero value is ready to use. One goroutine owns it.
type Lateness struct {
	// Fades says that old records count less and less, else all count alike.
	Fades bool

	list []LateShare
	of   map[string]int // places in list, by label
	text []byte         // scratch
}

// LateShare is how many records of a label came too late.
type LateShare struct {
	Label   string `json:"label"`   // as a JSON value
	Came    int64  `json:"came"`    // records whose events are known
	Expired int64  `json:"expired"` // of them, when their events had waited for too long
	Evicted int64  `json:"evicted"` // of them, when too many waited

	delays []int64 // of those that came or expired, as far as known, by the logarithm of ms
}

// FewLate is how many records that came too late are enough for a word about a task that goes on.
const FewLate = 3

const (
	mostLate    = 0.05 // the share of a label's records that may come too late without a word
	mostLabels  = 100  // that are told apart; others count as one
	fadingLabel = 2000 // records of a label, of which half are forgotten
)

// Add counts the record of a label whose example ended as an outcome: Expired, Assumed or Evicted before the label
// came, else with it. It came ms after its event, -1 if that is not known.
func (l *Lateness) Add(o *event.Options, label *event.Example, ended Outcome, ms int64) {
	s := l.share(o, label)
	if s.Came++; ms >= 0 {
		if s.delays == nil {
			s.delays = make([]int64, 256)
		}
		s.delays[bucket(ms)]++
	}
	switch ended {
	case Expired, Assumed:
		s.Expired++
	case Evicted:
		s.Evicted++
	}
	if l.Fades && s.Came >= fadingLabel {
		s.Came, s.Expired, s.Evicted = s.Came/2, s.Expired/2, s.Evicted/2
	}
}

// share is where the records of a label are counted.
func (l *Lateness) share(o *event.Options, label *event.Example) *LateShare {
	if l.text = l.text[:0]; label.Class != nil {
		l.text = event.AppendClassText(l.text, label.Class)
	} else {
		l.text = o.AppendLabel(l.text, label.Label, label.Family)
	}
	if l.of == nil {
		l.of = map[string]int{}
		for i := range l.list { // which a checkpoint had
			l.of[l.list[i].Label] = i
		}
	}
	if i, known := l.of[string(l.text)]; known {
		return &l.list[i]
	}
	name := string(l.text)
	if len(l.list) >= mostLabels {
		if name = "others"; len(l.list) > mostLabels {
			return &l.list[mostLabels]
		}
	}
	l.of[name] = len(l.list)
	l.list = append(l.list, LateShare{Label: name})
	return &l.list[len(l.list)-1]
}

// Shares are the counts of each label, in the order in which labels came.
func (l *Lateness) Shares() []LateShare { return l.list }

// Clone returns a copy.
func (l *Lateness) Clone() Lateness { return Lateness{Fades: l.Fades, list: slices.Clone(l.list)} }

// IsZero reports whether nothing is counted.
func (l Lateness) IsZero() bool { return len(l.list) == 0 }

// MarshalJSON implements json.Marshaler: the counts, without delays.
func (l Lateness) MarshalJSON() ([]byte, error) {
	//mutation:late-counts-saved
	return json.Marshal(l.list)
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *Lateness) UnmarshalJSON(text []byte) error {
	*l = Lateness{Fades: l.Fades}
	return json.Unmarshal(text, &l.list)
}

// Late is how many came too late.
func (s *LateShare) Late() int64 { return s.Expired + s.Evicted }

// Fraction is the part that came too late, 0 to 1.
func (s *LateShare) Fraction() float64 { return float64(s.Late()) / float64(max(s.Came, 1)) }

// TooLate lists the labels of which more than one in twenty records, and at least so many, came too late, the worst
// first.
func (l *Lateness) TooLate(least int64) (worst []LateShare) {
	for i := range l.list {
		s := &l.list[i]
		//mutation:late-by-label
		if s.Fraction() > mostLate && s.Late() >= least {
			worst = append(worst, *s)
		}
	}
	slices.SortStableFunc(worst, func(a, b LateShare) int { return cmp.Compare(b.Fraction(), a.Fraction()) })
	return worst
}

// Text says how many came too late, and what mends it. How long events waited, and how many might, are as they were.
func (s *LateShare) Text(wait time.Duration, examples int) (found, do string) {
	found = fmt.Sprintf("%.0f %% of the labels %s came too late, %d of %d: their events no longer waited",
		100*s.Fraction(), s.Label, s.Late(), s.Came)
	if s.Evicted > s.Expired {
		return found, fmt.Sprintf("raise --waiting-examples (now %d)", examples)
	}
	do = fmt.Sprintf("raise --label-wait (now %s)", Span(wait))
	if enough := s.enough(); enough > wait {
		do = fmt.Sprintf("--label-wait %s would be enough for 99 %% of them (now %s)", Span(enough), Span(wait))
	}
	return found, do
}

// enough is how long events would have to wait for 99 % of the labels whose delay is known; 0 if none is.
func (s *LateShare) enough() time.Duration {
	all, below := int64(0), int64(0)
	for _, n := range s.delays {
		all += n
	}
	for i, n := range s.delays {
		if below += n; all > 0 && 100*below >= 99*all {
			return roundedUp(time.Duration(bound(i)) * time.Millisecond)
		}
	}
	return 0
}

// bucket is a quarter of a power of two.
func bucket(ms int64) int {
	if ms < 8 {
		return int(ms)
	}
	ms = min(ms, 1<<50)
	n := bits.Len64(uint64(ms))
	return 4*n - 8 + int(ms>>(n-3)&3)
}

// bound is above all that are in a bucket, and at most a quarter above the lowest.
func bound(i int) int64 {
	if i < 8 {
		return int64(i) + 1
	}
	n := (i + 8) / 4
	return (int64(i+8)%4 + 5) << (n - 3)
}

// roundedUp is a duration in whole seconds, minutes, hours or days.
func roundedUp(d time.Duration) time.Duration {
	unit := time.Second
	switch {
	case d > 48*time.Hour:
		unit = 24 * time.Hour
	case d > 2*time.Hour:
		unit = time.Hour
	case d > 2*time.Minute:
		unit = time.Minute
	}
	return (d + unit - 1) / unit * unit
}

// Span is a duration as people write it, and settings take it: 31d, 24h, 2h3m, 90m, 10s.
func Span(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d >= 2*day && d%day == 0:
		return fmt.Sprintf("%dd", d/day)
	case d >= time.Minute && d < 2*time.Hour && d%time.Minute == 0 && d%time.Hour != 0:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if rest, found := strings.CutSuffix(text, zero); found {
			text = rest + zero[:1]
		}
	}
	return text
}
