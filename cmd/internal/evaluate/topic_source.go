package evaluate

import (
	"cmp"
	"context"
	"slices"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// topicSource is partitions of a topic with their connections.
type topicSource struct {
	replay.Source
	topic   string
	coded   string
	clients []*kafka.Client
}

func (s *topicSource) name() string        { return "topic " + s.topic }
func (s *topicSource) format() string      { return s.coded }
func (s *topicSource) table() source.Table { return source.Table{} }
func (s *topicSource) notes() []string     { return nil }
func (s *topicSource) first() [][]byte     { return nil }

func (s *topicSource) close() {
	for _, c := range s.clients {
		c.Close()
	}
}

func (p *plan) openTopic(ctx context.Context) (input, error) {
	s := &topicSource{topic: p.Topic, coded: p.Format}
	if err := p.connect(ctx, s); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (p *plan) connect(ctx context.Context, s *topicSource) error {
	if p.Order == "journal" {
		return p.connectJournal(ctx, s)
	}
	client, err := p.client(s, kafka.Options{Input: p.Topic, Output: p.Topic + ".predictions"})
	if err != nil {
		return err
	}
	parts, err := p.parts(ctx, client)
	if err == nil && p.Labels != "" {
		return p.connectLabels(ctx, s, client, parts)
	}
	s.Source = replay.FromTopic(p.Topic, p.awaiting(client), parts)
	return err
}

// connectJournal follows a daemon's journal. A daemon may be writing, and ends are returned one after the other: the
// journal is followed up to the first ends, and read up to the last ones. All that precedes the first ones is below
// those of the input, the labels and the last ones.
func (p *plan) connectJournal(ctx context.Context, s *topicSource) error {
	o := kafka.Options{Input: p.Topic, Output: cmp.Or(p.Journal, p.Topic+".predictions")}
	if p.Labels != "" {
		o.Labels, o.Outcomes = p.Labels, cmp.Or(p.Outcomes, p.Topic+".outcomes")
	}
	client, err := p.client(s, o)
	if err != nil {
		return err
	}
	if len(p.Partitions) == 1 {
		client = client.Task(p.Partitions[0])
	}
	var parts replay.JournalParts
	extents := []struct {
		topic   topics.Topic
		parts   *[]topics.Part
		settled *[]int64
	}{{topics.Output, nil, &parts.Settled.Output}, {topics.Outcomes, nil, &parts.Settled.Outcomes},
		{topics.Input, &parts.Input, nil}, {topics.Labels, &parts.Labels, nil},
		{topics.Output, &parts.Output, nil}, {topics.Outcomes, &parts.Outcomes, nil}}
	for _, x := range extents {
		if p.Labels == "" && (x.topic == topics.Labels || x.topic == topics.Outcomes) {
			continue
		}
		starts, ends, err := daemon.Extent(ctx, client, x.topic)
		//mutation:outcomes-not-named
		if stops.Is(err, stops.TopicMissing) && x.topic == topics.Outcomes && p.Outcomes == "" {
			return cli.Usagef("outcomes: topic %s does not exist: name the daemon's topic of outcomes with --outcomes",
				o.Outcomes)
		}
		if err != nil {
			return err
		}
		if x.settled != nil {
			*x.settled = ends
		} else {
			*x.parts = whole(starts, ends)
		}
	}
	if p.Labels != "" {
		p.labelsOf(replay.LabelTopic{Name: p.Labels, Parts: parts.Labels})
	}
	s.Source = replay.FromJournal(p.Topic, p.awaiting(client), parts)
	return nil
}

// connectLabels joins all of a topic of labels with parts of the events.
func (p *plan) connectLabels(ctx context.Context, s *topicSource, events *kafka.Client, parts []topics.Part) error {
	client, err := p.client(s, kafka.Options{Input: p.Labels, Output: p.Topic})
	if err != nil {
		return err
	}
	starts, ends, err := daemon.Extent(ctx, client, topics.Input)
	if err != nil {
		return err
	}
	late := replay.LabelTopic{Name: p.Labels, Log: p.awaitingLabels(client), Parts: whole(starts, ends),
		Slack: p.LabelSlack.Milliseconds()}
	s.Source = replay.FromTopics(p.Topic, p.awaiting(events), parts, late)
	p.labelsOf(late)
	return nil
}

// labelsOf notes how the label records of a topic are read.
func (p *plan) labelsOf(late replay.LabelTopic) {
	p.lateFrom = &lateInput{format: cmp.Or(p.LabelsFormat, p.Format), where: late.Where}
	p.lateFrom.table.Columns = p.LabelsColumns
	if p.lateFrom.format == p.Format {
		p.lateFrom.table.Dialect = p.Dialect().Short()
		if p.LabelsColumns == nil {
			p.lateFrom.table.Columns = p.Columns
		}
	}
	for _, part := range late.Parts {
		if part.From < part.To {
			p.lateFrom.partitions = append(p.lateFrom.partitions, part.Partition)
		}
	}
}

// client opens topics. Not all that it names are read.
func (p *plan) client(s *topicSource, o kafka.Options) (*kafka.Client, error) {
	o.ClusterOptions, o.DeadLetters = p.cluster, o.Input+".dlq"
	o.Log = daemon.ConsoleLog(p.program.Stderr)
	client, err := kafka.New(o)
	if err == nil {
		s.clients = append(s.clients, client)
	}
	return client, err
}

func whole(starts, ends []int64) (parts []topics.Part) {
	for p := range starts {
		parts = append(parts, topics.Part{Partition: int32(p), From: starts[p], To: ends[p]})
	}
	return parts
}

// parts returns what lies between --from and --to.
func (p *plan) parts(ctx context.Context, client *kafka.Client) ([]topics.Part, error) {
	all, err := daemon.Between(ctx, client, topics.Input, p.start, p.end)
	if err != nil {
		return nil, err
	}
	if len(p.Partitions) == 0 {
		return all, nil
	}
	for _, n := range p.Partitions {
		if n < 0 || int(n) >= len(all) {
			return nil, cli.Usagef("partitions: %d: topic %s has partitions 0 to %d", n, p.Topic, len(all)-1)
		}
	}
	unwanted := func(part topics.Part) bool { return !slices.Contains(p.Partitions, part.Partition) }
	return slices.DeleteFunc(all, unwanted), nil
}
