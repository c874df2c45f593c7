// Package datasets finds the public data sets that tests measure learners on. Tests alone import it.
package datasets

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Provided are the files that .ci/data, at the top of the repository, gets from Python packages. Tests read others too,
// which no package ships.
var Provided = []string{
	"bananas/banana.zip", "breast_cancer/breast_cancer.csv", "digits/digits.csv.gz", "iris/iris.csv",
	"letter/letter.npz", "magic/magic.npz", "phishing/phishing.csv.gz", "segment/segment.csv",
}

// Path returns the path of a file of the data sets, "bananas/banana.zip": in ../shared/data beside the repository, or
// in rosenblatt/data of the user's cache folder, which .ci/data fills. Without the file the test is skipped; where the
// environment has CI, one that .ci/data provides must be there.
func Path(t testing.TB, name string) string {
	t.Helper()
	path := Find(name)
	provided := slices.Contains(Provided, name)
	switch {
	case path != "":
	case provided && os.Getenv("CI") != "":
		t.Fatalf("no data set %s: .ci/data gets it", name)
	case provided:
		t.Skipf("no data set %s: .ci/data gets it", name)
	default:
		t.Skipf("no data set %s in ../shared/data beside the repository", name)
	}
	return path
}

// Find returns the path of a file of the data sets, "" if it is missing.
func Find(name string) string {
	for _, folder := range folders() {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// folders are where data sets may be.
func folders() (all []string) {
	if top := repository(); top != "" {
		all = append(all, filepath.Join(top, "..", "shared", "data"))
	}
	if cache, err := os.UserCacheDir(); err == nil {
		all = append(all, filepath.Join(cache, "rosenblatt", "data"))
	}
	return all
}

// repository is the folder of go.mod, "" outside.
func repository() string {
	for dir, err := os.Getwd(); err == nil && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	return ""
}
