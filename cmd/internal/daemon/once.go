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
	s := &r.Settings
	s.CheckAccept(f, s.Standby.Standby)
	r.Task.Accept = s.Accept
	f.AddIf(s.Standby.Standby && len(s.Skip) > 0, "skip: it is for one daemon without --standby: %s", stops.OneAlone)
	for _, text := range s.Skip {
		s, err := parseSkip(text)
		f.Check("skip", err)
		r.Task.Skip = append(r.Task.Skip, s)
	}
}

// CheckAccept adds what is wrong with what is accepted. Daemons that share a model accept by tokens alone, so that all
// mean the same, and nothing by which each would begin a model of its own.
func (a *Accepting) CheckAccept(f *cli.Faults, standby bool) {
	for _, text := range a.Accept {
		name, token, exactly := strings.Cut(text, ":")
		switch {
		case !slices.Contains(stops.Acceptable(), name):
			f.Addf("accept: %q: want some of %s", name, strings.Join(stops.Acceptable(), ","))
		case exactly && !stops.IsDigest(token):
			f.Addf("accept: %q: want %s", text, stops.TokenForm())
		case standby && name == stops.FenceIneffective:
			f.Addf("accept: %s cannot be accepted with --standby: that brokers refuse a daemon that was replaced is"+
				" what the others rely on", name)
		case standby && !stops.MembersAccept(name):
			f.Addf("accept: %s is for one daemon without --standby: %s", name, stops.OneAlone)
		case standby && !exactly:
			f.Addf("accept: with --standby give %s with its token, as %s:TOKEN, at all daemons: %s", name, name,
				tokenFrom(name))
		}
	}
}

// tokenFrom says where the token of a stop is printed.
func tokenFrom(name string) string {
	if name == stops.ConfigDiffers {
		return "`rosenblatt check` with these settings prints it, and so do log and page of a daemon that is started" +
			" with them and without --accept, which follows"
	}
	return "a daemon that is started without --accept prints it when it stops"
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
