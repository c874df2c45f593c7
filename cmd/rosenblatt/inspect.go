package main

import (
	"fmt"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/inspection"
)

// inspectCommand shows a checkpoint. It changes nothing in its folder and may be used beside a running daemon.
type inspectCommand struct {
	Path   string `arg:"" placeholder:"CHECKPOINT|FOLDER"`
	Top    int    `default:"20" placeholder:"N"`
	JSON   bool   `name:"json"`
	Export string `placeholder:"FILE"`
}

// FlagHelp implements cli.Documented.
func (inspectCommand) FlagHelp() cli.Help {
	return `
path: A checkpoint, or a model's folder: then its newest valid one.
top: How many of the largest weights to show (default: ${default}).
json: Print JSON: the header, with the score, the top weights and the collisions.
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
