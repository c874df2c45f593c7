package kafka

import "rosenblatt/stream/topics"

// all are the task's topics.
func (o *Options) all() []topics.Topic {
	if o.Outcomes == "" {
		return []topics.Topic{topics.Input, topics.Output, topics.DeadLetters}
	}
	return []topics.Topic{topics.Input, topics.Output, topics.DeadLetters, topics.Outcomes}
}

// written are those that the task writes.
func (o *Options) written() []topics.Topic {
	if o.Outcomes == "" {
		return []topics.Topic{topics.Output, topics.DeadLetters}
	}
	return topics.Written[:]
}

func (o *Options) name(t topics.Topic) string {
	switch t {
	case topics.Output:
		return o.Output
	case topics.Outcomes:
		return o.Outcomes
	case topics.DeadLetters:
		return o.DeadLetters
	}
	return o.Input
}

func (o *Options) names(all []topics.Topic) []string {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = o.name(t)
	}
	return names
}
