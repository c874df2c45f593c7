// Package simulation runs the real task (takeover, recovery, session, checkpoints) against faults from a seed. It
// holds nothing but tests.
//
// The broker is kfake in this process, the network pipes, the disk pebble's file system in memory, which loses what was
// not synced, the clock that of testing/synctest: a run of some ten processes takes some tenths of a second. Between
// task and broker, a front (front_test.go) delays, cuts, loses, holds back and refuses messages. It is also a
// transaction coordinator like Apache Kafka's (kafka_test.go): kfake fences a predecessor at InitProducerID, Kafka only
// at the successor's marker.
//
// An oracle (oracle_test.go) checks every readable record and every named checkpoint: no seq missing, no record
// answered twice, every score as computed again, every checkpoint equal to the model after its seq, with positions,
// ends and counters that agree with the topics. At the end faults cease, a last task runs to the end, and
// streamtest.Setup.Audit audits the topics.
//
// All faults and their times come from the seed, but not the order of goroutines and the pauses of backoffs: a seed
// that failed tends to fail again but need not:
//
//	ROSENBLATT_SEED=N go test ./stream/simulation -run TestSimulation -count=5 -v
//
// runs one seed and prints its schedule; ROSENBLATT_SIMULATION=90s continues for that long from a seed of its own.
package simulation
