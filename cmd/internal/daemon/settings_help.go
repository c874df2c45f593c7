package daemon

import "rosenblatt/cmd/internal/cli"

// FlagHelp implements cli.Documented.
func (Connection) FlagHelp() cli.Help {
	return `
brokers: Addresses of one or more of the cluster's brokers; the others are found through them.
client-id: The name brokers see, in their logs and quotas (default: ${default}).
tls: Encrypt the connections. Any other --tls-... flag turns it on too.
tls-ca: Certificates (PEM) of those who may sign a broker's (default: the system's).
tls-cert: This client's certificate (PEM), where brokers ask for one; with --tls-key.
tls-key: The key (PEM) of --tls-cert.
tls-server-name: The name a broker's certificate must have (default: the host connected to).
sasl: Log in with plain, scram-sha-256 or scram-sha-512.
sasl-user: The user to log in.
sasl-password-file: A file with the password, one line; or put it into ROSENBLATT_SASL_PASSWORD.
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
create-topics: Create the topics that are written where missing, and widen an output narrower than the input.
`
}

// FlagHelp implements cli.Documented.
func (Events) FlagHelp() cli.Help {
	return `
format: How an event is written (default: ${default}).
label-field: The field with the label, in json a dotted path (default: label).
id-field: The field that identifies an event; it is copied into the prediction (default: id).
features-field: The field with the features, json only (default: features); events without it are features themselves.
weight-field: The field with an event's weight (default: none, every event weighs 1).
text-field: The field with text, which is split into words.
ignore: Fields that are no features.
columns: The columns of a table such as csv, in order.
delimiter: What separates the columns: a comma, ";", "|" or tab (default: a comma; of a file that is
	replayed or trained on, what its first row has).
missing: Words that mean a missing value in csv, as a blank cell does; none for none (default: ${missing}; a model begun
	before there was this setting keeps none).
positive: The label to tell from all others.
label-names: The spellings of the negative and the positive label (default: -1/1, 0/1 or false/true, whichever is met
	first).
tombstones: What becomes of events that are null, or whose features field is (default: ${default}).
unknown: What becomes of an event with a value that cannot be a feature, in json an array of objects or of several
	kinds: it is rejected, or that value is skipped (default: ${default}).
max-bytes: Longest key and value of an event, in bytes (default: ${default}).
max-depth: Deepest nesting of json, 1 to 1000 (default: ${default}).
max-features: Most features of an event (default: ${default}).
`
}

// FlagHelp implements cli.Documented.
func (Learning) FlagHelp() cli.Help {
	return `
learner: What learns, with parameters if any: perceptron:rate=0.5,threshold=1 (default: ${default}).
scale: How features are scaled; standard may have a half-life and a clip: standard:half-life=10000,clip=5 (default:
	${scales}).
bits: Features share 2^N weights, 1 to 30 (default: ${default}).
seed: Seed of the hash that gives a feature its weight (default: ${default}).
max-names: Most feature names remembered, for reading weights (default: ${default}).
weights: Weights a new model starts from: a JSON object, name: number; "bias" is the bias.
start-weights: The weights of a new model that no file gives: 0, or random between -1 and 1, by --seed (default:
	${default}).
from-model: The model a new model starts from: a checkpoint, a folder of some (then its newest), or what train wrote.
no-learn: Only predict, never learn.
start: Where a new model begins, in input and labels; TIME is RFC 3339 or milliseconds since 1970 (default: ${default}).
`
}

// FlagHelp implements cli.Documented.
func (Classes) FlagHelp() cli.Help {
	return `
task: Whether labels are one of two, or one of any number of classes, which are discovered as they come (default:
	${default}).
multiclass: One vector a class, one learner a class against all others, or one learner a pair, which vote; with
	ovo:ties=margin the scores decide between equal votes (default: direct, where the learner has it, else ova).
max-classes: Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100).
scores: Put the scores of all classes into each prediction.
`
}

// FlagHelp implements cli.Documented.
func (Running) FlagHelp() cli.Help {
	return `
checkpoint-interval: Time between checkpoints (default: ${default}).
checkpoint-every: Predictions between checkpoints, besides the interval (default: 0, by time only).
until-end: End at the last stable offsets that the input has at the start, and say what is left behind them.
compression: How what is written is packed (default: ${default}).
max-batch-bytes: Most bytes that one batch of the input may unpack to (default: ${default}).
chunk-records: Most predictions of a partition that are written at once (default: ${default}).
decoders: Goroutines that decode events (default: ${default}).
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
func (Once) FlagHelp() cli.Help {
	return `
accept: Go on in spite of these named stops; what is given up is logged and kept in the checkpoint.
skip: Pass over these offsets (both included) of input partition P.
`
}
