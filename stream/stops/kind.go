package stops

import "slices"

// Kind describes the stops of one name, for the operator. An Error has the numbers.
type Kind struct {
	Name  string
	Found string
	// Accepted is how a start continues that passes the stop with --accept. It is empty where none can; then Instead
	// is what to do.
	Accepted, Instead string
	// Retriable stops pass by themselves, or when somebody has acted elsewhere: a broker, another process, a disk,
	// whoever creates the topic.
	Retriable bool
}

var kinds = []Kind{
	{Name: StateInvalid, Found: "checkpoints exist, in the folder or the checkpoint topic, none is valid",
		Accepted: "from nothing (with `state-missing`, if there are predictions)"},
	{Name: StateMissing, Found: "predictions or dead letters of this model, and no checkpoint",
		Accepted: "from nothing, in the same output: seq begins at 1 again"},
	{Name: InputGone, Found: "records not yet read, or needed to learn again, were deleted",
		Accepted: "at the log's start, without them"},
	{Name: BeyondEnd, Found: "the input, or the labels, ends before the model's position, or holds other records " +
		"before it than were read",
		Accepted: "at the log's end, or where other records begin; the model keeps what it learned"},
	{Name: TopicChanged, Found: "another cluster, or a topic that was created again",
		Accepted: "from the start of what is there now"},
	{Name: JournalGone, Found: "predictions written since the checkpoint were deleted, or replaced",
		Accepted: "from the checkpoint; records since may be predicted a second time, or learned without " +
			"comparison"},
	{Name: DeadLettersGone, Found: "the same for dead letters",
		Accepted: "the same"},
	{Name: ConfigDiffers, Found: "settings differ from the checkpoint's",
		Accepted: "with the new ones, from here on; learner, bias=0, bits and seed never change"},
	{Name: SchemaChanged, Found: "the schema registry has another schema than before under an id that events name",
		Accepted: "with the new one from the saved positions on; records before keep the former one"},
	{Name: FenceIneffective,
		Found:    "at the first start of a model: the brokers take batches of a writer that was replaced",
		Accepted: "though a process that was replaced may still write; never with `--standby`"},
	{Name: JournalDiffers, Found: "a score, a hole or a repeat in the predictions that cannot be",
		Instead: "keep folder and topics as they are, and compare them with `rosenblatt verify`"},
	{Name: OtherWriter, Found: "somebody else writes to the output",
		Instead: "give the model an output of its own"},
	{Name: OutputUnfit, Found: "the output or the dead-letter topic is compacted, or the output's retention is " +
		"below ten checkpoint intervals; or the checkpoint topic is not compacted; or predictions wait for " +
		"labels, and no topic of outcomes is named",
		Instead: "change or name the topic"},
	{Name: OutputTooNarrow, Found: "fewer partitions than the input",
		Instead: "`--create-topics`, or add partitions"},
	{Name: PartitionsDiffer, Found: "with a model for each partition, the labels have more or fewer than the input",
		Instead: "give both topics as many, keyed alike"},
	{Name: FenceFailed, Retriable: true,
		Found:   "at a start: a partition was not writable for 60 seconds",
		Instead: "start again when it is"},
	{Name: BadBatch, Found: "a batch that is damaged, or unpacks to more than `--max-batch-bytes` (in output and " +
		"dead letters 64 MiB)",
		Instead: "in the input, `--skip P:FROM-TO` skips it, once; else the message says what"},
	{Name: Fenced, Found: "another process took over (exit 3)",
		Instead: "find out which one is meant to run"},
	{Name: StateInUse, Retriable: true,
		Found:   "another process has the state folder",
		Instead: "end it, or name another `--state` or `--model`"},
	{Name: StateUnreadable, Found: "a checkpoint cannot be read (exit 1 where only descriptors, memory or space " +
		"ran out), or a later version wrote it, or all build on one that is missing",
		Instead: "repair the disk, use that version, or put the file back"},
	{Name: StateUnwritable, Retriable: true,
		Found:   "the first checkpoint of a start, or a later one of the checkpoint topic, cannot be written",
		Instead: "make space or grant rights, then start again"},
	{Name: TooManySchemas, Found: "the events have one schema more than `--max-schemas`",
		Instead: "raise it; producers should register a schema once, not one for each event"},
	{Name: TopicMissing, Retriable: true,
		Found:   "one of the topics does not exist, or was deleted while the daemon ran",
		Instead: "`--create-topics`, or create it; input and labels, create or restore them"},
	{Name: NotAllowed, Found: "TLS, login or a right is refused",
		Instead: "`rosenblatt check` names what is missing"},
	{Name: UnsupportedBroker,
		Found: "the brokers do not know a request: they say so, or close the connection at it again and again," +
			" and respond to others",
		Instead: "use brokers that the page on logins and providers names; the message names the request"},
	{Name: Unreachable, Retriable: true,
		Found:   "at a start: no broker responded for a minute",
		Instead: "start again when one does"},
	{Name: KafkaError, Retriable: true,
		Found: "a broker reports an error that a retry does not change, or a dead letter fits " +
			"nowhere",
		Instead: "the message says what to do, or where to look"},
}

// Kinds lists all stops, those that --accept can pass first.
func Kinds() []Kind { return slices.Clone(kinds) }

// Acceptable lists the stops that --accept can pass.
func Acceptable() (names []string) {
	for _, k := range kinds {
		if k.Accepted != "" {
			names = append(names, k.Name)
		}
	}
	return names
}
