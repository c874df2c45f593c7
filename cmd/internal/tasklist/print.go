package tasklist

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"rosenblatt/cmd/internal/cli"
)

// Run prints the list.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	l, err := Load(ctx, s)
	if err != nil {
		return err
	}
	if s.JSON {
		return cli.WriteJSON(program.Stdout, l)
	}
	return l.Print(program.Stdout, time.Now())
}

// Print writes a list for people.
func (l *List) Print(w io.Writer, now time.Time) error {
	state := l.State
	if state == "Dead" || state == "Empty" { // as Kafka calls it: a daemon may run all the same
		state = "no daemon with --standby is in it, and others are not shown"
	}
	fmt.Fprintf(w, "group %s: %s\n", l.Group, state)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "MODEL\tACTIVE\tPRODUCER EPOCH\tLAG\tCHECKPOINT\tFOLLOWERS")
	for i := range l.Tasks {
		x := &l.Tasks[i]
		var followers []string
		for _, m := range x.Followers {
			followers = append(followers, m.String())
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", x.Model, text(x.Active), number(int64(x.Epoch)), number(x.Lag),
			saved(x.Saved, now), text(strings.Join(followers, ", ")))
	}
	for i := range l.Tasks {
		for _, m := range l.Tasks[i].Stopped {
			fmt.Fprintf(t, "%s has stopped at %s: %s\n", l.Tasks[i].Model, m.Instance, m.Reason)
		}
	}
	for _, m := range l.Refused {
		fmt.Fprintf(t, "%s gets no tasks: %s\n", m.Instance, m.Reason)
	}
	return t.Flush()
}

// String is a follower for people.
func (m *Member) String() string {
	switch {
	case m.Differs:
		return m.Instance + " (other settings: not to take over)"
	case m.Behind != nil:
		return fmt.Sprintf("%s (%d s behind when it joined)", m.Instance, *m.Behind)
	case m.Cold:
		return m.Instance + " (restoring)"
	}
	return m.Instance + " (< 10 s behind)"
}

func text(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func number(n int64) string {
	if n < 0 {
		return "-"
	}
	return humanize.Comma(n)
}

func saved(at *time.Time, now time.Time) string {
	if at == nil {
		return "-"
	}
	return now.Sub(*at).Truncate(time.Second).String() + " ago"
}
