package group

import (
	"encoding/json"
	"fmt"
	"slices"
)

// Protocol is the group's protocol as Kafka compares it between members: the type keeps out consumers, and tools for
// them.
const (
	ProtocolType = "rosenblatt"
	ProtocolName = "tasks"
)

const version = 2

// Metadata is what a member tells the group with each join.
type Metadata struct {
	Version    int        `json:"version"`
	Nonce      uint64     `json:"nonce"`      // another one for each assignment
	Generation int32      `json:"generation"` // the last one it took part in; 0: none
	Settings   string     `json:"settings"`   // fingerprint of what all members share: topics, and how a model begins
	Format     int        `json:"format"`     // newest checkpoint format that it reads
	Standbys   int        `json:"standbys"`   // followers of each task that it is started for
	Tasks      int        `json:"tasks"`      // number of tasks that it knows
	Held       []TaskInfo `json:"held,omitempty"`

	invalid error // why it could not be read
}

// TaskInfo is a task that a member has or follows.
type TaskInfo struct {
	Task   int32 `json:"task"`
	Owner  int32 `json:"owner,omitempty"`  // the last generation that gave it the task; 0: none, or fenced since
	Cold   bool  `json:"cold,omitempty"`   // too far behind to take it over
	Behind int64 `json:"behind,omitempty"` // seconds, or NotLoaded
	// Starting is a task that the member is to have, has loaded, and is not live with yet.
	Starting bool `json:"starting,omitempty"`
	// Since is since when it predicts, ms since 1970; 0: it does not have the task, or has not begun to.
	Since int64 `json:"since,omitempty"`
	// Suspected is a task that nobody seems to work on: the member joins to find out who is alive.
	Suspected bool `json:"suspected,omitempty"`
	// Stopped names the stop that ended the task at this member: it cannot have or follow it any more.
	Stopped string `json:"stopped,omitempty"`
	// Differs is a task whose settings are others than this member's, which it was not told to let take effect. It
	// follows the task and cannot have it.
	Differs bool `json:"differs,omitempty"`

	stuck bool // it is live and cold: it cannot write
}

func (m *Metadata) encode() []byte { return encode(m) }

// DecodeMetadata reads what a member told. It returns metadata of another version with this version alone.
func DecodeMetadata(data []byte) (m Metadata, err error) {
	if err := json.Unmarshal(data, &m); err != nil {
		return Metadata{}, fmt.Errorf("metadata of a member: %w", err)
	}
	if m.Version != version {
		return Metadata{Version: m.Version}, nil
	}
	return m, m.check()
}

// maxTasks bounds what an assignment costs when a member's metadata is damaged.
const maxTasks = 10_000

// NotLoaded is how many seconds a member is behind with a task that it is to follow and has not loaded: the most.
const NotLoaded = 1 << 40

func (m *Metadata) check() error {
	if m.Tasks < 0 || m.Tasks > maxTasks || m.Standbys < 0 {
		return fmt.Errorf("metadata of a member: %d tasks, %d standbys: want 0 to %d, 0 or more", m.Tasks, m.Standbys,
			maxTasks)
	}
	for i, h := range m.Held {
		if h.Task < 0 || int(h.Task) >= m.Tasks || i > 0 && h.Task <= m.Held[i-1].Task {
			return fmt.Errorf("metadata of a member: task %d of %d is missing or out of order", h.Task, m.Tasks)
		}
		//mutation:group-behind
		if h.Behind < 0 || h.Behind > NotLoaded {
			return fmt.Errorf("metadata of a member: task %d is %d s behind", h.Task, h.Behind)
		}
	}
	return nil
}

// held returns what the member tells of a task.
func (m *Metadata) held(task int32) (t TaskInfo, ok bool) {
	i, ok := search(m.Held, task)
	if !ok {
		return TaskInfo{}, false
	}
	return m.Held[i], true
}

func search(held []TaskInfo, task int32) (i int, ok bool) {
	return slices.BinarySearchFunc(held, task, func(t TaskInfo, task int32) int { return int(t.Task) - int(task) })
}

// Assignment is what one member has to do.
type Assignment struct {
	Nonce   uint64  `json:"nonce"`             // of the metadata that it was made from
	Late    bool    `json:"late,omitempty"`    // that metadata was of an earlier generation: join again
	Active  []int32 `json:"active,omitempty"`  // tasks to have, rising
	Follow  []int32 `json:"follow,omitempty"`  // tasks to follow, rising
	Refused string  `json:"refused,omitempty"` // why it gets none
	Others  int     `json:"others,omitempty"`  // other members that may be given one of Active; any, if that is empty

	Predicts  Predicts `json:"predicts,omitzero"`   // who has each task
	Suspected []int32  `json:"suspected,omitempty"` // those of Active whose member had been suspected

	Generation int32 `json:"-"` // Kafka's
	// Number is 1 for this member's first assignment, and one more with each. Generations begin at 1 again when Kafka
	// forgets an empty group.
	Number int32 `json:"-"`
}

func (a *Assignment) encode() []byte { return encode(a) }

// DecodeAssignment reads what the leader sent.
func DecodeAssignment(data []byte) (a Assignment, err error) {
	if err := json.Unmarshal(data, &a); err != nil {
		return Assignment{}, fmt.Errorf("assignment of the group: %w", err)
	}
	return a, nil
}

func (a *Assignment) active(task int32) bool {
	_, ok := slices.BinarySearch(a.Active, task)
	return ok
}

func (a *Assignment) has(task int32) bool {
	_, follows := slices.BinarySearch(a.Follow, task)
	return follows || a.active(task)
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // of numbers and strings
	}
	return data
}
