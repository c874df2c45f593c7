package inspection

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
)

// Export writes a checkpoint, with all that it builds on, as one file. It replaces none.
func Export(file *checkpoint.File, path string) (size int64, err error) {
	name := filepath.Base(path)
	if own := fmt.Sprintf("checkpoint-%d", file.Seq); strings.HasPrefix(name, "checkpoint-") && name != own {
		return 0, fmt.Errorf("%s: in a model's folder the number is the seq: want %s, or a name of another kind", path,
			own)
	}
	if _, err := os.Stat(path); err == nil {
		return 0, fmt.Errorf("%s exists: want the name of a new file", path)
	}
	return file.Export(nil, path)
}
