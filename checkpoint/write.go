package checkpoint

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
)

// WriteFile writes a self-contained file, atomically and durably, and replaces one at path. A nil fsys means OS.
func WriteFile(fsys FS, path string, header []byte, sections []Section) (bytes int64, err error) {
	fsys = cmp.Or[FS](fsys, OS{})
	dir := filepath.Dir(path)
	prepared, _, err := prepareSections(0, header, sections, Base{})
	if err != nil {
		return 0, fmt.Errorf("writing %s: %w", path, err)
	}
	bytes, _, err = writeFile(fsys, path+tempEnding(), path, func(w io.Writer) (int64, uint32, error) {
		return encode(w, header, prepared, nil)
	})
	if err != nil {
		return 0, explain("writing "+path, dir, err)
	}
	if err := fsys.SyncDir(dir); err != nil {
		return 0, explain("making "+path+" durable", dir, err)
	}
	return bytes, nil
}

// encodeFunc writes a file and returns its size and last sum.
type encodeFunc func(io.Writer) (size int64, sum uint32, err error)

// writeFile writes a temporary file, makes it durable and gives it its name. After an error it tries to remove it.
func writeFile(fsys FS, temp, path string, encode encodeFunc) (n int64, sum uint32, err error) {
	h, err := fsys.Create(temp)
	if err != nil {
		return 0, 0, err
	}
	n, sum, err = encode(h)
	if err == nil {
		//mutation:file-sync
		err = h.Sync()
	}
	if closing := h.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = fsys.Rename(temp, path)
	}
	if err != nil {
		_ = fsys.Remove(temp) // the next sweep tries again
	}
	return n, sum, err
}

// Export writes the checkpoint as a self-contained file (see WriteFile).
func (f *File) Export(fsys FS, path string) (bytes int64, err error) {
	sections := make([]Section, len(f.Sections))
	for i, s := range f.Sections {
		sections[i] = Bytes(s.Name, s.Data)
	}
	return WriteFile(fsys, path, f.Header, sections)
}
