package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestComposeTopics: every topic of the daemon is made, fit for it.
func TestComposeTopics(t *testing.T) {
	p, m := loadCompose(t), readDockerfile(t)
	s := p.Services[topicsService]
	if s.Image != p.Services[brokerService].Image {
		t.Errorf("image %q, the broker's is %q", s.Image, p.Services[brokerService].Image)
	}
	if len(s.Command) != 3 || s.Command[0] != "/bin/bash" || s.Command[1] != "-euc" {
		t.Fatalf("the command is %q: want a script that ends at the first failure", s.Command)
	}
	partitions := map[any]int{}
	for line := range strings.Lines(s.Command[2]) {
		flags := map[string]string{}
		words := strings.Fields(line)
		for i, w := range words[:len(words)-1] {
			flags[w] = words[i+1]
		}
		n, err := strconv.Atoi(flags["--partitions"])
		if err != nil || words[0] != "./kafka-topics.sh" || !slices.Contains(words, "--create") ||
			!slices.Contains(words, "--if-not-exists") ||
			flags["--replication-factor"] != "1" || flags["--bootstrap-server"] != brokerService+":9092" ||
			strings.Contains(line, "cleanup.policy") {
			t.Errorf("%s: %v", line, err)
		}
		partitions[flags["--topic"]] = n
	}
	set := settings(t, p.Services[daemonService], m)
	if in, out, dead := partitions[set["input"]], partitions[set["output"]], partitions[set["dead-letter"]]; in != 4 ||
		out != 4 || dead < 1 || len(partitions) != 3 {
		t.Errorf("partitions are %v, topics %v, %v, %v", partitions, set["input"], set["output"], set["dead-letter"])
	}
}
