package main

import (
	"archive/zip"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rosenblatt/learner/datasets"
	"rosenblatt/stream/streamtest"
)

// golden is a row of the golden numbers: what any correct implementation computes.
type golden struct {
	scale, learner    string
	mistakes, updates int64
}

// goldenSet is a data set with its rows.
type goldenSet struct {
	name      string
	path      string // of its file, among the data sets
	flags     []string
	noChange  int64
	tolerance int64 // the order of summation may move a count by 2, collisions of names by more
	rows      []golden
}

// riverScale is the rule of River's StandardScaler.
const riverScale = "standard:centre=always"

var goldenSets = []goldenSet{
	{"elec2", "elec2/electricity.csv", []string{"--label-field", "class", "--positive", "UP"}, 6647, 2,
		[]golden{
			{"none", "perceptron", 6930, 6931}, {"none", "perceptron:update=mistake", 6977, 6977},
			{"none", "perceptron:threshold=1", 6901, 7606},
			{"none", "averaged", 18803, 6931}, {"none", "pa", 6702, 18149}, {"none", "pa1:C=1", 6702, 18148},
			{"none", "pa2:C=1", 6702, 20371},
			{"none", "arow:r=1", 12199, 45036},
			{riverScale, "perceptron", 4041, 4042}, {riverScale, "perceptron:update=mistake", 4023, 4023},
			{riverScale, "perceptron:threshold=1", 3955, 4654},
			{riverScale, "averaged", 11502, 4042}, {riverScale, "pa", 3482, 9858}, {riverScale, "pa1:C=1", 3488, 9854},
			{riverScale, "pa2:C=1", 3467, 10512},
			{riverScale, "arow:r=1", 10798, 37506},
			{"standard", "perceptron", 4073, 4074}, {"standard", "perceptron:update=mistake", 4051, 4051},
			{"standard", "perceptron:threshold=1", 3940, 4555},
			{"standard", "averaged", 11465, 4074}, {"standard", "pa", 3475, 9913}, {"standard", "pa1:C=1", 3481, 9910},
			{"standard", "pa2:C=1", 3465, 10525}, {"standard", "arow:r=1", 10736, 36792},
		}},
	{"phishing", "phishing/phishing.csv.gz", []string{"--label-field", "is_phishing"}, 605, 2, []golden{
		{"none", "perceptron", 204, 217}, {"none", "perceptron:update=mistake", 213, 213},
		{"none", "perceptron:threshold=1", 201, 272},
		{"none", "averaged", 144, 217}, {"none", "pa", 202, 489}, {"none", "pa1:C=1", 197, 478},
		{"none", "pa2:C=1", 195, 510}, {"none", "arow:r=1", 162, 972},
		{"standard", "perceptron", 176, 177}, {"standard", "perceptron:update=mistake", 194, 194},
		{"standard", "perceptron:threshold=1", 178, 211},
		{"standard", "averaged", 137, 177}, {"standard", "pa", 178, 403}, {"standard", "pa1:C=1", 178, 403},
		{"standard", "pa2:C=1", 178, 417}, {"standard", "arow:r=1", 143, 609},
	}},
	{"a9a", "a9a/a9a", []string{"--format", "libsvm"}, 11944, 2, []golden{
		{"none", "perceptron", 6689, 6948}, {"none", "perceptron:update=mistake", 6751, 6751},
		{"none", "perceptron:threshold=1", 6625, 7458},
		{"none", "averaged", 5064, 6948}, {"none", "pa", 6797, 12922}, {"none", "pa1:C=1", 6797, 12922},
		{"none", "pa2:C=1", 6751, 13125}, {"none", "arow:r=1", 5087, 19369},
	}},
	{"rcv1_small", "rcv1_small/rcv1_small.dat", []string{"--format", "vw", "--bits", "24"}, 486, 6,
		[]golden{
			{"none", "perceptron", 274, 274}, {"none", "perceptron:update=mistake", 274, 274},
			{"none", "perceptron:threshold=1", 275, 576},
			{"none", "averaged", 219, 274}, {"none", "pa", 269, 837}, {"none", "pa1:C=1", 269, 836},
			{"none", "pa2:C=1", 262, 888}, {"none", "arow:r=1", 161, 950},
		}},
	{"bananas", "bananas/banana.zip", []string{"--format", "libsvm"}, 2600, 2, []golden{
		{"none", "perceptron", 2575, 2575}, {"none", "perceptron:update=mistake", 2575, 2575},
		{"none", "perceptron:threshold=1", 2596, 3338},
		{"none", "averaged", 2254, 2575}, {"none", "pa", 2583, 3986}, {"none", "pa1:C=1", 2600, 4084},
		{"none", "pa2:C=1", 2594, 4436}, {"none", "arow:r=1", 2302, 5300},
		{"standard", "perceptron", 2560, 2560}, {"standard", "perceptron:update=mistake", 2560, 2560},
		{"standard", "perceptron:threshold=1", 2597, 3342},
		{"standard", "averaged", 2239, 2560}, {"standard", "pa", 2586, 3982}, {"standard", "pa1:C=1", 2593, 4085},
		{"standard", "pa2:C=1", 2589, 4431}, {"standard", "arow:r=1", 2308, 5300},
	}},
	// The baseline's first prediction is no class here, so that golden.md has no row of it.
	{"digits", "digits/digits.csv.gz",
		[]string{"--label-field", "c64", "--task", "multiclass", "--multiclass", "direct,ova,ovo", "--bits", "14"}, -1,
		2, []golden{
			{"standard", "perceptron direct", 205, 204}, {"standard", "perceptron ova", 247, 982},
			{"standard", "perceptron ovo", 192, 476},
		}},
	{"segment", "segment/segment.csv",
		[]string{"--label-field", "category", "--task", "multiclass", "--multiclass", "direct,ova,ovo", "--bits", "14"},
		-1, 2, []golden{
			{"standard", "perceptron direct", 387, 386}, {"standard", "perceptron ova", 480, 1150},
			{"standard", "perceptron ovo", 382, 570},
		}},
}

// TestReplayGolden reproduces the golden numbers through the command, all learners of a scale side by side.
func TestReplayGolden(t *testing.T) {
	t.Parallel()
	if testing.Short() || streamtest.Real() {
		t.Skip("every learner over every set: not with -short, and without brokers only")
	}
	for _, set := range goldenSets {
		t.Run(set.name, func(t *testing.T) {
			t.Parallel()
			path := set.readable(t, datasets.Path(t, set.path))
			for _, scale := range []string{"none", "standard", riverScale} {
				set.check(t, path, scale)
			}
		})
	}
}

// readable is the path of a file that replay can read: what is in an archive is taken out of it, and a table without
// names of its columns is given names.
func (s *goldenSet) readable(t *testing.T, path string) string {
	t.Helper()
	var text []byte
	switch filepath.Base(path) {
	case "banana.zip":
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer archive.Close()
		f, err := archive.File[0].Open()
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(f); err != nil {
			t.Fatal(err)
		}
		path = "bananas.libsvm"
	case "digits.csv.gz":
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		if text, err = io.ReadAll(z); err != nil {
			t.Fatal(err)
		}
		names := make([]string, 65)
		for i := range names {
			names[i] = fmt.Sprint("c", i)
		}
		text = append([]byte(strings.Join(names, ",")+"\n"), text...)
		path = "digits.csv"
	default:
		return path
	}
	return write(t, path, string(text))
}

// check replays all rows of a scale side by side; of large tables four at a time.
func (s *goldenSet) check(t *testing.T, path, scale string) {
	t.Helper()
	var rows []golden
	for _, row := range s.rows {
		if row.scale == scale {
			rows = append(rows, row)
		}
	}
	together := len(s.rows)
	if slices.Contains(s.flags, "24") {
		together = 4
	}
	for rows := range slices.Chunk(rows, together) {
		args := append([]string{path, "--scale", scale}, s.flags...)
		for _, row := range rows {
			if name, _, _ := strings.Cut(row.learner, " "); !slices.Contains(args, name) {
				args = append(args, "--learner", name)
			}
		}
		s.compare(t, replayJSON(t, "", args...), rows)
	}
}

func (s *goldenSet) compare(t *testing.T, got replayed, rows []golden) {
	t.Helper()
	if n := got.Baselines[0]; n.Name != "no-change" || s.noChange >= 0 && n.Mistakes != s.noChange {
		t.Errorf("%+v, want %d mistakes", n, s.noChange)
	}
	for _, row := range rows {
		l := got.learner(t, row.learner)
		if !near(l.Mistakes, row.mistakes, s.tolerance) || !near(l.Updates, row.updates, s.tolerance) {
			t.Errorf("%s, scale %s, %s: %d mistakes and %d updates, want %d and %d", s.name, row.scale, row.learner,
				l.Mistakes, l.Updates, row.mistakes, row.updates)
		}
		if want := fmt.Sprintf("%.9f", 1-float64(l.Mistakes)/float64(l.Examples)); want != fmt.Sprintf("%.9f",
			l.Accuracy) {
			t.Errorf("%s: accuracy %v, want %s", row.learner, l.Accuracy, want)
		}
	}
	if len(got.Learners) != len(rows) {
		t.Errorf("%d learners, want %d", len(got.Learners), len(rows))
	}
}

func near(got, want, tolerance int64) bool { return got >= want-tolerance && got <= want+tolerance }
