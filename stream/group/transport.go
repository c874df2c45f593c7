package group

import (
	"context"
	"errors"
)

// A Transport speaks the group's protocol as one static member. Its methods are called from one goroutine. Errors are
// the context's, a *stops.Error, those below, or others, after which the request is sent again.
type Transport interface {
	// Join joins the group, or joins it again, and returns what its leader assigns in a new generation. The leader
	// calls assign for that. With an error the generation is that which the member has joined all the same, or 0.
	Join(ctx context.Context, metadata []byte, assign AssignTasks) (generation int32, assignment []byte, err error)
	Heartbeat(ctx context.Context) error
	// Leave is the last call, but for repeats after errors.
	Leave(ctx context.Context) error
}

// AssignTasks returns the assignments of members, in their order.
type AssignTasks func(members []Entry) [][]byte

// Entry is a member in Kafka's view.
type Entry struct {
	Instance string
	Metadata []byte
}

var (
	// ErrRejoin is a generation that is over for this member.
	ErrRejoin = errors.New("the group has a new generation")
	// ErrNoResponse is a request that may have arrived.
	ErrNoResponse = errors.New("no response")
)

// assignTasks is the AssignTasks of this version.
func assignTasks(members []Entry) [][]byte {
	peers := make([]Peer, len(members))
	for i, m := range members {
		peers[i].Instance = m.Instance
		data, err := DecodeMetadata(m.Metadata)
		if err != nil {
			data = Metadata{invalid: err}
		}
		peers[i].Metadata = data
	}
	out := make([][]byte, len(members))
	for i, a := range Assign(peers) {
		out[i] = a.encode()
	}
	return out
}
