package main

import (
	"path/filepath"
	"testing"

	"rosenblatt/cmd/internal/cli"
)

func TestTrainUsage(t *testing.T) {
	t.Parallel()
	path := write(t, "and.csv", andFile)
	for want, args := range map[string][]string{
		"algorithm":            {"--algorithm", "svm"},
		"kernel":               {"--algorithm", "dual:kernel=cubic"},
		"order":                {"--order", "sorted"},
		"until":                {"--until", "dawn"},
		"keep":                 {"--keep", "all"},
		"rate: 0:":             {"--rate", "0"},
		"rate 2":               {"--rate", "2"},
		"threshold":            {"--threshold", "-1"},
		"validation":           {"--validation", "1"},
		"max-passes":           {"--max-passes", "0"},
		"patience":             {"--patience", "0"},
		"tolerance":            {"--tolerance", "0"},
		"scale":                {"--scale", "log"},
		"bits":                 {"--bits", "31"},
		`no-features: "maybe"`: {"--no-features", "maybe"}, `ids: "any"`: {"--ids", "any"},
		"weights":               {"--weights", "nowhere.json"},
		"2 settings are wrong":  {"--bits", "0", "--max-passes", "0"},
		"are the same label":    {"--label-names", "a,a"},
		"unknown format":        {"--format", "xlsx"},
		"unexpected argument x": {"x"},
	} {
		call(t, "", append([]string{"train", path}, args...)...).want(t, cli.ExitUsage, "", want)
	}
	call(t, "", "train", filepath.Join(t.TempDir(), "gone.csv")).want(t, cli.ExitFailed, "", "check the path")
	call(t, andFile, "train", "-").want(t, cli.ExitUsage, "", "--format")
	call(t, andFile, "train", "-", "--format", "csv").want(t, cli.ExitDone, "\nseparated  9 ", "")
	call(t, "", "train", path, "--out", t.TempDir()).want(t, cli.ExitUsage, "", "is not a file")
}
