package topics

import "slices"

// Names are the names of a task's topics.
type Names struct {
	Input       string // the topic of events
	Labels      string // the topic of label records; empty without later labels
	Output      string // the topic of predictions
	Outcomes    string // the topic of outcomes; empty without later labels
	DeadLetters string // the dead-letter topic
	Checkpoints string // the topic of checkpoints; empty where they are in the folder alone
}

// All are the task's topics: those that it reads, then those that it writes.
func (n *Names) All() []Topic { return append(n.Read(), n.Fenced()...) }

// Read are those that the task reads, the input first.
func (n *Names) Read() []Topic {
	if n.Labels == "" {
		return []Topic{Input}
	}
	return []Topic{Input, Labels}
}

// Reads reports whether the task reads a topic.
func (n *Names) Reads(name string) bool { return name == n.Input || name == n.Labels && name != "" }

// Written are those that the task writes as it handles records.
func (n *Names) Written() []Topic {
	if n.Outcomes == "" {
		return []Topic{Output, DeadLetters}
	}
	return Written[:]
}

// Fenced are those that a fence covers.
func (n *Names) Fenced() []Topic {
	if n.Checkpoints == "" {
		return n.Written()
	}
	return append(slices.Clone(n.Written()), Checkpoints)
}

// Of is the name of a topic.
func (n *Names) Of(t Topic) string {
	switch t {
	case Output:
		return n.Output
	case Outcomes:
		return n.Outcomes
	case DeadLetters:
		return n.DeadLetters
	case Labels:
		return n.Labels
	case Checkpoints:
		return n.Checkpoints
	}
	return n.Input
}

// Repeated reports whether a name is there twice.
func (n *Names) Repeated() bool {
	names := n.List(n.All())
	slices.Sort(names)
	return len(slices.Compact(names)) < len(names)
}

// List are the names of some topics.
func (n *Names) List(all []Topic) []string {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = n.Of(t)
	}
	return names
}
