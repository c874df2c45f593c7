package inspection

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/schema"
)

// Export writes a checkpoint, with all that it builds on, as one file. It replaces none. Where events name their
// schemas, what is known of these goes to a file beside it; known is nil for what is beside the checkpoint.
func Export(file *checkpoint.File, known *schema.Known, path string) (size int64, err error) {
	name := filepath.Base(path)
	if own := fmt.Sprintf("checkpoint-%d", file.Seq); strings.HasPrefix(name, "checkpoint-") && name != own {
		return 0, fmt.Errorf("%s: in a model's folder the number is the seq: want %s, or a name of another kind", path,
			own)
	}
	if _, err := os.Stat(path); err == nil {
		return 0, fmt.Errorf("%s exists: want the name of a new file", path)
	}
	if known == nil {
		if known, err = schema.Of(file.Path); err != nil {
			return 0, err
		}
	}
	if all := known.Entries(); len(all) > 0 {
		to := schema.File{Path: schema.ExportName(path)}
		if err := to.Replace(all); err != nil {
			return 0, err
		}
	}
	return file.Export(nil, path)
}
