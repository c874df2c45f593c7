// Package wire is one connection to one broker: it is opened, encrypted, negotiated and logged in, and then carries
// requests and responses of the Kafka protocol, franz-go's kmsg, one at a time. [Dialer.Connect] takes all the steps,
// for the pool of package kafka; the check before a start takes them one by one, to say which of them fails.
package wire
