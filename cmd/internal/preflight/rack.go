package preflight

import (
	"fmt"
	"slices"
	"strings"
)

// rack tells whether a broker is where --rack says that this runs. Else everything is read from leaders, as without it.
func (k *clusterCheck) rack() {
	own := k.settings.Rack
	if own == "" {
		return
	}
	var racks []string
	for _, b := range k.meta.Brokers {
		if b.Rack != nil && *b.Rack != "" && !slices.Contains(racks, *b.Rack) {
			racks = append(racks, *b.Rack)
		}
	}
	slices.Sort(racks)
	switch {
	case slices.Contains(racks, own):
		k.ok("rack", "brokers are in %s", own)
	case len(racks) == 0:
		k.note("rack", "no broker has a rack, so everything is read from leaders",
			"set broker.rack and replica.selector.class at the brokers, or leave --rack out")
	default:
		k.note("rack", fmt.Sprintf("no broker is in %s, so everything is read from leaders", own),
			"name one of theirs: "+strings.Join(racks, ", "))
	}
}
