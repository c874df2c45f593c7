// Package simulation runs the real task (takeover, recovery, session, checkpoints) against faults from a seed. It
// holds nothing but tests.
//
// The broker is kfake in this process, and the network is made of pipes. The disk is pebble's file system in memory,
// which loses what was not synced. The clock is that of testing/synctest, so a run of some ten processes takes some
// tenths of a second. Between task and broker, a front (front_test.go) delays, cuts, loses, holds back and refuses
// messages. It is also a transaction coordinator like Apache Kafka's (kafka_test.go): kfake fences a predecessor at
// InitProducerID, Kafka only at the successor's marker.
//
// An oracle (oracle_test.go) checks every readable record and every named checkpoint. No seq is missing, no
// record is predicted twice, and every score is as computed again. Every checkpoint equals the model after its seq,
// with positions, ends and counters that agree with the topics. At the end faults cease, a last task runs to
// the end, and streamtest.Setup.Audit audits the topics.
//
// One seed of three has an outcomes topic (outcome_test.go). Its tasks decide about outcomes at random, each process in
// its own way. So only the journal tells the next one what was decided.
//
// Another third has a topic of labels (late_world_test.go) for most events: some twice, malformed, conflicting or of no
// event. They are over other partitions than the events', one of which may be added. The oracle makes every outcome
// again with lists and maps (late_oracle_test.go), compares what waits in every checkpoint, and verify audits the end.
//
// Half of the seeds have a checkpoint topic (checkpoint_topic_test.go), which is compacted now and then. Then some
// processes start with an empty folder. After each record the newest manifest must be whole, after each manifest the
// one before, too, and its checkpoint must be right.
//
// In three seeds of seven null values are skipped. In half of the seeds most records of one partition of input and
// labels have no entry (barren_test.go): aborted ones, null values, dead letters. In one of four, transactions stay
// open over several processes.
//
// In two of three seeds with a checkpoint topic the starts of all logs move (retention_test.go), up to what the newest
// manifest needs. Who has an older checkpoint must find that one, and no manifest may be behind the one before it.
//
// In most seeds with labels and a checkpoint topic, each process has limits of its own. They are how many settled ids
// it remembers, how many examples wait, and how long. No label may be without its example while a transaction with its
// event is open.
//
// Half of the seeds end with a loss (replaced_test.go). A partition of input or labels loses its tail, of which all was
// handled. Others write on under another leader epoch, to less than the old end, to that, or beyond it. A process that
// is live must stop with beyond-end, and so must each that starts, unless it is killed on its way. Nothing that was
// written since may have an entry.
//
// In one seed of four each partition has a task of its own (tasks_test.go). They are two or three of these worlds, each
// with its own processes and oracle, on the same brokers and in the same topics.
//
// In two seeds of five, half of the processes are members of a group (member_test.go), which assigns the task at
// random. They follow, take over, and follow again when they are fenced. They suspect who has the task, rightly and
// wrongly, and every other time the group assigns it because of that, whoever is live. There some events are dead-
// lettered that the model would not reject, and the ends of the dead letters are of earlier than those of the journal.
//
// Two of five seeds without a plain outcomes topic have one or two challengers (learners_test.go). Somebody asks their
// processes for promotions at random moments, and while a flight is written. The oracle has a model of its own for each
// learner, and learns who the champion is from the headers in the journal alone. Each batch of a flight must say the
// same. Who was told that a promotion is published must find it in the journal at the end.
//
// All faults and their times come from the seed, but not the order of goroutines and the pauses of backoffs. So a seed
// that failed tends to fail again but need not:
//
//	ROSENBLATT_SEED=N go test ./stream/simulation -run TestSimulation -count=5 -v
//
// runs one seed and prints its schedule; ROSENBLATT_SIMULATION=90s continues for that long from a seed of its own.
package simulation
