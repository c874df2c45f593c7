package evaluate

import (
	"context"
	"fmt"
	"io"

	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/survey"
)

// firstEvents is a source whose first events are surveyed as they are read, and all of them profiled.
type firstEvents struct {
	replay.Source
	survey  *survey.Survey
	show    func(*survey.Report)
	shown   bool
	profile *profile.Profile // nil: not asked for
}

// first has the first events surveyed and shown, and all profiled if the settings say so.
func (p *plan) first(from replay.Source, show func(*survey.Report)) (*firstEvents, error) {
	s, err := survey.New(p.config.Decode)
	if err != nil {
		return nil, err
	}
	s.Guessed = daemon.Guessed(p.config.Decode.Numeric, p.numeric())
	if err := s.Scale(p.config.Learner); err != nil {
		return nil, err
	}
	f := &firstEvents{Source: from, survey: s, show: show}
	if p.Profile != "" {
		f.profile, err = profile.New(p.config.Decode, nil)
	}
	return f, err
}

// Fill implements replay.Source.
func (f *firstEvents) Fill(ctx context.Context, b *replay.Block) error {
	from := len(b.Records)
	err := f.Source.Fill(ctx, b)
	if f.profile != nil {
		for i := from; i < len(b.Records); i++ {
			if b.Refused(i) == nil {
				f.profile.Add(&b.Records[i])
			}
		}
	}
	if f.shown {
		return err
	}
	for i := from; i < len(b.Records) && !f.survey.Full(); i++ {
		if why := b.Refused(i); why != nil {
			f.survey.Refuse(why)
			continue
		}
		f.survey.Add(&b.Records[i])
	}
	if f.survey.Full() {
		f.end()
	}
	return err
}

// end shows what a survey has found that the end of the source has cut short.
func (f *firstEvents) end() {
	if !f.shown {
		f.shown = true
		f.show(f.survey.Report())
	}
}

// printFirst prints what the first events hold.
func printFirst(w io.Writer, r *survey.Report) {
	if r.Events == 0 {
		return
	}
	fmt.Fprintf(w, "the first %s\n", r.Headline())
	_ = r.WriteTable(w, "  ") // to standard error
	for _, x := range r.Warnings {
		fmt.Fprintf(w, "rosenblatt: %v\n", x)
	}
}
