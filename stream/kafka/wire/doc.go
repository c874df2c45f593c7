// Package wire is one connection to one broker: it is opened, encrypted, negotiated and logged in, step by
// step or all at once, and then carries requests and responses of the Kafka protocol, one at a time.
//
// The messages are those of franz-go's kmsg, a pure encoding. A [Dialer] says how connections are made;
// [Dialer.Connect] takes all the steps, which package kafka does for each connection of its pool. The check before a
// start takes them one by one, to say which of them fails.
package wire
