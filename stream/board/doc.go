// Package board shows what a task does: its status, samples of what was rejected or predicted wrongly, and its timings.
//
// The owner of the state publishes a Status on the Board, and notes there what happened in between. Whoever asks gets a
// copy that does not change. The watcher looks at the topics from time to time, for the lag and for what was changed.
package board
