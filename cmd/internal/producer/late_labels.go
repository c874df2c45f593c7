package producer

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"rosenblatt/cmd/internal/cli"
)

// LateLabels says how labels are sent later than their events.
type LateLabels struct {
	Out        string        `name:"labels-out" placeholder:"TOPIC"`
	LabelField string        `default:"label" placeholder:"NAME"`
	Delay      time.Duration `name:"label-delay" default:"10s" placeholder:"DURATION"`
	Faults     []string      `name:"label-faults" placeholder:"KIND=SHARE"`
}

// FlagHelp implements cli.Documented.
func (LateLabels) FlagHelp() cli.Help {
	return `
labels-out: Send the events without their labels, and these later to a topic of their own, with the event's id and key.
	With a model for each partition, events need a --key, so that labels are in the partitions of their events.
label-field: The field with the label of an event, in json a dotted path (default: ${default}).
label-delay: A label comes so long after its event on average, from none to twice as long at random (default:
	${default}).
label-faults: Shares of events of which the label goes wrong: never is not sent, twice is sent two times, early is sent
	up to a second before the event, orphan is followed by a label of no event; as never=0.02,early=0.01.
`
}

// faultKinds are the names of what can go wrong with labels.
var faultKinds = []string{"never", "twice", "early", "orphan"}

// shares returns the share of each kind of fault.
func (l *LateLabels) shares() (map[string]float64, error) {
	of, sum := map[string]float64{}, 0.0
	for _, fault := range l.Faults {
		kind, text, _ := strings.Cut(fault, "=")
		share, err := strconv.ParseFloat(text, 64)
		_, twice := of[kind]
		if twice || err != nil || !(share >= 0 && share <= 1) || !slices.Contains(faultKinds, kind) {
			return nil, fmt.Errorf("%q: want each of %s at most once, with a share of 0 to 1, as never=0.02", fault,
				strings.Join(faultKinds, ", "))
		}
		if of[kind] = share; kind != "orphan" {
			sum += share
		}
	}
	if sum > 1 {
		return nil, fmt.Errorf("never, twice and early are %v together: want 1 or less", sum)
	}
	return of, nil
}

func (l *LateLabels) check(f *cli.Faults, events string) {
	_, err := l.shares()
	f.Check("label-faults", err)
	f.AddIf(l.Out == "" && len(l.Faults) > 0, "label-faults: they need --labels-out")
	f.AddIf(l.Out != "" && l.Out == events, "labels-out: %s is the topic of events: want another one", l.Out)
	f.AddIf(l.Out != "" && l.LabelField == "", "label-field: missing: want the field with the label")
	f.AddIf(l.Delay < 0, "label-delay: %v: want 0 or more", l.Delay)
}

// fate decides when labels come, in the order of the events.
type fate struct {
	delay  time.Duration
	shares map[string]float64
	random *rand.Rand
}

func (l *LateLabels) fate(seed uint64) (*fate, error) {
	shares, err := l.shares()
	return &fate{delay: l.Delay, shares: shares, random: rand.New(rand.NewPCG(seed, 0))}, err
}

// How long before its event an early label comes.
const (
	minEarly = 100 * time.Millisecond
	maxEarly = time.Second
)

// plan adds the label records of an event to it.
func (w *fate) plan(e *outgoing, record, orphan LabelRecord) {
	u := w.random.Float64() - w.shares["never"]
	early, twice := w.shares["early"], w.shares["twice"]
	switch {
	case u < 0:
		e.never = true
	case u < early:
		record.kind = earlyLabel
		e.hold, e.labels = minEarly+w.below(maxEarly-minEarly), append(e.labels, record)
	default:
		record.After = w.below(2 * w.delay)
		e.labels = append(e.labels, record)
		if u < early+twice {
			record.kind, record.After = repeatedLabel, w.below(2*w.delay)
			e.labels = append(e.labels, record)
		}
	}
	if w.random.Float64() < w.shares["orphan"] {
		orphan.kind, orphan.After = orphanLabel, w.below(2*w.delay)
		e.labels = append(e.labels, orphan)
	}
}

func (w *fate) below(d time.Duration) time.Duration {
	return time.Duration(w.random.Float64() * float64(d))
}
