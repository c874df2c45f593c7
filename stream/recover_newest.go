package stream

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// newest loads the newest valid checkpoint, of folder and topic; nil without one. Where none is valid, it returns the
// stop that this start accepts.
func (r *recovery) newest() (*checkpoint.File, *stops.Error, error) {
	t := r.t
	file, aside, err := t.newestFile()
	stop := t.invalidFolder(aside)
	if r.inTopic != nil {
		var invalid *stops.Error
		if file, invalid, err = t.restore(r.inTopic, file, err); invalid != nil {
			stop = invalid
		}
	}
	switch {
	case err == nil:
		return file, nil, nil
	case errors.As(err, new(*stops.Error)):
		return nil, nil, err
	case !errors.Is(err, checkpoint.ErrNoneValid):
		return nil, nil, stateStop(t.Store.Dir, err)
	}
	stop.Offer(stops.StateMissing, r.journalNow())
	if refused := t.Config.Judge(stop, nil); refused != nil {
		return nil, nil, refused
	}
	t.logAccepted(stop)
	return nil, stop, nil
}

// newestFile loads the folder's newest valid checkpoint.
func (t *Task) newestFile() (*checkpoint.File, []checkpoint.SetAside, error) {
	file, aside, err := t.Store.Newest()
	for _, a := range aside {
		t.Logger.Error().Str("file", a.From).Str("now", a.To).Err(a.Why).Msg("invalid checkpoint set aside")
	}
	return file, aside, err
}

// invalidFolder is the stop for a folder without a valid checkpoint.
func (t *Task) invalidFolder(aside []checkpoint.SetAside) *stops.Error {
	return &stops.Error{Name: stops.StateInvalid,
		What: fmt.Sprintf("%s holds checkpoints, and none of them is valid", t.Store.Dir),
		Safe: setAside(aside),
		Do: "put a checkpoint back from a backup; where one is named as building on another that is invalid, and you" +
			" can put that one back, rename the first back too: it is sound; or start a model from nothing with" +
			" --accept state-invalid,state-missing"}
}

func setAside(files []checkpoint.SetAside) string {
	if len(files) == 0 {
		return "nothing was changed; earlier starts renamed invalid files to *.corrupt"
	}
	names := make([]string, len(files))
	for i, a := range files {
		names[i] = fmt.Sprintf("%s to %s", filepath.Base(a.From), filepath.Base(a.To))
	}
	return "no file was removed but older *.corrupt ones; renamed were " + strings.Join(names, ", ")
}

// journalNow says of which journal the model is that a start from nothing gives up.
func (r *recovery) journalNow() (written []any) {
	for _, t := range topics.Written {
		is := r.top.Of(t)
		written = append(written, r.top.Cluster, is.Name, is.ID, ends(*is))
	}
	return written
}
