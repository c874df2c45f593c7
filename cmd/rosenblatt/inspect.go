package main

import (
	"bytes"
	"fmt"
	"io"

	"rosenblatt/checkpoint"
	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/inspection"
)

// inspectCommand shows a checkpoint. It changes nothing in its folder and may be used beside a running daemon.
type inspectCommand struct {
	Path   string `arg:"" placeholder:"CHECKPOINT|FOLDER"`
	Top    int    `default:"20" placeholder:"N"`
	JSON   bool   `name:"json"`
	Event  string `placeholder:"VALUE|-"`
	Export string `placeholder:"FILE"`
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
	and say so in place of showing it, unless with --json.
`
}

// Run is called by kong.
func (c *inspectCommand) Run(p *cli.Program) error {
	if c.Top < 0 {
		return cli.Usagef("--top %d: want 0 or more", c.Top)
	}
	file, err := inspection.Open(c.Path, p.Stderr)
	if err != nil {
		return err
	}
	if c.Event != "" {
		return c.predict(p, file)
	}
	i, err := inspection.New(file, c.Top)
	if err != nil {
		return err
	}
	if c.Export != "" {
		size, err := inspection.Export(file, c.Export)
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

// predict shows what the model in a checkpoint predicts for one event.
func (c *inspectCommand) predict(p *cli.Program, file *checkpoint.File) error {
	value := []byte(c.Event)
	if c.Event == "-" {
		var err error
		if value, err = io.ReadAll(p.Stdin); err != nil {
			return err
		}
		value = bytes.TrimRight(value, "\r\n")
	}
	e, err := inspection.NewEvent(file, value, c.Top)
	if err != nil {
		return err
	}
	if c.JSON {
		return cli.WriteJSON(p.Stdout, e)
	}
	return e.Print(p.Stdout)
}
