package stream

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/plan"
	"rosenblatt/stream/readahead"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/state"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/walk"
)

// recovery is one recovery under way, owned by one goroutine.
type recovery struct {
	t         *Task
	plan      *plan.Plan
	top       *topics.Topology
	lookAgain func(context.Context) (*topics.Topology, error) // at the topics
	st        *state.State

	inTopic        *statetopic.Copy                    // what the checkpoint topic holds; nil without one
	manifestEpoch  int64                               // of the newest manifest when the checkpoint was loaded
	manifestNumber int64                               // likewise
	manifest       atomic.Pointer[statetopic.Manifest] // the newest one since then, for a follower

	saved        *model.LateState // by the checkpoint
	needed       bool             // the first checkpoint: the recovery does not go on without it
	otherSlices  bool             // the checkpoint's are by other fields
	accepted     []*stops.Error   // by the plan and since
	stopAccepted bool             // the journal cannot be compared with the model any more
	member       bool             // it follows before its takeover
	differing    *stops.Error     // of a member: other settings than the model has, which it may not change; nil
	following    bool             // without a fence: the journal grows
	first        *topics.Topology // before the checkpoint was read
	behindFence  *topics.Topology // of this takeover; nil before
	known        topics.Ends      // of the journal, before the checkpoint was loaded; of a task that followed
	readable     topics.Ends      // ends at the previous poll
	polledAt     time.Time        // the time of that
	suspicion    suspicion        // of a follower
	cause        *board.Cause     // of the takeover of a member; nil: it has the task already
	begins       bool             // there was no checkpoint anywhere
	lastEpoch    int64            // of the checkpoint, and of the entries learned again
	ahead        *readahead.Group // nil before anything is read
	entries      *walk.Journal    // nil before anything is read
	inputs       []*relearner
	deadLetters  []*readahead.Cursor
	progress     recoveryProgress
	newestEpoch  int64       // seen anywhere: a copy of the folder may have been in use elsewhere
	completion   *completion // of the last flight; nil if that is complete

	labels map[int32]*labelRelearner // by partition
	merger *merger                   // of a follower with later labels: it notes ends; else nil
	copier                           // of a follower: from when it has learned the journal as it was at first

	waits   map[int64]labels.ID // what waited, by seq, after an accepted stop
	waitsTo int64               // the highest seq of waits

	changed      []schema.Entry // what known ids mean now, where this start accepts it
	schemaChange *stops.Error   // what is accepted then

	written map[topics.Topic][]topics.Reached // up to where the checkpoint knows of what the task writes
}

// accept records a stop that this start accepts; else it returns it. Behind one that is accepted the journal is not
// compared any more, so that others of its name are accepted with it.
func (r *recovery) accept(stop *stops.Error) error {
	stop.Offer("", r.t.remembered.loaded, stop.What)
	//mutation:accepted-name
	known := slices.ContainsFunc(r.accepted, func(s *stops.Error) bool { return s.Name == stop.Name })
	if refused := r.t.Config.Judge(stop, r.st.Accepted); !known && refused != nil {
		return refused
	}
	r.stopAccepted, r.needed = true, true
	r.accepted = append(r.accepted, stop)
	r.t.logAccepted(stop)
	return nil
}

func (t *Task) logAccepted(stop *stops.Error) {
	t.Logger.Warn().Str("accepted", stop.Name).Msg(stop.What)
}

// tellTokens tells of the tokens that were given and accept nothing here: those of settings, or all others. now is what
// this start accepts, all what was accepted before.
func (r *recovery) tellTokens(settings bool, now []*stops.Error, all []model.Acceptance) {
	for _, token := range r.t.Config.Tokens() {
		used := slices.ContainsFunc(now, func(s *stops.Error) bool { return s.Token() == token })
		//mutation:token-in-vain-logged
		if of := strings.HasPrefix(token, stops.ConfigDiffers+":"); of == settings && !used {
			r.t.Logger.Info().Msg(stops.InVain(token, model.IsDone(all, token)))
		}
	}
}

func (r *recovery) differs(format string, args ...any) *stops.Error {
	return &stops.Error{Name: stops.JournalDiffers, What: fmt.Sprintf(format, args...),
		Safe: fmt.Sprintf("the model up to seq %d and every published prediction", r.st.Seq),
		Do: "keep the folder and the topics as they are and compare them with `rosenblatt verify`; then go on with a" +
			" backup, or start a new model with another --model and --output"}
}

// close ends what reads ahead.
func (r *recovery) close() {
	if r.ahead != nil {
		r.ahead.Close()
	}
}

// open reads a part of a partition ahead, and where that grows, all that comes.
func (r *recovery) open(topic topics.Topic, partition int32, from, to int64) *readahead.Cursor {
	//mutation:own-partition-followed
	if r.following && !r.top.Of(topic).Partitions[partition].OtherTask {
		to = math.MaxInt64
	}
	p := topics.Part{Partition: partition, From: from, To: to}
	return r.ahead.Open(topic, p, r.reader(topic, partition, from))
}

// reader opens a partition, and tells what the checkpoint knows of what is before.
func (r *recovery) reader(topic topics.Topic, partition int32, from int64) topics.Reader {
	if topic == topics.Input {
		return r.st.Open(r.t.Log, topic, partition)
	}
	reader := r.t.Log.Open(topic, partition, from)
	known := r.written[topic]
	if r, ok := reader.(topics.EpochReader); ok && int(partition) < len(known) {
		r.After(known[partition])
	}
	return reader
}

// writer says which dead letters are this task's own.
func (r *recovery) writer() journal.Writer {
	return journal.Writer{Model: r.t.Config.Model, Input: r.top.Input.Name, Labels: r.top.Labels.Name,
		Output: r.top.Output.Name}
}
