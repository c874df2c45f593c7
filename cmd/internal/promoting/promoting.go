// Package promoting is what `rosenblatt promote` does, apart from its command line.
package promoting

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/remote"
)

// Settings say what is done. Tags: github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	Learner string `arg:"" placeholder:"NAME"`

	remote.Settings `embed:""`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
learner: The learner whose predictions are published from the next one on.
`
}

// daemonWaits is how long the daemon waits for the learner's first prediction before it responds.
const daemonWaits = 10 * time.Second

// response is what the daemon says.
type response struct {
	Champion  string `json:"champion"`
	Seq       int64  `json:"seq"`
	Pending   bool   `json:"pending"`
	Withdrawn string `json:"withdrawn"`
	Text      string `json:"text"`
}

// Run asks a running daemon to promote a learner. A promotion that is pending is an error: nothing has changed yet.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	at := s.Settings
	if at.Timeout > 0 {
		at.Timeout += daemonWaits
	}
	text, err := at.Do(ctx, http.MethodPost, "/promote?learner="+url.QueryEscape(s.Learner))
	if err != nil {
		return err
	}
	var r response
	if err := json.Unmarshal(text, &r); err != nil {
		return fmt.Errorf("the response is none to a promotion: %w", err)
	}
	if r.Withdrawn != "" {
		if _, err := fmt.Fprintf(program.Stdout, "the promotion of %s is withdrawn\n", r.Withdrawn); err != nil {
			return err
		}
	}
	switch {
	case r.Pending:
		err = fmt.Errorf("%s is asked for, and not the champion yet: %s", r.Champion, r.Text)
	case r.Seq == 0:
		_, err = fmt.Fprintf(program.Stdout, "%s is the champion, and always was\n", r.Champion)
	default:
		_, err = fmt.Fprintf(program.Stdout, "%s is the champion from seq %d on\n", r.Champion, r.Seq)
	}
	return err
}
