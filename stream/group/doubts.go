package group

import "time"

// doubts say for how long work has to wait before a member asks whether who has it is alive. The time doubles with each
// member that was, up to a bound, and is halved when there was none for a while.
type doubts struct {
	first, most time.Duration
	times       int       // doubled
	last        time.Time // when it was doubled or halved
}

// calmAfter is the time without a member that was asked in vain after which the time is halved.
const calmAfter = 10 * time.Minute

// wait returns the time as of now.
func (d *doubts) wait(now time.Time) time.Duration {
	//mutation:doubts-fade
	for d.times > 0 && now.Sub(d.last) >= calmAfter {
		d.times, d.last = d.times-1, d.last.Add(calmAfter)
	}
	return d.now()
}

func (d *doubts) now() time.Duration { return max(d.first, min(d.first<<d.times, d.most)) }

// wrong notes that a member which was asked is alive.
func (d *doubts) wrong(now time.Time) {
	//mutation:doubts-double
	if d.wait(now) < d.most {
		d.times++
	}
	d.last = now
}
