// Package broker is one connection to one broker: opened, encrypted, negotiated and logged in. It carries requests and
// responses of the Kafka protocol, franz-go's kmsg, one at a time. [Dialer.Connect] takes all the steps. The check
// before a start takes them one by one, to name the one that fails.
package broker
