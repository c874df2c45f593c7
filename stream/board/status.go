package board

import (
	"time"

	"rosenblatt/learner/metrics"
	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/registry"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/survey"
)

// The states of a task.
const (
	Recovering = "recovering"
	Following  = "following" // of a standby member: another one predicts
	Idle       = "idle"      // of a standby member: others predict and follow
	Live       = "live"
	Stopping   = "stopping"
	Stopped    = "stopped" // for good, with a stop; the process goes on with other models
)

// Status is a copy of what a task reports of itself. It does not change.
type Status struct {
	Model      string
	State      string // one of those above
	Began      time.Time
	At         time.Time
	FollowedAt time.Time // as of when all of the journal is learned, while Following
	Unread     string    // while Following: what cannot be read, and why, in the brokers' words; empty: all can
	Differs    string    // while Following: how the settings differ from the model's, which it may not have; or empty
	Refused    string    // why others do not let this member have the model, while Idle; empty if they do

	Shared    *Shared       // nil: the task is not shared. The owner of the group sets it
	Takeovers [Causes]int64 // of a member, in this process
	Suspicion *Suspicion    // the last one of this process; nil: there was none
	Silence   *Silence      // until it is Live; nil: somebody predicts, or nothing waits
	Writer    Writer        // the last one that a follower saw; zero: it has seen none

	TakingOver bool          // it was given the task, and is about to predict
	Reloading  bool          // while Recovering: because another one has taken over
	LiveSince  time.Time     // while Live: when it took over; zero: it is no member
	Sending    time.Duration // while Live: for how long a flight waits for its acknowledgement; 0: none does

	Stop *stops.Error // of a task that is Stopped; what follows is as it was then

	Seq          int64
	Epoch        int64
	Learner      string
	Config       model.Config // all that reaches a score
	Labels       [2]string    // of a binary task, the negative one first, as predictions spell them
	Counts       model.Counts
	Score        metrics.Report
	Decision     *model.Decision          // how scores of two labels become predictions; nil: by their sign alone
	Learners     []model.LearnerReport    // the champion first; nil without challengers
	Promotions   []model.Promotion        // the newest ones
	Promoting    string                   // the learner whose promotion waits for an entry; empty: none does
	Classes      []string                 // of a multiclass task, in the order of discovery
	ByClass      []metrics.ClassRow       // of those of Classes that occurred
	Slices       []metrics.SliceRow       // by fields and their values, if they are counted so
	Drift        *model.DriftReport       // of the mistakes; nil: not detected
	Confusion    []metrics.ConfusionCount // of a multiclass task that is Stopping
	Partitions   []PartitionStatus
	Late         *LabelStatus // nil without later labels
	EndsAt       time.Time    // when the ends of Partitions were listed; zero: at the takeover
	Saved        SavedCheckpoint
	SaveError    string             // of the last checkpoint, when it failed
	Checkpoints  int64              // saved by this process
	SaveErrors   int64              // failed in this process
	CommitFails  int64              // failed offset commits in this process
	Acknowledged int64              // predictions acknowledged in this process
	Accepted     []model.Acceptance // the stops that operators ever overrode
	Recovered    Recovery
	Recent       *Recent         // of this process; nil until the model is live
	Summary      *model.Summary  // of a checkpoint of this process; nil until there is one
	Timings      *Timings        // of this process; shared, not a copy
	First        *survey.Report  // of the first events of this process; nil before there are ten
	Fields       *profile.Report // of events of this process; nil: they are not profiled

	Waiting         []registry.Wait   // partitions that wait for a schema
	RegistryTrouble *registry.Trouble // why the schema registry gives no answer; nil while it does, or is not asked
	Schemas         []SchemaStatus    // what is known of the schemas that events name
	Requests        [3]int64          // to the registry, by outcome (registry.Known, ...)
	Registry        bool              // there is a registry

	Unacknowledged int64     // predictions that the brokers have not acknowledged yet
	Rejects        Rejecting // events
}

// SchemaStatus is a schema under one of its ids.
type SchemaStatus struct {
	ID      schema.ID
	Schema  *schema.Schema
	Records int64 // read in this process
}

// schemas adds what readers wait for, and what is known.
func (s *Status) schemas(g *registry.Gate) {
	s.Waiting, s.RegistryTrouble = g.Waiting(), g.Trouble()
	for _, e := range g.Known.Entries() {
		s.Schemas = append(s.Schemas, SchemaStatus{e.ID, e.Schema, g.Records(e.ID)})
	}
	for outcome := range s.Requests {
		s.Requests[outcome], s.Registry = g.Requests(outcome)
	}
}

// PartitionStatus is one input partition.
type PartitionStatus struct {
	Partition int32
	Position  int64
	End       int64 // the last stable offset when last listed
	StableLag int64 // offsets from End to the high watermark: they wait for the end of a transaction
}

// Readable is the number of offsets from the position to the last stable offset.
func (p PartitionStatus) Readable() int64 { return max(0, p.End-p.Position) }

// Lag is the number of offsets from the position to the high watermark.
func (p PartitionStatus) Lag() int64 { return p.Readable() + p.StableLag }

// Lag is the sum over all partitions.
func (s *Status) Lag() (n int64) {
	for _, p := range s.Partitions {
		n += p.Lag()
	}
	return n
}

// Recovery is the progress of a recovery: predictions learned again, offsets of the journal passed and in all.
type Recovery struct {
	Predictions int64
	Done, Total int64
	NoSchema    string // why it waits for the schema of a subject, and what to do; empty while it does not
}

// SavedCheckpoint describes the newest durable checkpoint.
type SavedCheckpoint struct {
	Seq      int64
	Bytes    int64
	At       time.Time
	Duration time.Duration
	Topic    *statetopic.Saved // nil where checkpoints are in the folder alone
	Summary  *model.Summary
}
