package daemon

import "time"

// Settings is the configuration of a daemon. An empty text means what follows from other settings, as its help says.
// The tags are those of github.com/alecthomas/kong: a field's name in kebab case is the name of the flag, of the key in
// a configuration file and, in capitals with underscores after ROSENBLATT_, of the environment variable. What is
// tagged cmdline is a flag only. FlagHelp has the help texts.
type Settings struct {
	Connection  `embed:"" group:"Connection"`
	Topics      `embed:"" group:"Topics and places"`
	Keys        `embed:"" group:"Topics and places"`
	Events      `embed:"" group:"Events"`
	Registry    `embed:"" group:"Schema registry"`
	Learning    `embed:"" group:"Learning"`
	Classes     `embed:"" group:"Several classes"`
	LabelTopics `embed:"" group:"Labels that come later"`
	Running     `embed:"" group:"Running"`
	Standby     `embed:"" group:"Several daemons"`
	Web         `embed:"" group:"HTTP"`
	Logging     `embed:"" group:"Logs"`
	Accepting   `embed:"" group:"Stops"`
	Once        `embed:"" group:"This start only (not in the environment, not in a file)"`
}

// Connection says how to reach the brokers.
type Connection struct {
	Brokers       []string `placeholder:"HOST:PORT"`
	ClientID      string   `default:"rosenblatt" placeholder:"NAME"`
	Rack          string   `placeholder:"NAME"`
	TLS           bool
	TLSCA         string `name:"tls-ca" placeholder:"FILE"`
	TLSCert       string `name:"tls-cert" placeholder:"FILE"`
	TLSKey        string `name:"tls-key" placeholder:"FILE"`
	TLSServerName string `name:"tls-server-name" placeholder:"NAME"`
	SASL          string `name:"sasl" placeholder:"plain|scram-sha-256|scram-sha-512|oauthbearer|aws-msk-iam"`
	SASLUser      string `name:"sasl-user" placeholder:"NAME"`

	SASLPasswordFile string `name:"sasl-password-file" placeholder:"FILE"`
	SASLPassword     string `kong:"-"` // instead of the one in the environment

	SASLTokenFile        string   `name:"sasl-token-file" placeholder:"FILE"`
	SASLTokenURL         string   `name:"sasl-token-url" placeholder:"URL"`
	SASLClientID         string   `name:"sasl-client-id" placeholder:"NAME"`
	SASLClientSecretFile string   `name:"sasl-client-secret-file" placeholder:"FILE"`
	SASLScope            []string `name:"sasl-scope" placeholder:"SCOPE"`
	SASLExtension        []string `name:"sasl-extension" placeholder:"NAME=VALUE"`
}

// PasswordEnv is the environment variable of the password, which has no flag: other users can read a command line.
const PasswordEnv = "ROSENBLATT_SASL_PASSWORD"

// Topics says which topics, and where the model's state is.
type Topics struct {
	Input      string `placeholder:"TOPIC"`
	Output     string `placeholder:"TOPIC"`
	DeadLetter string `placeholder:"TOPIC"`
	Model      string `placeholder:"NAME"`
	ModelPer   string `default:"all" placeholder:"all|partition"`
	Group      string `placeholder:"NAME"`
	State      string `default:"./state" placeholder:"FOLDER"`

	CheckpointTopic string `placeholder:"TOPIC"`
	CreateTopics    bool
}

// Running says how the daemon works.
type Running struct {
	CheckpointInterval time.Duration `default:"10s" placeholder:"DURATION"`
	CheckpointEvery    int64         `default:"0" placeholder:"N"`
	UntilEnd           bool
	By                 []string `placeholder:"FIELD"`
	Compression        string   `default:"none" placeholder:"none|lz4|zstd|snappy|gzip"`
	MaxBatchBytes      int64    `default:"67108864" placeholder:"N"`
	ChunkRecords       int      `default:"8192" placeholder:"N"`
	Decoders           int      `default:"2" placeholder:"N"`
	NoProfile          bool
	ProfileReference   string `placeholder:"FILE"`
	MaxSchemas         int    `default:"1000" placeholder:"N"`
}

// Web says how the daemon shows itself.
type Web struct {
	HTTP          string   `name:"http" default:"127.0.0.1:8080" placeholder:"HOST:PORT"`
	HTTPTokenFile string   `name:"http-token-file" placeholder:"FILE"`
	HTTPOpen      bool     `name:"http-open"`
	HTTPHost      []string `name:"http-host" placeholder:"NAME"`
	PProf         bool     `name:"pprof"`

	AnyPort bool `kong:"-"` // take a free port when that of HTTP is taken; for the demo
}

// Logging says what is logged, to standard error.
type Logging struct {
	LogLevel  string `default:"info" placeholder:"debug|info|warn|error"`
	LogFormat string `default:"auto" placeholder:"auto|console|json"`
}

// Accepting says which stops an operator accepts: for one start, or with a token exactly what a stop has printed.
type Accepting struct {
	Accept []string `cmdline:":" unless:", or as STOP:TOKEN, as the stop prints it" placeholder:"STOP[:TOKEN]"`
}

// Once holds what an operator decides for one start.
type Once struct {
	Skip []string `cmdline:"" placeholder:"P:FROM-TO"`
}
