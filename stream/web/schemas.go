package web

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"rosenblatt/stream/board"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/topics"
)

// registryAfter is how long a partition waits for a schema before the task is not ready.
const registryAfter = 10 * time.Second

// registryBody is what waits for the schema registry.
type registryBody struct {
	Waiting []int32 `json:"waiting"` // partitions of the input
	Seconds float64 `json:"seconds"` // the longest
	Error   string  `json:"error,omitempty"`
	Do      string  `json:"do,omitempty"`
}

// schemaBody is a schema under one of its ids.
type schemaBody struct {
	ID      *uint32 `json:"id,omitempty"`
	GUID    string  `json:"guid,omitempty"`
	Type    string  `json:"type"`
	Name    string  `json:"name,omitempty"`
	Fault   string  `json:"fault,omitempty"`
	Records int64   `json:"records"` // read by this process
}

func (v *view) registryBody() *registryBody {
	if !v.Registry {
		return nil
	}
	b := &registryBody{Waiting: []int32{}}
	for _, w := range v.Waiting {
		if w.Topic == topics.Input {
			b.Waiting = append(b.Waiting, w.Partition)
		}
		b.Seconds = max(b.Seconds, v.now.Sub(w.Since).Seconds())
	}
	if x := v.RegistryTrouble; x != nil && len(v.Waiting) > 0 {
		b.Error, b.Do = oneLine(x.Err.Error()), registry.Advice(x.Err)
	}
	return b
}

func (v *view) schemaBodies() (all []schemaBody) {
	for _, s := range v.Schemas {
		b := schemaBody{Type: s.Schema.Type, Name: s.Schema.Name(), Fault: s.Schema.Fault, Records: s.Records}
		if s.ID.HasGUID {
			b.GUID = s.ID.String()
		} else {
			b.ID = &s.ID.Number
		}
		all = append(all, b)
	}
	return all
}

// awaitsRegistry says which partitions wait for schemas for long; empty for none.
func (v *view) awaitsRegistry() string {
	b := v.registryBody()
	//mutation:registry-unready
	if b == nil || b.Seconds < registryAfter.Seconds() {
		return ""
	}
	var where []string
	for _, w := range v.Waiting {
		where = append(where, fmt.Sprintf("partition %d for schema %v", w.Partition, w.ID))
	}
	wait := " waits"
	if len(v.Waiting) > 1 {
		wait = " wait"
	}
	text := fmt.Sprintf("schema registry: %s%s for up to %.0f s (%s)", english.Plural(len(v.Waiting), "partition", ""),
		wait, b.Seconds, some(where))
	if b.Error != "" {
		text += ": " + strings.TrimSuffix(b.Error, ".") + "; " + b.Do
	}
	return text
}

// schemaMetrics sends those of a task whose events name their schemas.
func schemaMetrics(g gather, s *board.Status) {
	if !s.Registry {
		return
	}
	for outcome, name := range [...]string{registry.Known: "known", registry.Unknown: "unknown",
		registry.Failed: "failed"} {
		g.send(registryRequests, float64(s.Requests[outcome]), name)
	}
	g.send(registryWaiting, float64(len(s.Waiting)))
	g.send(schemaCount, float64(len(s.Schemas)))
}
