package evaluate

import (
	"fmt"

	"rosenblatt/stream/profile"
)

// namedChanges is how many changes of fields are named: the file has more of them.
const namedChanges = 10

// writeProfile writes the profile, if the settings say so, and names what has changed.
func (p *plan) writeProfile(first *firstEvents) error {
	if first.profile == nil {
		return nil
	}
	r := first.profile.Report()
	for _, c := range r.Changes[max(0, len(r.Changes)-namedChanges):] {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: events %d to %d: the field %q: %s\n", c.From, c.To, c.Field,
			c.Text())
	}
	if r.Events < 2*profile.Window {
		fmt.Fprintf(p.program.Stderr, "rosenblatt: profile: nothing was compared: that takes two times %d events\n",
			profile.Window)
	}
	return p.program.WriteFile(p.Profile, r.WriteJSON)
}
