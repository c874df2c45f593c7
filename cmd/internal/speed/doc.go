// Package speed measures the daemon end to end against a broker in another process, with the program that kafka-go's
// documentation leads to beside it in the same run. There is nothing here but benchmarks:
//
//	go test ./cmd/internal/speed -bench . -benchtime 3x
//
// The broker is kfake in a process of its own, or the cluster of ROSENBLATT_TEST_BROKERS. Machines differ and so do moments:
// compare what stands in one run, as ratios.
package speed
