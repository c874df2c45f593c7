// Package plan says how a start gets from the newest checkpoint, or from nothing, to a live model.
//
// It compares the checkpoint with the configuration and the topics. What does not fit is a stop, which a start may
// accept. Nothing is read or written here: the same arguments make the same Plan, so `rosenblatt check` asks as a start
// does.
package plan
