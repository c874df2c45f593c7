// Package profiling is what `rosenblatt profile` does, apart from its command line.
package profiling

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"text/tabwriter"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/remote"
	"rosenblatt/stream/profile"
)

// Settings say what is done. Tags: github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	remote.Settings `embed:""`

	SetReference bool `cmdline:""`
	JSON         bool `name:"json" cmdline:""`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
set-reference: What the fields hold now becomes the reference; the next checkpoint has it.
json: Print the whole profile as JSON, as replay --profile writes it.
`
}

// Run shows the profile of a running daemon, or sets its reference.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	if s.SetReference && s.JSON {
		return cli.Usagef("json: with set-reference no profile is printed: leave it out")
	}
	if s.SetReference {
		text, err := s.Do(ctx, http.MethodPost, "/profile/reference")
		if err == nil {
			_, err = program.Stdout.Write(text)
		}
		return err
	}
	text, err := s.Do(ctx, http.MethodGet, "/profile")
	if err != nil {
		return err
	}
	if s.JSON {
		_, err = program.Stdout.Write(text)
		return err
	}
	var r profile.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("the response is no profile: %w", err)
	}
	return print(program.Stdout, &r)
}

// print writes a table for people, and below it what has changed.
func print(w io.Writer, r *profile.Report) error {
	out := bufio.NewWriter(w)
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%d events are profiled\n", r.Events)
	fmt.Fprintln(t, "field\tof the events\tnow\tbefore\treference\tshift\tfrom reference\tnew words\talert")
	for i := range r.Fields {
		f := &r.Fields[i]
		if f.Now == nil {
			continue
		}
		fmt.Fprintf(t, "%q\t%.1f %%\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.Name, 100*f.Now.PresentRatio(), f.Now.Text(),
			f.Before.Text(), f.Reference.Text(), number(f.Shift.Before), number(f.Shift.Reference), number(f.NewWords),
			f.Alert)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		over := "it alerts"
		if !c.Until.IsZero() {
			over = "usual again, or as before, at " + c.Until.Format(time.RFC3339)
		}
		fmt.Fprintf(out, "the field %q changed%s: %s; %s\n", c.Field, c.Between(), c.Text(), over)
	}
	return out.Flush()
}

func number(x *float64) string {
	if x == nil {
		return "-"
	}
	return fmt.Sprintf("%.3f", *x)
}
