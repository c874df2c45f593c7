package main

import (
	"io"
	"regexp"
	"strings"
	"testing"
)

// TestGuideNamesCommands: each command of rosenblatt that the guide has within a sentence or a table is one, with
// settings that there are.
func TestGuideNamesCommands(t *testing.T) {
	t.Parallel()
	inline := regexp.MustCompile("`rosenblatt ([a-z]+ [^`]*)`")
	count := 0
	for _, path := range append(guidePages(t), "README.md", guideIndex) {
		for _, m := range inline.FindAllStringSubmatch(page(t, path), -1) {
			// What stands for a file that is not there, and what the shell would have taken away.
			line := regexp.MustCompile(`--config \S+|['"]`).ReplaceAllString(m[1], "")
			words := strings.Fields(line)
			if strings.ToUpper(words[0]) == words[0] {
				continue
			}
			if strings.Contains(m[1], "--config") && words[0] != "verify" {
				words = append(words, "--brokers", "HOST:1", "--input", "events")
			}
			_, err := newProgram(nil, io.Discard, io.Discard).Parse(&commandLine{}, words)
			if err != nil {
				t.Errorf("%s: rosenblatt %s: %v", path, m[1], err)
			}
			count++
		}
	}
	if count < 15 {
		t.Errorf("only %d commands found", count)
	}
}
