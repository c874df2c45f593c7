package cli

import (
	"errors"
	"fmt"
)

// The exit codes.
const (
	ExitDone    = 0
	ExitFailed  = 1
	ExitUsage   = 2
	ExitFenced  = 3
	ExitStopped = 4 // a named stop that no restart mends
	ExitPartial = 5 // nothing is wrong, and not all was audited
)

// ErrReported ends a command that has already reported why it failed.
var ErrReported = errors.New("failed")

// ErrPartial ends a command that has reported what it left out: what it did is right.
var ErrPartial = errors.New("not all was audited")

// UsageError is a call that makes no sense as it is.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *UsageError) Unwrap() error { return e.Err }

// Usagef makes a UsageError.
func Usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// LoggedError is an error that was logged already: it only decides the exit code.
type LoggedError struct{ Err error }

func (e *LoggedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *LoggedError) Unwrap() error { return e.Err }
