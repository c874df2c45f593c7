// Package daemon is what `rosenblatt run` does, apart from its command line, so that tests and the demo start the same
// program.
//
// Settings holds every setting; Defaults returns those to start from. Resolve checks all of them and converts them to
// the options of the packages below. New builds a Daemon.
package daemon
