package stream

import (
	"errors"
	"slices"
	"syscall"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/stops"
)

func stateStop(dir string, err error) *stops.Error {
	s := &stops.Error{Name: stops.StateUnreadable, Cause: err,
		What: "the state in " + dir + " cannot be read: " + err.Error(), Safe: "nothing was changed",
		Do: "repair the disk or the rights on it, then start again; an older checkpoint is not taken in its place"}
	var other *checkpoint.OtherVersion
	var base *checkpoint.MissingBase
	switch {
	case errors.Is(err, checkpoint.ErrLocked):
		s.Name, s.What = stops.StateInUse, "the state folder is in use: "+err.Error()
		s.Do = "end the other process, or give this one another --state or --model"
	case errors.As(err, &base):
		s.What = err.Error()
		s.Do = "put it back: the others are sound; to start a model from nothing instead, move them away and start" +
			" with --accept state-missing"
	case errors.As(err, &other) && other.Older():
		s.Do = "start the program that wrote it; to begin the model anew with this one instead, move the folder away" +
			" and start with --accept state-missing"
	case errors.As(err, &other):
		s.Do = "start the program that wrote it, or a later one"
	case exhausted(err):
		s.Retriable = true
		s.Do = "free what ran out, or raise its limit, and start again; an older checkpoint is not taken in its place"
	}
	return s
}

// exhausted reports whether an error of the operating system says that something ran out that others may free.
func exhausted(err error) bool {
	return slices.ContainsFunc([]error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.EAGAIN, syscall.ENOSPC,
		syscall.EDQUOT}, func(what error) bool { return errors.Is(err, what) })
}
