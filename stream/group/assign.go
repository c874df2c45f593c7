package group

import (
	"cmp"
	"fmt"
	"slices"
)

// Peer is a member of the group as the leader knows it.
type Peer struct {
	Instance string
	Metadata
}

// Assign says what each of these members, of different instances, has to do; the result is in their order and does not
// depend on it. Every task has one owner, if any member can have tasks, and none has more than one more than another.
// Owners keep their tasks as far as that allows. A task goes only to a member that is warm for it, while there is one:
// another one that ought to have it follows it first, and the owner keeps it until then. A member at which a task has
// stopped gets no part in it any more; one that has stopped at all members has no owner.
func Assign(peers []Peer) []Assignment {
	order := make([]int, len(peers))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(peers[a].Instance, peers[b].Instance) })
	p := &plan{}
	for _, i := range order {
		p.candidates = append(p.candidates, &candidate{Peer: &peers[i]})
	}
	p.claim()
	p.balance()
	p.activate()
	p.follow()
	out, predicts := make([]Assignment, len(peers)), p.predicts()
	for at, i := range order {
		c := p.candidates[at]
		c.out.Nonce, c.out.Others = c.Nonce, p.others(c)
		c.out.Predicts, c.out.Suspected = predicts, p.suspected(c)
		out[i] = c.out
	}
	return out
}

// plan is an assignment in the making.
type plan struct {
	candidates []*candidate // by instance
	owner      []*candidate // of each task; nil without one
	had        []*candidate // of each task: its owner before late ones lost theirs
	since      []int32      // the generation that gave it the task
	target     []*candidate // of each task: who ought to have it
	active     []*candidate // of each task: who has it
	stops      bool         // one of them cannot have a task: it has stopped there, or differs
}

// candidate is a member in a plan.
type candidate struct {
	*Peer
	out  Assignment
	load int // tasks that it ought to have
}

// eligible tells whether a member may be given tasks. A late one may be dead.
func (c *candidate) eligible() bool { return c.out.Refused == "" && !c.out.Late }

// claim finds the owners and who may have tasks at all. Settings are right if most tasks are with members that have
// them; without an owner, most members. Formats of checkpoints are right if the owners' checkpoints can be read.
func (p *plan) claim() {
	tasks := 0
	for _, c := range p.candidates {
		if c.invalid != nil {
			c.out.Refused = c.invalid.Error()
			continue
		}
		if c.Version != version {
			c.out.Refused = fmt.Sprintf("another version of the group's metadata, %d; that of the leader is %d",
				c.Version, version)
			continue
		}
		tasks = max(tasks, c.Tasks)
	}
	p.owner, p.since = make([]*candidate, tasks), make([]int32, tasks)
	p.own()
	//mutation:group-settings
	p.refuse(p.settings())
	p.own()
	//mutation:group-format
	p.refuseOlder(p.format())
	p.own()
	newest := int32(0)
	for _, c := range p.candidates {
		if c.out.Refused == "" {
			newest = max(newest, c.Generation)
		}
	}
	for _, c := range p.candidates {
		//mutation:group-late
		c.out.Late = c.out.Refused == "" && c.Generation > 0 && c.Generation < newest
	}
	p.had = slices.Clone(p.owner)
	p.disown()
}

// disown takes from late members the tasks that another member is warm for. One that is dead may be in the group for
// longer than its session timeout, which Kafka begins anew with each rebalance; one that is slow is fenced.
func (p *plan) disown() {
	eligible := p.eligible()
	for task, owner := range p.owner {
		warm := func(c *candidate) bool { return c.distance(task) == 0 }
		//mutation:group-late-owner
		if owner != nil && owner.out.Late && slices.ContainsFunc(eligible, warm) {
			p.owner[task] = nil
		}
	}
}

// own gives each task to the member that was assigned it last.
func (p *plan) own() {
	clear(p.owner)
	clear(p.since)
	for _, c := range p.candidates {
		if c.out.Refused != "" {
			continue
		}
		for _, h := range c.Held {
			p.stops = p.stops || h.Stopped != "" || h.Differs
			//mutation:group-newest-owner
			if h.Owner > p.since[h.Task] && c.able(int(h.Task)) {
				p.owner[h.Task], p.since[h.Task] = c, h.Owner
			}
		}
	}
}

func (p *plan) settings() (right string) {
	most := [2]int{}
	for _, c := range p.candidates {
		if c.out.Refused != "" {
			continue
		}
		n := [2]int{}
		for _, o := range p.owner {
			if o != nil && o.Settings == c.Settings {
				n[0]++
			}
		}
		for _, o := range p.candidates {
			if o.out.Refused == "" && o.Settings == c.Settings {
				n[1]++
			}
		}
		if slices.Compare(n[:], most[:]) > 0 {
			most, right = n, c.Settings
		}
	}
	return right
}

func (p *plan) refuse(right string) {
	for _, c := range p.candidates {
		if c.out.Refused == "" && c.Settings != right {
			c.out.Refused = "other topics, --model-per, --start or first weights than the members that have tasks"
		}
	}
}

func (p *plan) format() (oldest int) {
	for _, o := range p.owner {
		if o != nil {
			oldest = max(oldest, o.Format)
		}
	}
	if oldest > 0 {
		return oldest
	}
	for _, c := range p.candidates {
		if c.out.Refused == "" {
			oldest = max(oldest, c.Format)
		}
	}
	return oldest
}

func (p *plan) refuseOlder(oldest int) {
	for _, c := range p.candidates {
		if c.out.Refused == "" && c.Format < oldest {
			c.out.Refused = fmt.Sprintf("its checkpoints have format %d, those of the group's tasks %d", c.Format,
				oldest)
		}
	}
}

// others counts the members besides one that may be given a task that it has; any, where it has none.
func (p *plan) others(than *candidate) (n int) {
	for _, c := range p.eligible() {
		has := than.out.Active
		//mutation:group-others-stopped
		able := len(has) == 0 || slices.ContainsFunc(has, func(t int32) bool { return c.able(int(t)) })
		if c != than && able {
			n++
		}
	}
	return n
}

// eligible are the members that may be given tasks.
func (p *plan) eligible() (eligible []*candidate) {
	for _, c := range p.candidates {
		if c.eligible() {
			eligible = append(eligible, c)
		}
	}
	return eligible
}

// able are those of the eligible members that may be given one of the tasks.
func (p *plan) able(task int, eligible []*candidate) []*candidate {
	//mutation:group-stopped
	if !p.stops {
		return eligible
	}
	return slices.DeleteFunc(slices.Clone(eligible), func(c *candidate) bool { return !c.able(task) })
}

// able reports whether a task has not stopped at a member, and has its settings or those that it may have.
func (c *candidate) able(task int) bool {
	t, _ := c.held(int32(task))
	//mutation:group-differs
	return t.Stopped == "" && !t.Differs
}
