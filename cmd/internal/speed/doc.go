// Package speed has benchmarks of the daemon with a broker in another process. The same run measures the program that
// kafka-go's documentation suggests:
//
//	go test ./cmd/internal/speed -run '^$' -bench 'EndToEnd|Latency' -benchtime 3x
//
// The broker is kfake in its own process, or the cluster of ROSENBLATT_TEST_BROKERS. Compare only figures of one run,
// as ratios. README.md has the other benchmarks.
package speed
