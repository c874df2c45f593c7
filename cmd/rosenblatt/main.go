// Command rosenblatt learns from a Kafka topic of labelled events and answers each one before it sees the label.
//
//	rosenblatt run         the daemon
//	rosenblatt replay      evaluates learners on files or a topic as if it were live
//	rosenblatt train       trains on a file with the batch algorithms
//	rosenblatt produce     sends events from a file or a generator to a topic
//	rosenblatt inspect     shows a checkpoint
//	rosenblatt verify      computes every published answer again from the input, and compares
//	rosenblatt check       tells whether brokers, topics, rights and folder are in order
//	rosenblatt version     what program this is
//	rosenblatt completion  what a shell needs to complete command lines
//
// It exits with 0 when done, 1 when it failed, 2 when it was called wrongly, and 3 when another process has taken over.
package main

import "os"

func main() {
	p := program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	os.Exit(p.run(os.Args[1:]))
}
