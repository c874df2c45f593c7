package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"rosenblatt/checkpoint"
)

// home is the folder of all data.
type home struct {
	path      string
	temporary bool
	release   func() error
}

// openHome creates and locks the folder. An empty path is a temporary one.
func openHome(path string) (*home, error) {
	h := &home{path: path, temporary: path == ""}
	if h.temporary {
		var err error
		if h.path, err = os.MkdirTemp("", "rosenblatt-demo-"); err != nil {
			return nil, fmt.Errorf("a folder for the demo's data: %w", err)
		}
	}
	// The broker opens its files before the daemon takes its lock, and two brokers would destroy them.
	release, err := (&checkpoint.Store{Dir: h.path}).Lock()
	switch {
	case errors.Is(err, checkpoint.ErrLocked):
		return nil, fmt.Errorf("another demo is running on %w: end it, or name another folder with --state", err)
	case err != nil:
		return nil, err
	}
	h.release = release
	return h, nil
}

func (h *home) broker() string { return filepath.Join(h.path, "broker") }

func (h *home) models() string { return filepath.Join(h.path, "models") }

// close releases the folder, and removes a temporary one.
func (h *home) close() error {
	err := h.release()
	if h.temporary {
		err = errors.Join(err, os.RemoveAll(h.path))
	}
	if err != nil {
		return fmt.Errorf("releasing the folder %s: %w", h.path, err)
	}
	return nil
}
