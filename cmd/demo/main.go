// Command demo shows an online learner with nothing else installed. It starts a Kafka broker (franz-go's kfake) and
// feeds it a stream of labelled events. Over TCP it runs the daemon of `rosenblatt run` on it.
//
//	go run ./cmd/demo                        a drifting synthetic stream, 200 events a second, until Ctrl-C
//	go run ./cmd/demo --rate 0               the same, at full speed
//	go run ./cmd/demo --input prices.csv     a file, which ends
//	go run ./cmd/demo --label-delay 10s      labels come later than their events
//	go run ./cmd/demo --rare                 payments, one in a hundred a fraud, known 20 seconds later
//	go run ./cmd/demo --state ./demo-state   continues there next time
//
// It exits with 0 when it was interrupted or the file has ended, 1 after a failure, 2 after a usage error, and 3
// when another process has taken over.
package main

import (
	"os"

	"rosenblatt/cmd/internal/cli"
)

func main() {
	ctx, stop := cli.Interruptible()
	defer stop()
	os.Exit(call(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
