package simulation

import (
	"errors"
	"fmt"
	"reflect"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// fits checks that an entry is one that may be readable now: everything of earlier flights is, and so are those before
// it of its partition in its own.
func (o *oracle) fits(at place, r *topics.Record, seq, epoch int64) error {
	if o.flight != nil && seq <= o.flightLast && epoch > o.flightEpoch {
		o.flightEpoch = epoch
		o.w.count("completions of torn flights")
	}
	if l, err := journal.LayoutOf(r); err != nil {
		return err
	} else if l != nil && (o.flight == nil || l.First != o.flight.First) {
		if l.First != o.seen+1 || len(o.ahead) > 0 {
			return fmt.Errorf("the flight from seq %d on comes before the one before is complete", l.First)
		}
		o.w.count("flights of several batches")
		o.flight, o.shares, o.flightEpoch = l, map[int32][]int64{}, epoch
		o.flightLast = l.First - 1
		for _, run := range l.Runs {
			for range run.N {
				o.flightLast++
				if run.Kind == journal.Predicted {
					o.shares[run.Partition] = append(o.shares[run.Partition], o.flightLast)
				}
			}
		}
	} else if l != nil && !reflect.DeepEqual(l, o.flight) {
		return fmt.Errorf("another layout, %v, than that of its flight, %v", l, o.flight)
	}
	if at.topic != o.w.setup.Output() {
		return o.rises(at, seq)
	}
	share := o.shares[at.partition]
	switch {
	case len(share) > 0 && share[0] == seq:
		o.shares[at.partition] = share[1:]
	case len(o.ahead) > 0, o.flight != nil && seq <= o.flightLast:
		return fmt.Errorf("it does not fit the flight; its partition lacks %v of that", share)
	case seq != o.seen+1:
		return errors.New("it is not the next one")
	}
	return nil
}

// rises checks that an outcome is of the flight, and above those of its partition: a missing one before it would come
// below it.
func (o *oracle) rises(at place, seq int64) error {
	below := o.newest[at]
	o.newest[at] = max(below, seq)
	_, twice := o.ahead[seq]
	switch {
	case seq <= below, seq <= o.seen, twice:
		return fmt.Errorf("it comes after seq %d", below)
	case seq != o.seen+1 && (o.flight == nil || seq > o.flightLast):
		return errors.New("it is not the next one")
	}
	return nil
}
