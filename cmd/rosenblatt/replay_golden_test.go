package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// golden is a row of the golden numbers: what any correct implementation gives.
type golden struct {
	scale, learner    string
	mistakes, updates int64
}

// goldenSet is a data set with its rows.
type goldenSet struct {
	name      string
	path      []string // in the folder of shared data
	flags     []string
	noChange  int64
	tolerance int64 // the order of summation may move a count by 2, collisions of names by more
	rows      []golden
}

var goldenSets = []goldenSet{
	{"elec2", []string{"elec2", "electricity.csv"}, []string{"--label-field", "class", "--positive", "UP"}, 6647, 2, []golden{
		{"none", "perceptron", 6930, 6931}, {"none", "perceptron:update=mistake", 6977, 6977}, {"none", "perceptron:threshold=1", 6901, 7606},
		{"none", "averaged", 18803, 6931}, {"none", "pa", 6702, 18149}, {"none", "pa1:C=1", 6702, 18148}, {"none", "pa2:C=1", 6702, 20371},
		{"none", "arow:r=1", 12199, 45036},
		{"standard", "perceptron", 4041, 4042}, {"standard", "perceptron:update=mistake", 4023, 4023}, {"standard", "perceptron:threshold=1", 3955, 4654},
		{"standard", "averaged", 11502, 4042}, {"standard", "pa", 3482, 9858}, {"standard", "pa1:C=1", 3488, 9854}, {"standard", "pa2:C=1", 3467, 10512},
		{"standard", "arow:r=1", 10798, 37506},
	}},
	{"phishing", []string{"phishing", "phishing.csv.gz"}, []string{"--label-field", "is_phishing"}, 605, 2, []golden{
		{"none", "perceptron", 204, 217}, {"none", "perceptron:update=mistake", 213, 213}, {"none", "perceptron:threshold=1", 201, 272},
		{"none", "averaged", 144, 217}, {"none", "pa", 202, 489}, {"none", "pa1:C=1", 197, 478}, {"none", "pa2:C=1", 195, 510}, {"none", "arow:r=1", 162, 972},
		{"standard", "perceptron", 176, 177}, {"standard", "perceptron:update=mistake", 194, 194}, {"standard", "perceptron:threshold=1", 178, 211},
		{"standard", "averaged", 137, 177}, {"standard", "pa", 178, 403}, {"standard", "pa1:C=1", 178, 403}, {"standard", "pa2:C=1", 178, 417}, {"standard", "arow:r=1", 143, 609},
	}},
	{"a9a", []string{"a9a", "a9a"}, []string{"--format", "libsvm"}, 11944, 2, []golden{
		{"none", "perceptron", 6689, 6948}, {"none", "perceptron:update=mistake", 6751, 6751}, {"none", "perceptron:threshold=1", 6625, 7458},
		{"none", "averaged", 5064, 6948}, {"none", "pa", 6797, 12922}, {"none", "pa1:C=1", 6797, 12922}, {"none", "pa2:C=1", 6751, 13125}, {"none", "arow:r=1", 5087, 19369},
	}},
	{"rcv1_small", []string{"rcv1_small", "rcv1_small.dat"}, []string{"--format", "vw", "--bits", "22"}, 486, 6, []golden{
		{"none", "perceptron", 274, 274}, {"none", "perceptron:threshold=1", 275, 576}, {"none", "averaged", 219, 274}, {"none", "pa", 269, 837},
		{"none", "pa2:C=1", 262, 888}, {"none", "arow:r=1", 161, 950},
	}},
}

// TestReplayGolden reproduces the golden numbers through the command, all learners of a scale side by side.
func TestReplayGolden(t *testing.T) {
	clearEnvironment(t)
	for _, set := range goldenSets {
		t.Run(set.name, func(t *testing.T) {
			path := filepath.Join(append([]string{"..", "..", "..", "shared", "data"}, set.path...)...)
			if _, err := os.Stat(path); err != nil {
				t.Skipf("the data set is not beside the project: %v", err)
			}
			for _, scale := range []string{"none", "standard"} {
				set.check(t, path, scale)
			}
		})
	}
}

func (s *goldenSet) check(t *testing.T, path, scale string) {
	args := append([]string{path, "--scale", scale}, s.flags...)
	wanted := 0
	for _, row := range s.rows {
		if row.scale == scale {
			args = append(args, "--learner", row.learner)
			wanted++
		}
	}
	if wanted == 0 {
		return
	}
	got := replayJSON(t, "", args...)
	if n := got.Baselines[0]; n.Name != "no-change" || n.Mistakes != s.noChange {
		t.Errorf("%+v, want %d mistakes", n, s.noChange)
	}
	for _, row := range s.rows {
		if row.scale != scale {
			continue
		}
		l := got.learner(t, row.learner)
		if !near(l.Mistakes, row.mistakes, s.tolerance) || !near(l.Updates, row.updates, s.tolerance) {
			t.Errorf("%s, scale %s, %s: %d mistakes and %d updates, want %d and %d", s.name, scale, row.learner, l.Mistakes, l.Updates, row.mistakes, row.updates)
		}
		if want := fmt.Sprintf("%.9f", 1-float64(l.Mistakes)/float64(l.Examples)); want != fmt.Sprintf("%.9f", l.Accuracy) {
			t.Errorf("%s: accuracy %v, want %s", row.learner, l.Accuracy, want)
		}
	}
	if len(got.Learners) != wanted {
		t.Errorf("%d learners, want %d", len(got.Learners), wanted)
	}
}

func near(got, want, tolerance int64) bool { return got >= want-tolerance && got <= want+tolerance }
