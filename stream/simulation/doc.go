// Package simulation plays the real task (takeover, recovery, processor, writer, checkpoints) against crashes that come
// from a seed: there is nothing in it but tests.
//
// The broker is kfake in this process, the network pipes, the disk pebble's file system in memory that loses what was
// not synced, the clock that of testing/synctest: a minute of waiting costs nothing, so a run of some ten processes
// takes some tenths of a second. Between task and broker stands a front (front_test.go) that delays, cuts, loses, holds
// back and refuses, and that is, unlike kfake, a transaction coordinator as Apache Kafka has one (kafka_test.go): kfake
// fences a predecessor already at InitProducerID, Kafka only where the successor's marker stands.
//
// While it runs an oracle (oracle_test.go) looks at every record as it becomes readable and at every checkpoint as it
// gets its name: seq without hole, no record answered twice, every score as computed anew, every checkpoint equal to
// the model after its seq, with positions, ends and counters that agree with the topics. At the end all faults cease, a
// last task runs to the end, and the topics are audited once more from the outside (streamtest.Setup.Audit).
//
// All choices come from the seed: what fails, where, how long messages take. Which of two goroutines runs first does
// not, nor do the random pauses of backoffs, so a seed that failed tends to fail again but need not:
//
//	ROSENBLATT_SEED=N go test ./stream/simulation -run TestSimulation -count=5 -v
//
// plays one seed and shows its schedule; ROSENBLATT_SIMULATION=90s goes on for that long from a seed of its own.
package simulation
