package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/inspection"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
	"rosenblatt/stream/schema"
)

// inspectCommand shows a checkpoint. It changes nothing in its folder or topic and may be used beside a running daemon.
type inspectCommand struct {
	Path   string `arg:"" optional:"" placeholder:"CHECKPOINT|FOLDER"`
	Top    int    `group:"What is shown" default:"20" placeholder:"N"`
	JSON   bool   `group:"What is shown" name:"json"`
	Event  string `group:"What is shown" placeholder:"VALUE|-"`
	Export string `group:"What is shown" placeholder:"FILE"`

	Weights string `group:"What is shown" placeholder:"FILE"`

	CheckpointTopic   string `group:"A checkpoint in a topic" placeholder:"TOPIC"`
	Output            string `group:"A checkpoint in a topic" placeholder:"TOPIC"`
	Partition         int32  `group:"A checkpoint in a topic" default:"0" placeholder:"P"`
	daemon.Connection `embed:"" group:"Connection"`
}

// FlagHelp implements cli.Documented.
func (inspectCommand) FlagHelp() cli.Help {
	return `
path: A checkpoint, or a model's folder: then its newest valid one.
top: How many of the largest weights to show (default: ${default}).
json: Print JSON: the header, with the score, the top weights and the collisions.
event: An event as in the input, or - for standard input: show what the model predicts for it, its distance from the
	separator, and the largest contributions to the score, in place of the checkpoint.
export: Write the checkpoint, with all that it builds on, to a new file, for a backup or --from-model,
	and say so in place of showing it, unless with --json. Schemas that events name go to FILE.schemas.
weights: Write the weights of a linear model of two labels, with how numbers are scaled, as JSON for other programs and
	for run --weights; - for standard output. Nothing else is shown.
checkpoint-topic: Where no path is given: the topic that holds the checkpoints, as given to run.
output: The topic of predictions of the model (default: the only one of which --checkpoint-topic holds checkpoints).
partition: The partition of --checkpoint-topic, with run --model-per partition that of the model (default: ${default}).
`
}

// Run is called by kong.
func (c *inspectCommand) Run(p *cli.Program) error {
	if c.Top < 0 {
		return cli.Usagef("--top %d: want 0 or more", c.Top)
	}
	file, known, err := c.open(p)
	if err != nil {
		return err
	}
	if c.Event != "" {
		return c.predict(p, file, known)
	}
	if c.Weights != "" {
		return c.weights(p, file)
	}
	i, err := inspection.New(file, c.Top)
	if err != nil {
		return err
	}
	if c.Export != "" {
		size, err := inspection.Export(file, known, c.Export)
		if err != nil {
			return err
		}
		if !c.JSON {
			_, err := fmt.Fprintf(p.Stdout, "wrote %s, %d bytes, from %s: model %s, seq %d\n", c.Export, size,
				file.Path, i.Model, i.Seq)
			return err
		}
	}
	if c.JSON {
		return cli.WriteJSON(p.Stdout, i)
	}
	return i.Print(p.Stdout)
}

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

// weights writes the weights of the model in a checkpoint.
func (c *inspectCommand) weights(p *cli.Program, file *checkpoint.File) error {
	_, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	f, err := proc.WeightsFile()
	if err != nil {
		return err
	}
	if err := p.WriteFile(c.Weights, func(w io.Writer) error { return cli.WriteJSON(w, f) }); err != nil {
		return err
	}
	if f.Unnamed > 0 {
		fmt.Fprintf(p.Stderr, "rosenblatt: %d weights have no name that is known and are left out: --max-names\n",
			f.Unnamed)
	}
	if n := len(f.Shared); n > 0 {
		fmt.Fprintf(p.Stderr, "rosenblatt: %d weights are shared by several names: they are listed under shared\n", n)
	}
	if c.Weights == "-" {
		return nil
	}
	_, err = fmt.Fprintf(p.Stdout, "wrote %s: %d weights\n", c.Weights, len(f.Weights))
	return err
}

// open opens a checkpoint of a folder or a topic, with what the topic has of schemas, nil for a folder.
func (c *inspectCommand) open(p *cli.Program) (*checkpoint.File, *schema.Known, error) {
	if c.Path != "" {
		file, err := inspection.Open(c.Path, p.Stderr)
		//mutation:folder-of-a-model
		if inState := filepath.Join("state", c.Path); errors.Is(err, fs.ErrNotExist) && isThere(inState) {
			err = fmt.Errorf("%w: the folder of that model is %s", err, inState)
		}
		return file, nil, err
	}
	if c.CheckpointTopic == "" {
		return nil, nil, cli.Usagef("want the path of a checkpoint or of a model's folder, or --checkpoint-topic")
	}
	cluster, err := c.Cluster()
	if err != nil {
		return nil, nil, err
	}
	log, err := kafka.ReadCheckpoints(cluster, c.CheckpointTopic, c.Partition)
	if err != nil {
		return nil, nil, err
	}
	defer log.Close()
	ctx, stop := cli.Interruptible()
	defer stop()
	topic := &inspection.Topic{Name: c.CheckpointTopic, Partition: c.Partition, Log: log}
	return inspection.OpenTopic(ctx, topic, c.Output, p.Stderr)
}

// predict shows what the model in a checkpoint predicts for one event.
func (c *inspectCommand) predict(p *cli.Program, file *checkpoint.File, known *schema.Known) error {
	value := []byte(c.Event)
	if c.Event == "-" {
		var err error
		if value, err = io.ReadAll(p.Stdin); err != nil {
			return err
		}
	}
	var store schema.Store
	if known != nil {
		store = known
	}
	e, err := inspection.NewEvent(file, store, value, c.Top)
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.WriteJSON(p.Stdout, e)
	}
	return e.Print(p.Stdout)
}
