package producer

import (
	"math"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/generate"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/kafka"
	"rosenblatt/stream/recordbatch"
)

// Settings say what is sent where. The tags are those of github.com/alecthomas/kong, as in daemon.Settings.
type Settings struct {
	File        string  `arg:"" optional:"" placeholder:"FILE|-"`
	Topic       string  `group:"What is sent" placeholder:"TOPIC"`
	Format      string  `group:"What is sent" placeholder:"${fileformats}"`
	Delimiter   string  `group:"What is sent" placeholder:"CHARACTER"`
	Quote       string  `group:"What is sent" placeholder:"CHARACTER|none"`
	Escape      string  `group:"What is sent" placeholder:"CHARACTER|none"`
	Decimal     string  `group:"What is sent" default:"point" placeholder:"point|comma"`
	Encoding    string  `group:"What is sent" placeholder:"NAME"`
	NoHeader    bool    `group:"What is sent"`
	Key         string  `group:"What is sent" placeholder:"FIELD"`
	Rate        float64 `group:"What is sent" default:"0" placeholder:"N"`
	Repeat      int64   `group:"What is sent" default:"1" placeholder:"N"`
	Compression string  `group:"What is sent" default:"none" placeholder:"none|lz4|zstd|snappy|gzip"`
	Count       int64   `group:"What is sent" default:"0" placeholder:"N"`
	IDField     string  `name:"id-field" group:"What is sent" default:"id" placeholder:"NAME"`
	IDPrefix    string  `name:"id-prefix" group:"What is sent" placeholder:"TEXT"`

	LateLabels `embed:"" group:"Labels that come later"`
	Coding     `embed:"" group:"Another format"`

	Generate string   `group:"Synthetic events" placeholder:"hyperplane|payments"`
	Seed     uint64   `group:"Synthetic events" default:"1" placeholder:"N"`
	Noise    *float64 `group:"Synthetic events" placeholder:"SHARE"`
	Drift    *float64 `group:"Synthetic events" placeholder:"SPEED"`
	Features int      `group:"Synthetic events" placeholder:"N"`
	Rare     *float64 `group:"Synthetic events" placeholder:"SHARE"`

	CreateTopic bool  `group:"Topics"`
	Partitions  int32 `group:"Topics" default:"1" placeholder:"N"`

	daemon.Keys       `embed:"" group:"What is sent"`
	daemon.Connection `embed:"" group:"Connection"`
}

const (
	hyperplane = "hyperplane"
	payments   = "payments"
)

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
file: A file of events, one on a line (${endings}, also .gz .zst .bz2), or - for standard input.
topic: The topic to send to.
format: How an event is written, where the file's ending does not tell.
delimiter: What separates the columns of a csv file: a comma, ";", "|", tab, blanks for runs of blanks, or another
	character (default: tab for .tsv, else a comma or what the first row has in its place).
quote: What a cell of a csv file is enclosed in that may hold delimiters and line ends, as "'" (default: a double quote;
	none where tabs separate the columns).
escape: What takes its meaning from the character behind it, as the backslash of Spark and MySQL (default: none).
decimal: Whether numbers in the csv file have a decimal point or a comma, which run must know (default: ${default}).
encoding: How the text of the file is encoded, as cp1252, cp850, utf-16 or gbk; it is sent as UTF-8 (default: UTF-8, or
	UTF-16 where the file begins with its byte order mark).
no-header: The first row of a csv file is an event and is sent, too: its columns are c1, c2 ...
key: The field that becomes the record's key, in json a dotted path: events of one key go to one partition, in order
	(default: no key, partitions in turn).
rate: Events a second; 0 is as fast as it goes (default: ${default}).
repeat: Send the file N times; 0 is without end (default: ${default}).
compression: How batches of events are packed (default: ${default}).
count: End after N events (default: 0, at the end of the file, or never).
id-field: The field with the id of an event, in json a dotted path (default: ${default}).
id-prefix: Give the events ids of their own, TEXT0, TEXT1 ..., in the id field or a further column: where a file has no
	ids, or repeats them (default: their own).
generate: Make events instead of reading them, as json: hyperplane, the sides of a slowly turning plane; or payments,
	one in a hundred a fraud.
seed: Another seed is another plane and other points, and other delays of labels (default: ${default}).
noise: Of hyperplane the part of the labels that are wrong on purpose, 0 to 0.5 (default: 0.05).
drift: The way of a weight with each event, 0 to 1 (default: 0.0002), of payments turns of the country that most frauds
	are of (default: 0.00001); 0 is none.
features: Features of an event of hyperplane (default: 10).
rare: The share of payments that are frauds, 0 to 0.5 (default: 0.01).
create-topic: Create the topic, and that of labels, if it is missing.
partitions: Partitions of a topic that is created (default: ${default}).
`
}

// synthetic is a stream of events.
type synthetic interface {
	AppendJSON(dst []byte) []byte
	Check() error
}

// generated is the synthetic stream that the settings describe.
func (s *Settings) generated() synthetic {
	if s.Generate == payments {
		p := generate.NewPayments(s.Seed)
		if s.Drift != nil {
			p.Drift = *s.Drift
		}
		if s.Rare != nil {
			p.Rare = *s.Rare
		}
		return p
	}
	h := generate.New(s.Seed)
	h.Features = s.Features
	if s.Noise != nil {
		h.Noise = *s.Noise
	}
	if s.Drift != nil {
		h.Drift = *s.Drift
	}
	return h
}

// Check finds all faults of the settings, and reads the files that they name. The error is cli.Faults.
func (s *Settings) Check() (kafka.ClusterOptions, error) {
	cluster, err := s.Cluster()
	var f cli.Faults
	f.Join(err)
	f.AddIf(s.Topic == "", "topic: missing: want the topic to send to")
	f.AddIf(s.File == "" && s.Generate == "", "nothing to send: want a file, - for standard input, or --generate %s",
		hyperplane)
	f.AddIf(s.File != "" && s.Generate != "", "both a file and --generate: want one of them")
	if s.Generate == "" {
		f.AddIf(s.Noise != nil || s.Drift != nil || s.Features != 0 || s.Rare != nil,
			"noise, drift, features, rare: these are for --generate")
	} else {
		f.OneOf("generate", s.Generate, hyperplane, payments)
		f.AddIf(s.Generate == payments && (s.Noise != nil || s.Features != 0),
			"noise, features: these are for --generate %s", hyperplane)
		f.AddIf(s.Generate == hyperplane && s.Rare != nil, "rare: it is for --generate %s", payments)
		f.Check("generate", s.generated().Check())
		f.AddIf(s.Format != "" && s.Format != event.JSON, "format: %q: what is generated is json", s.Format)
		f.AddIf(s.Repeat != 1, "repeat: what is generated has no end to begin again at")
	}
	_, err = recordbatch.ParseCodec(s.Compression)
	f.AddIf(err != nil, "compression: %q: want none, lz4, zstd, snappy or gzip", s.Compression)
	if s.Generate == "" && s.Format != "" {
		f.OneOf("format", s.Format, source.Formats()...)
	}
	if s.Decimal != "" {
		f.OneOf("decimal", s.Decimal, "point", event.DecimalComma)
	}
	f.AddIf(!(s.Rate >= 0) || math.IsInf(s.Rate, 0), "rate: %v: want 0 or more", s.Rate)
	f.AddIf(s.Repeat < 0, "repeat: %d: want 0 or more", s.Repeat)
	f.AddIf(s.File == "-" && s.Repeat != 1, "repeat: standard input can be read only once")
	f.AddIf(s.Count < 0, "count: %d: want 0 or more", s.Count)
	s.LateLabels.check(&f, s.Topic)
	s.Coding.check(&f)
	f.AddIf(s.Encode != "" && s.Format != "" && s.Format != event.JSON, "encode: it is for events in json")
	f.AddIf(s.Partitions < 1, "partitions: %d: want 1 or more", s.Partitions)
	return cluster, f.Err()
}
