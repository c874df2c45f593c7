package daemon

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

func (r *Resolved) once(f *cli.Faults) {
	o := &r.Settings.Once
	for _, text := range o.Accept {
		name, token, exactly := strings.Cut(text, ":")
		f.AddIf(!slices.Contains(stops.Acceptable(), name), "accept: %q: want some of %s", name,
			strings.Join(stops.Acceptable(), ","))
		f.AddIf(exactly && !stops.IsDigest(token), "accept: %q: want NAME, or NAME:TOKEN as a stop prints it", text)
	}
	r.Task.Accept = o.Accept
	for _, text := range o.Skip {
		s, err := parseSkip(text)
		f.Check("skip", err)
		r.Task.Skip = append(r.Task.Skip, s)
	}
}

// forOneDaemon reports whether what is accepted is for a daemon that shares its model with no other one: whatever is
// given up, or that the model begins from nothing.
func forOneDaemon(accept string) bool {
	name, _, exactly := strings.Cut(accept, ":")
	return !exactly || name == stops.StateInvalid || name == stops.StateMissing
}

func isUnfenced(accept string) bool {
	name, _, _ := strings.Cut(accept, ":")
	return name == stops.FenceIneffective
}

var skipForm = regexp.MustCompile(`^(\d+):(\d+)-(\d+)$`)

// parseSkip reads P:FROM-TO.
func parseSkip(text string) (topics.SkipRange, error) {
	bad := fmt.Errorf("%q: want PARTITION:FROM-TO, offsets, both included, as 0:120-180", text)
	m := skipForm.FindStringSubmatch(text)
	if m == nil {
		return topics.SkipRange{}, bad
	}
	p, err1 := strconv.ParseInt(m[1], 10, 32)
	from, err2 := strconv.ParseInt(m[2], 10, 64)
	to, err3 := strconv.ParseInt(m[3], 10, 64)
	if err1 != nil || err2 != nil || err3 != nil || to < from {
		return topics.SkipRange{}, bad
	}
	return topics.SkipRange{Partition: int32(p), From: from, To: to}, nil
}
