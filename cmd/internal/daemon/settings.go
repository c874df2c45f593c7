package daemon

import "time"

// Settings is all that a daemon can be told; Defaults gives a start. A text left empty means what follows from other
// settings, as its help says. The tags are those of github.com/alecthomas/kong: a field's name in kebab case is the
// name of the flag, of the key in a configuration file and, in capitals with underscores behind ROSENBLATT_, of the
// environment variable. What is tagged cmdline is a flag only.
type Settings struct {
	Connection `embed:"" group:"Connection"`
	Topics     `embed:"" group:"Topics and places"`
	Events     `embed:"" group:"Events"`
	Learning   `embed:"" group:"Learning"`
	Classes    `embed:"" group:"Several classes"`
	Running    `embed:"" group:"Running"`
	Web        `embed:"" group:"HTTP"`
	Logging    `embed:"" group:"Logs"`
	Once       `embed:"" group:"This start only (not in the environment, not in a file)"`
}

// Connection says how to reach the brokers.
type Connection struct {
	Brokers       []string `placeholder:"HOST:PORT" help:"Addresses of one or more of the cluster's brokers; the others are found through them."`
	ClientID      string   `default:"rosenblatt" placeholder:"NAME" help:"The name brokers see, in their logs and quotas (default: ${default})."`
	TLS           bool     `help:"Encrypt the connections. Any other --tls-... flag turns it on too."`
	TLSCA         string   `name:"tls-ca" placeholder:"FILE" help:"Certificates (PEM) of those who may sign a broker's (default: the system's)."`
	TLSCert       string   `name:"tls-cert" placeholder:"FILE" help:"This client's certificate (PEM), where brokers ask for one; with --tls-key."`
	TLSKey        string   `name:"tls-key" placeholder:"FILE" help:"The key (PEM) of --tls-cert."`
	TLSServerName string   `name:"tls-server-name" placeholder:"NAME" help:"The name a broker's certificate must have (default: the host connected to)."`
	SASL          string   `name:"sasl" placeholder:"plain|scram-sha-256|scram-sha-512" help:"Log in with plain, scram-sha-256 or scram-sha-512."`
	SASLUser      string   `name:"sasl-user" placeholder:"NAME" help:"The user to log in."`

	SASLPasswordFile string `name:"sasl-password-file" placeholder:"FILE" help:"A file with the password, one line; or put it into ROSENBLATT_SASL_PASSWORD."`
	SASLPassword     string `kong:"-"` // instead of the one in the environment
}

// PasswordEnv is the environment variable of the password. It has no flag, since other users can read a command line.
const PasswordEnv = "ROSENBLATT_SASL_PASSWORD"

// Topics says which topics, and where the model's state is.
type Topics struct {
	Input      string `placeholder:"TOPIC" help:"The topic of events to predict and learn from."`
	Output     string `placeholder:"TOPIC" help:"The topic of predictions, of this model alone (default: INPUT.predictions)."`
	DeadLetter string `placeholder:"TOPIC" help:"The topic of events that were rejected (default: INPUT.dlq)."`
	Model      string `placeholder:"NAME" help:"The model's name (default: INPUT)."`
	Group      string `placeholder:"NAME" help:"The consumer group in which positions are shown to lag tools (default: rosenblatt-MODEL)."`
	State      string `default:"./state" placeholder:"FOLDER" help:"Checkpoints are in FOLDER/MODEL (default: ${default})."`

	CreateTopics bool `help:"Create the output and dead-letter topics where missing, and widen an output narrower than the input."`
}

// Events says how events are read.
type Events struct {
	Format        string   `default:"json" placeholder:"${formats}" help:"How an event is written (default: ${default})."`
	LabelField    string   `placeholder:"NAME" help:"The field with the label, in json a dotted path (default: label)."`
	IDField       string   `name:"id-field" placeholder:"NAME" help:"The field that identifies an event; it is copied into the prediction (default: id)."`
	FeaturesField string   `placeholder:"NAME" help:"The field with the features, json only (default: features); events without it are features themselves."`
	WeightField   string   `placeholder:"NAME" help:"The field with an event's weight (default: none, every event weighs 1)."`
	TextField     string   `placeholder:"NAME" help:"The field with text, which is split into words."`
	Ignore        []string `placeholder:"NAME" help:"Fields that are no features."`
	Columns       []string `placeholder:"NAME" help:"The columns of a table such as csv, in order."`
	Positive      string   `placeholder:"LABEL" help:"The label to tell from all others."`
	LabelNames    []string `placeholder:"NAME" help:"The spellings of the negative and the positive label (default: -1/1, 0/1 or false/true, whichever is met first)."`
	Tombstones    string   `default:"reject" placeholder:"reject|skip" help:"What becomes of events that are null (default: ${default})."`
	MaxBytes      int      `default:"1048576" placeholder:"N" help:"Longest key and value of an event, in bytes (default: ${default})."`
	MaxDepth      int      `default:"32" placeholder:"N" help:"Deepest nesting of json, 1 to 1000 (default: ${default})."`
	MaxFeatures   int      `default:"10000" placeholder:"N" help:"Most features of an event (default: ${default})."`
}

// Learning says what learns, and how.
type Learning struct {
	Learner   string `default:"perceptron" placeholder:"${learners}" help:"What learns, with parameters if any: perceptron:rate=0.5,threshold=1 (default: ${default})."`
	Scale     string `placeholder:"standard|maxabs|none" help:"How features are scaled (default: ${scales})."`
	Bits      int    `default:"18" placeholder:"N" help:"Features share 2^N weights, 1 to 30 (default: ${default})."`
	Seed      uint64 `default:"0" placeholder:"N" help:"Seed of the hash that gives a feature its weight (default: ${default})."`
	MaxNames  int    `default:"262144" placeholder:"N" help:"Most feature names remembered, for reading weights (default: ${default})."`
	Weights   string `placeholder:"FILE" help:"Weights a new model starts from: a JSON object, name: number; \"bias\" is the bias."`
	FromModel string `placeholder:"FILE" help:"The model a new model starts from: a checkpoint, or what train wrote."`
	NoLearn   bool   `help:"Only predict, never learn."`
	Start     string `default:"earliest" placeholder:"earliest|latest|TIME" help:"Where a new model begins; TIME is RFC 3339 or milliseconds since 1970 (default: ${default})."`
}

// Classes says how more than two labels are told apart.
type Classes struct {
	Task       string `default:"binary" placeholder:"binary|multiclass" help:"Whether labels are one of two, or one of any number of classes, which are discovered as they come (default: ${default})."`
	Multiclass string `placeholder:"direct|ova|ovo" help:"One vector a class, one learner a class against all others, or one learner a pair, which vote (default: direct, where the learner has it, else ova)."`
	MaxClasses int    `placeholder:"N" help:"Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100)."`
	Scores     bool   `help:"Put the scores of all classes into each prediction."`
}

// Running says how the daemon works.
type Running struct {
	CheckpointInterval time.Duration `default:"10s" placeholder:"DURATION" help:"Time between checkpoints (default: ${default})."`
	CheckpointEvery    int64         `default:"0" placeholder:"N" help:"Predictions between checkpoints, besides the interval (default: 0, by time only)."`
	UntilEnd           bool          `help:"End at what is the input's end at the start, instead of waiting for more."`
	Compression        string        `default:"none" placeholder:"none|lz4|zstd|snappy|gzip" help:"How what is written is packed (default: ${default})."`
	MaxBatchBytes      int64         `default:"67108864" placeholder:"N" help:"Most bytes that one batch of the input may unpack to (default: ${default})."`
	ChunkRecords       int           `default:"8192" placeholder:"N" help:"Most events predicted in one go (default: ${default})."`
	Decoders           int           `default:"2" placeholder:"N" help:"Goroutines that decode events (default: ${default})."`
}

// Web says how the daemon shows itself.
type Web struct {
	HTTP          string `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address of the page, /metrics, /status and /predict; off for none (default: ${default})."`
	HTTPTokenFile string `name:"http-token-file" placeholder:"FILE" help:"A file with the token that requests must bear, one line."`
	HTTPOpen      bool   `name:"http-open" help:"Let everybody in who can reach --http; needed, or a token, when that is not this machine only."`
	PProf         bool   `name:"pprof" help:"Serve /debug/pprof as well."`

	AnyPort bool `kong:"-"` // take a free port when that of HTTP is taken; for the demo
}

// Logging says what is logged, to standard error.
type Logging struct {
	LogLevel  string `default:"info" placeholder:"debug|info|warn|error" help:"What is logged, from which level on (default: ${default})."`
	LogFormat string `default:"auto" placeholder:"auto|console|json" help:"How it is logged; auto is console on a terminal (default: ${default})."`
}

// Once holds what an operator decides for one start.
type Once struct {
	Accept []string `cmdline:"" placeholder:"STOP" help:"Go on in spite of these named stops; what is given up is logged and kept in the checkpoint."`
	Skip   []string `cmdline:"" placeholder:"P:FROM-TO" help:"Pass over these offsets (both included) of input partition P."`
}
