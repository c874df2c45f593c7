// Package state holds what a task is configured with (Config), and what it knows at one moment (State).
//
// A State is a checkpoint in use. It has the model and its counts, the seq, the positions, what waits for labels, and
// the dead letters that were found. Recovery, live handling and followers change it by the same methods. So what one of
// them learned, another one learns again to the same bits. It does no I/O but opening readers.
package state
