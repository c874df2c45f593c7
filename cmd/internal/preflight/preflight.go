// Package preflight is what `rosenblatt check` does, apart from its command line: step by step it checks what a daemon
// with these settings needs, and prints a line for each step, with advice where one fails. It writes to no topic and
// fences no other process.
package preflight

import (
	"context"
	"os"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/model"
)

// Settings say what is checked. The tags are those of github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	daemon.Connection `embed:"" group:"Connection"`
	daemon.Topics     `embed:"" group:"Topics and places"`
	daemon.Keys       `embed:"" group:"Topics and places"`
	daemon.Events     `embed:"" group:"Events"`

	daemon.Registry `embed:"" group:"Schema registry"`
	schemas         *asking // nil where nobody is asked

	daemon.LabelTopics `embed:"" group:"Labels that come later"`
	daemon.Standby     `embed:"" group:"Several daemons"`

	daemon.Learning `embed:"" group:"Learning"`
	daemon.Classes  `embed:"" group:"Several classes"`

	daemon.Accepting `embed:"" group:"Stops"`

	fixed model.Config // what they make of a model; set by Check

	Timeout       time.Duration `group:"How it asks" cmdline:"" default:"5s" placeholder:"DURATION"`
	HTTPTokenFile string        `group:"How it asks" name:"http-token-file" placeholder:"FILE"`
	Fence         bool          `group:"How it asks" cmdline:""`
	Health        string        `group:"How it asks" cmdline:"" placeholder:"URL"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
timeout: How long each step may take (default: ${default}).
http-token-file: With --health: a file with the token that the daemon's HTTP wants.
fence: Show that the brokers refuse a writer that was replaced, in topics of its own, which it removes.
health: Ask a running daemon instead whether it is ready, as http://127.0.0.1:8080 (then /readyz) or with a path.
`
}

// Check finds all faults of the settings, and reads the files that they name. The error is cli.Faults.
func (s *Settings) Check() (kafka.ClusterOptions, error) {
	var f cli.Faults
	if s.Health != "" {
		return kafka.ClusterOptions{}, nil
	}
	cluster, err := s.Cluster()
	f.Join(err)
	f.Join(s.Topics.Check())
	s.CheckKeys(&f)
	s.LabelTopics.CheckTopics(&f, &s.Topics)
	s.CheckMember(&f, &s.Topics)
	s.CheckAccept(&f, s.Standby.Standby)
	before := len(f)
	s.Events.Check(&f)
	if s.Labels != "" {
		s.LateLabels.Check(&f)
	}
	if len(f) == before {
		s.events(&f)
	}
	if len(f) == 0 {
		all := daemon.Settings{Topics: s.Topics, Events: s.Events, Learning: s.Learning, Classes: s.Classes,
			LabelTopics: s.LabelTopics}
		s.fixed, err = all.Fixed()
		f.Join(err)
	}
	return cluster, f.Err()
}

// events checks how events and labels are decoded, of settings that are right by themselves.
func (s *Settings) events(f *cli.Faults) {
	o := s.options()
	if err := o.Validate(); err != nil {
		f.Addf("format %s: %w", s.Format, err)
		return
	}
	named, unasked := o.NamesSchemas(), o.Unasked()
	if s.Labels != "" {
		labels, _, err := s.InTopic(o)
		f.Check("labels", err)
		named, unasked = named || err == nil && labels.NamesSchemas(), unasked || err == nil && labels.Unasked()
	}
	s.ask(named, unasked, f)
}

// labelRecords is how label records are decoded, and a decoder.
func (s *Settings) labelRecords() (event.Options, *event.Decoder, error) {
	o, d, err := s.InTopic(s.options())
	if err != nil || !o.Unasked() {
		return o, d, err
	}
	if err = s.schemas.take(&o); err == nil {
		d, err = event.NewLabels(o, s.ByKey())
	}
	return o, d, err
}

// options are those of run, but for the hash, which what is checked does not depend on.
func (s *Settings) options() event.Options {
	o := s.Events.Options(s.Format, event.Defaults(s.Format).Bits, 0)
	if o.Task = s.Task; s.schemas != nil {
		o.Schemas = s.schemas
	}
	_ = s.schemas.take(&o) // see clusterCheck.schema
	return o
}

// Run checks everything, or with --health a running daemon. The error is cli.ErrReported when a step failed.
func Run(ctx context.Context, program *cli.Program, s *Settings) error {
	if s.Timeout <= 0 {
		return cli.Usagef("--timeout %s: want a duration over 0, as 5s", s.Timeout)
	}
	if s.Health != "" {
		return s.health(ctx, program.Stdout)
	}
	cluster, err := s.Check()
	if err != nil {
		return err
	}
	l := &checklist{out: program.Stdout, color: cli.IsTerminal(program.Stdout) && os.Getenv("NO_COLOR") == ""}
	k := newClusterCheck(l, s, cluster)
	k.registry()
	k.run(ctx)
	k.start(ctx, cluster)
	l.fence(ctx, s, cluster)
	for _, folder := range k.folders() {
		l.folder(folder, s.Standby.Standby)
	}
	l.summarize()
	if l.failed > 0 {
		return cli.ErrReported
	}
	return nil
}

// folders are those of the checkpoints: one, or one for each partition of the input.
func (k *clusterCheck) folders() (all []string) {
	s := k.settings
	if !s.Split() {
		return []string{s.Folder(s.Model)}
	}
	n := 1
	if k.meta != nil {
		if t := k.find(s.Input); t != nil {
			n = max(n, len(t.Partitions))
		}
	}
	for p := range n {
		all = append(all, s.Folder(s.TaskModel(int32(p))))
	}
	return all
}
