// Package daemon is what `rosenblatt run` does, apart from its command line, so that tests and the demo start the very
// same program.
//
// Settings holds every setting; Defaults gives those to start from, to which the brokers and the input have to be
// added. Resolve checks them, all at once, and makes of them what the packages below want. New puts a daemon together
// from them: the Kafka client, the task with its checkpoints, and the web server. Run runs it until the context ends.
package daemon
