// Command rosenblatt learns from a Kafka topic of labelled events and predicts the label of each one before using it.
//
//	rosenblatt run         the daemon
//	rosenblatt replay      evaluates learners on files or a topic as if it were live
//	rosenblatt train       trains on a file with the batch algorithms
//	rosenblatt produce     sends events from a file or a generator to a topic
//	rosenblatt inspect     shows a checkpoint
//	rosenblatt verify      computes every published prediction again from the input, and compares
//	rosenblatt tail        shows predictions, outcomes or dead letters
//	rosenblatt profile     shows what the fields of a running daemon's events hold
//	rosenblatt promote     makes another learner of a running daemon the one whose predictions are published
//	rosenblatt tasks       shows which daemon has which model, and how far each is
//	rosenblatt check       checks brokers, topics, rights and folder
//	rosenblatt version     shows the version of the program
//
// It exits with 0 when done, 1 when it failed, 2 when it was called wrongly, and 3 when another process has taken over.
// Exit code 4 is a named stop that no restart mends. It is 5 when verify found nothing wrong but could not audit every
// prediction.
package main

import (
	"io"
	"os"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// commandLine is the grammar.
type commandLine struct {
	Run     runCommand     `cmd:"" help:"Predict and learn from a topic."`
	Replay  replayCommand  `cmd:"" help:"Evaluate learners on a file or a topic as if it were live."`
	Train   trainCommand   `cmd:"" help:"Train on a file with the batch algorithms: primal, pla or dual."`
	Produce produceCommand `cmd:"" help:"Send events from a file or a generator to a topic."`
	Inspect inspectCommand `cmd:"" help:"Show a checkpoint."`
	Verify  verifyCommand  `cmd:"" help:"Compute every published prediction again from the input, and compare."`
	Tail    tailCommand    `cmd:"" help:"Show predictions, outcomes or dead letters, as a table or JSON."`
	Profile profileCommand `cmd:"" help:"Show what the fields of a running daemon's events hold."`
	Promote promoteCommand `cmd:"" help:"Make another learner the one whose predictions are published."`
	Tasks   tasksCommand   `cmd:"" help:"Show which daemon has which model, and how far each is."`
	Check   checkCommand   `cmd:"" help:"Check brokers, topics, rights and folder."`
	Version versionCommand `cmd:"" help:"Show the version of the program."`

	Config string `placeholder:"FILE" help:"A YAML file of settings, under the names of the flags."`
}

const description = `An online-learning stream processor: predicts the label of every event of a Kafka topic, then
learns from it.

A setting can be given as a flag, --max-bytes 1000, in the environment, ROSENBLATT_MAX_BYTES=1000, or in a YAML file,
max-bytes: 1000. The flag wins over the environment, the environment over the file.`

func newProgram(stdin io.Reader, stdout, stderr io.Writer) *cli.Program {
	return &cli.Program{
		Name: "rosenblatt", Description: description, Usage: "rosenblatt --help, or rosenblatt COMMAND --help",
		EnvPrefix: "ROSENBLATT_", Vars: daemon.Vars(), Stdin: stdin, Stdout: stdout, Stderr: stderr,
	}
}

func main() {
	os.Exit(newProgram(os.Stdin, os.Stdout, os.Stderr).RunCommands(&commandLine{}, os.Args[1:]))
}
