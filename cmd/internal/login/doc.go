// Package login makes the SASL mechanisms by which commands log in at brokers. Each login reads its password, token or
// keys again, so that they can be exchanged while a daemon runs. What cannot be had is a *broker.NoCredentials, final
// where whoever gives it out has refused.
package login
