package group

import (
	"slices"
	"testing"
)

func one(instance string, change func(*Metadata)) Peer {
	p := Peer{instance, Metadata{Version: version, Tasks: 1, Settings: "s", Format: 3, Standbys: 1, Generation: 5,
		Held: []TaskInfo{{}}}}
	change(&p.Metadata)
	return p
}

func owner(m *Metadata)    { m.Held[0].Owner = 5 }
func warm(m *Metadata)     {}
func nothing(m *Metadata)  { m.Held = nil }
func cold(m *Metadata)     { m.Held[0].Cold, m.Held[0].Behind = true, 60 }
func colder(m *Metadata)   { m.Held[0].Cold, m.Held[0].Behind = true, 90 }
func notLive(m *Metadata)  { m.Held[0].Owner, m.Held[0].Cold, m.Held[0].Behind = 5, true, 60 }
func restart(m *Metadata)  { m.Held, m.Generation = nil, 0 }
func late(m *Metadata)     { m.Generation = 4 }
func late2(m *Metadata)    { m.Generation, m.Held[0].Owner = 4, 4 }
func claims(m *Metadata)   { m.Held[0].Owner = 3 }
func other(m *Metadata)    { m.Settings = "other" }
func older(m *Metadata)    { m.Format = 2 }
func newer(m *Metadata)    { m.Format = 4 }
func oldOwner(m *Metadata) { m.Format, m.Held[0].Owner = 2, 5 }
func otherOwns(m *Metadata) {
	m.Settings, m.Held[0].Owner = "other", 5
}
func differs(m *Metadata)   { m.Held[0].Differs = true }
func differing(m *Metadata) { m.Held[0].Differs, m.Held[0].Owner = true, 5 }
func otherStopped(m *Metadata) {
	m.Settings, m.Held[0].Stopped = "other", "topic-changed"
}
func unreadable(m *Metadata) { *m = Metadata{} }

func TestAssignOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		members []func(*Metadata)
		active  int // -1: nobody
		follow  []int
		refused []int
	}{
		{"a follower takes over", []func(*Metadata){nothing, warm}, 1, []int{0}, nil},
		{"the owner keeps it", []func(*Metadata){warm, warm, owner}, 2, []int{0}, nil},
		{"warm rather than an owner that is not live", []func(*Metadata){notLive, warm, cold}, 1, []int{0}, nil},
		{"an owner that is not live, if nobody is warm", []func(*Metadata){cold, notLive}, 1, []int{0}, nil},
		{"followers stay", []func(*Metadata){nothing, warm, owner}, 2, []int{1}, nil},
		{"a cold follower stays rather than another", []func(*Metadata){nothing, cold, owner}, 2, []int{1}, nil},
		{"warm rather than cold", []func(*Metadata){cold, warm}, 1, []int{0}, nil},
		{"warm rather than back with nothing", []func(*Metadata){restart, warm}, 1, []int{0}, nil},
		{"the least behind, if all are", []func(*Metadata){nothing, colder, cold}, 2, []int{1}, nil},
		{"the newest claim", []func(*Metadata){late2, owner}, 1, nil, nil},
		{"the newest claim, of members that are in time", []func(*Metadata){owner, claims}, 0, []int{1}, nil},
		{"not one that may be dead", []func(*Metadata){late, cold}, 1, nil, nil},
		{"warm rather than an owner that may be dead", []func(*Metadata){late2, cold, warm}, 2, []int{1}, nil},
		{"an owner that may be dead, if nobody is warm", []func(*Metadata){late2, cold}, 0, []int{1}, nil},
		{"nobody else is there", []func(*Metadata){restart}, 0, nil, nil},
		{"other settings", []func(*Metadata){other, warm, warm}, 1, []int{2}, []int{0}},
		{"the owner's settings count", []func(*Metadata){warm, warm, otherOwns}, 2, nil, []int{0, 1}},
		{"one that differs, beside the standbys", []func(*Metadata){differs, warm, owner}, 2, []int{0, 1}, nil},
		{"warm rather than an owner that differs", []func(*Metadata){differing, warm, cold}, 1, []int{0, 2}, nil},
		{"the member that is live, though it was not asked", []func(*Metadata){differing, warm}, 1, []int{0}, nil},
		{"cold rather than one that differs", []func(*Metadata){differs, colder}, 1, []int{0}, nil},
		{"nobody but one that differs", []func(*Metadata){differs}, -1, []int{0}, nil},
		{"other settings that have stopped there", []func(*Metadata){otherStopped, claims}, 1, nil, []int{0}},
		{"an older format", []func(*Metadata){older, owner}, 1, nil, []int{0}},
		{"an older format without an owner", []func(*Metadata){older, nothing}, 1, nil, []int{0}},
		{"a newer format beside the owner", []func(*Metadata){newer, oldOwner}, 1, []int{0}, nil},
		{"unreadable", []func(*Metadata){unreadable, cold}, 1, nil, []int{0}},
		{"all unreadable", []func(*Metadata){unreadable}, -1, nil, []int{0}},
	} {
		var peers []Peer
		for i, m := range c.members {
			peers = append(peers, one(string(rune('a'+i)), m))
		}
		active := -1
		var follow, refused []int
		for i, a := range Assign(peers) {
			if len(a.Active) > 0 {
				active = i
			}
			if len(a.Follow) > 0 {
				follow = append(follow, i)
			}
			if a.Refused != "" {
				refused = append(refused, i)
			}
		}
		if active != c.active || !slices.Equal(follow, c.follow) || !slices.Equal(refused, c.refused) {
			t.Errorf("%s: active %d, follow %v, refused %v", c.name, active, follow, refused)
		}
	}
}
