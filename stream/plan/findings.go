package plan

import (
	"fmt"
	"strings"

	"rosenblatt/stream/model"
	"rosenblatt/stream/stops"
)

// finding is a stop that a start may accept.
type finding struct {
	*stops.Error
	givenUp []any // says which history is given up, and where; not how much of it retention has removed by now
}

// find notes a stop that a start may accept. The plan is made as if it did.
func (p *planner) find(stop *stops.Error, givenUp ...any) {
	p.found = append(p.found, finding{stop, givenUp})
}

// judge accepts what was found, all that has one name together. The error is the first that this start does not accept.
func (p *planner) judge() error {
	for _, f := range p.found {
		stop := p.together(f.Name)
		if refused := p.config.Judge(stop, p.header.Accepted); refused != nil {
			return refused
		}
		accepted := *stop
		accepted.What = f.What
		p.Accepted = append(p.Accepted, &accepted)
	}
	return nil
}

// together makes one stop of all that were found of a name, with its token. What was accepted before has another one.
func (p *planner) together(name string) *stops.Error {
	const shown = 4
	var all stops.Error
	var what []string
	var givenUp []any
	for _, f := range p.found {
		if f.Name != name {
			continue
		}
		if what = append(what, f.What); len(what) == 1 {
			all = *f.Error
		}
		givenUp = append(givenUp, f.givenUp)
	}
	if more := len(what) - shown; more > 0 {
		what = append(what[:shown], fmt.Sprintf("and %d more", more))
	}
	all.What = strings.Join(what, "; ")
	for again := 0; ; again++ {
		offered := all
		offered.Offer("", givenUp, again)
		//mutation:token-once
		if !model.IsDone(p.header.Accepted, offered.Token()) {
			return &offered
		}
	}
}
