package checkpoint

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestJSONIsNoCheckpoint: a file of weights, in one line or many, is told from a checkpoint that is damaged.
func TestJSONIsNoCheckpoint(t *testing.T) {
	long := `{"bias":1,"weights":{` + strings.Repeat(`"x":1,`, 40)
	for _, text := range []string{"{\n  \"bias\": 1\n}\n", long, "{}"} {
		path := filepath.Join(t.TempDir(), "w.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(nil, path); err == nil || !strings.Contains(err.Error(), "it is json: --weights reads what") {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}
