package kafka

import (
	"slices"

	"rosenblatt/stream/topics"
)

// all are the task's topics: those that it reads, then those that it writes.
func (o *Options) all() []topics.Topic { return append(o.read(), o.fenced()...) }

// read are those that the task reads, the input first.
func (o *Options) read() []topics.Topic {
	if o.Labels == "" {
		return []topics.Topic{topics.Input}
	}
	return []topics.Topic{topics.Input, topics.Labels}
}

// reads reports whether the task reads a topic.
func (o *Options) reads(name string) bool { return name == o.Input || name == o.Labels && name != "" }

// written are those that the task writes as it handles records.
func (o *Options) written() []topics.Topic {
	if o.Outcomes == "" {
		return []topics.Topic{topics.Output, topics.DeadLetters}
	}
	return topics.Written[:]
}

// fenced are those that a fence covers.
func (o *Options) fenced() []topics.Topic {
	if o.Checkpoints == "" {
		return o.written()
	}
	return append(slices.Clone(o.written()), topics.Checkpoints)
}

func (o *Options) name(t topics.Topic) string {
	switch t {
	case topics.Output:
		return o.Output
	case topics.Outcomes:
		return o.Outcomes
	case topics.DeadLetters:
		return o.DeadLetters
	case topics.Labels:
		return o.Labels
	case topics.Checkpoints:
		return o.Checkpoints
	}
	return o.Input
}

// repeated reports whether a name is there twice.
func repeated(names []string) bool {
	slices.Sort(names)
	return len(slices.Compact(names)) < len(names)
}

func (o *Options) names(all []topics.Topic) []string {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = o.name(t)
	}
	return names
}
