package daemon

import "rosenblatt/cmd/internal/cli"

// FlagHelp implements cli.Documented.
func (Connection) FlagHelp() cli.Help {
	return `
brokers: Addresses of one or more of the cluster's brokers; the others are found through them.
client-id: The name brokers see, in their logs and quotas (default: ${default}).
rack: Where this runs, as the broker.rack of the brokers there: input and labels are read from the replica nearby.
tls: Encrypt the connections. Any other --tls-... flag turns it on too.
tls-ca: Certificates (PEM) of those who may sign a broker's (default: the system's).
tls-cert: This client's certificate (PEM), where brokers ask for one; with --tls-key.
tls-key: The key (PEM) of --tls-cert.
tls-server-name: The name a broker's certificate must have (default: the host connected to).
sasl: Log in with a password (plain, scram-sha-256, scram-sha-512), a token (oauthbearer) or keys of AWS (aws-msk-iam).
sasl-user: The user to log in with a password.
sasl-password-file: A file with the password, one line; or put it into ROSENBLATT_SASL_PASSWORD.
sasl-token-file: With oauthbearer: a file with the token, one line, read again at each login.
sasl-token-url: With oauthbearer: where a server gives tokens for the credentials of a client.
sasl-client-id: With --sasl-token-url: the client.
sasl-client-secret-file: With --sasl-token-url: a file with the client's secret, one line, read again for each token.
sasl-scope: With --sasl-token-url: a scope of the token. May be given several times.
sasl-extension: With oauthbearer: what the brokers want beside the token, as logicalCluster=lkc-1 (several times).
`
}

// FlagHelp implements cli.Documented.
func (Topics) FlagHelp() cli.Help {
	return `
input: The topic of events to predict and learn from.
output: The topic of predictions, of this model alone (default: INPUT.predictions).
dead-letter: The topic of events, and of labels, that were rejected (default: INPUT.dlq).
model: The model's name (default: INPUT).
model-per: One model for all partitions of the input, or one for each partition, MODEL.0, MODEL.1 ..., which learns from
	that alone (default: ${default}).
group: The consumer group in which positions are shown to lag tools (default: rosenblatt-MODEL).
state: Checkpoints are in FOLDER/MODEL (default: ${default}).
checkpoint-topic: A compacted topic that holds the checkpoints as well, so that the folder may be lost; models may share
	it (default: none).
create-topics: Create the topics that are written where missing, and widen an output narrower than the input; a start
	that fails does neither.
`
}

// FlagHelp implements cli.Documented.
func (Running) FlagHelp() cli.Help {
	return `
checkpoint-interval: Time between checkpoints (default: ${default}).
checkpoint-every: Predictions between checkpoints, besides the interval (default: 0, by time only).
until-end: End at the last stable offsets that the input has at the start, and say what is left behind them.
by: Count decisions of two labels by the values of these fields, at most four: json or csv.
compression: How what is written is packed (default: ${default}).
max-batch-bytes: Most bytes that one batch of the input may unpack to (default: ${default}).
chunk-records: Most predictions of a partition that are written at once (default: ${default}).
decoders: Goroutines that decode events (default: ${default}).
no-profile: Do not look at what the fields of events hold.
profile-reference: Compare the fields with those of this file, which replay --profile or GET /profile wrote (default:
	those of the checkpoint, or the first events).
max-schemas: Most schemas that events may name, with a schema registry (default: ${default}).
`
}

// FlagHelp implements cli.Documented.
func (Web) FlagHelp() cli.Help {
	return `
http: Address of the page, /metrics, /status and /predict; off for none (default: ${default}).
http-token-file: A file with the token that requests must bear, one line.
http-open: Let everybody in who can reach --http; needed, or a token, when that is not this machine only.
http-host: Names of this server, besides localhost and IP addresses; requests by other names are refused.
pprof: Serve /debug/pprof as well.
`
}

// FlagHelp implements cli.Documented.
func (Logging) FlagHelp() cli.Help {
	return `
log-level: What is logged, from which level on (default: ${default}).
log-format: How it is logged; auto is console on a terminal (default: ${default}).
`
}

// FlagHelp implements cli.Documented.
func (Accepting) FlagHelp() cli.Help {
	return `
accept: Go on in spite of these named stops; what is given up is logged and kept in the checkpoint. With the token that
	a stop prints only what that one names is accepted: this may stay, in the environment and in a file, too. Without
	a token it is for this start only, on the command line, and not for --standby.
`
}

// FlagHelp implements cli.Documented.
func (Once) FlagHelp() cli.Help {
	return `
skip: Pass over these offsets (both included) of input partition P.
`
}
