package web

import (
	"strings"

	"rosenblatt/learner/metrics"
)

// The metrics. Names and units follow https://prometheus.io/docs/practices/naming/.
var (
	buildInfo = gauge("build_info", "1, labelled with the program's version and Go's.", "version", "goversion")
	modelInfo = gauge("model_info", "1, labelled with the model's name and its learner.", "model", "learner")

	seq         = gauge("seq", "Number of the model's last journal entry, a prediction or an outcome; the first is 1.")
	epoch       = gauge("epoch", "Takeovers of the model so far.")
	predictions = counter("predictions_total", "Predictions, over the life of the model.")
	untrained   = counter("untrained_predictions_total",
		"Predictions without a label before anything was learned, over the life of the model: they are in no figure.")
	examples = counter("examples_total", "Predictions for records with a label, over the life of the model.")
	mistakes = counter("mistakes_total", "Predictions that were not the label, over the life of the model.")
	updates  = counter("updates_total", "Examples that changed the weights, over the life of the model.")
	records  = counter("records_read_total",
		"Records read: predicted, rejected or skipped, over the life of the model.")
	rejected = counter("rejected_total",
		"Records rejected to the dead-letter topic, by reason, over the life of the model.", "reason")
	rejectedInRow = gauge("rejected_in_row_records",
		"Records of this process that were rejected without one between them that was predicted, up to the newest.")
	unlabelledSeconds = gauge("unlabelled_seconds",
		"Seconds since the first of a hundred or more predictions in a row without a label; 0 else, "+
			"and with --no-learn.")
	tombstones    = counter("tombstones_total", "Null values and header rows skipped, over the life of the model.")
	acceptedStops = counter("accepted_stops_total",
		"Stops that an operator accepted with --accept, over the life of the model.")

	position   = gauge("position", "Offset of the next record to be read, by input partition.", "partition")
	endOffset  = gauge("end_offset", "Last stable offset as last seen, by input partition.", "partition")
	lagRecords = gauge("lag_records", "Offsets between the position and the high watermark, by input partition; "+
		"absent while the brokers are away.", "partition")
	stableLag = gauge("last_stable_offset_lag_records",
		"Offsets between the last stable offset and the high watermark, by input partition: "+
			"they cannot be read before a transaction ends.", "partition")

	decisions = counter("decisions_total",
		"Predictions of two labels whose label is known, by label and prediction: positive or negative.",
		"label", "prediction")
	sliceDecisions = counter("slice_decisions_total",
		"Predictions of two labels whose label is known, by the fields of --by and their values, by label and"+
			" prediction. Other fields begin anew.", "field", "value", "label", "prediction")
	threshold = gauge("threshold",
		"Score from which on positive is predicted; absent while that is the sign of the score.")
	alertsAlone = gauge("labels_of_alerts_alone",
		"1: with --decide precision= or alerts= labels are known for hardly any prediction but positive ones.")
	noPositives = gauge("no_positives",
		"1: with a rule of --decide, none of the last 10,000 examples was of the positive label.")
	target       = gauge("target_ratio", "Precision, recall or share of alerts that --decide asks for.")
	reachedShare = gauge("reached_ratio", "What was reached of it since the rule began: over all that counted, and"+
		" over the last 1,000.",
		"window")
	costPerEvent = gauge("cost_per_event", "What mistakes cost by --decide cost=, for each example.", "window")
	baseline     = gauge("baseline_accuracy_ratio",
		"Accuracy, 0 to 1, of a baseline that knows labels only: the label before (no-change), the most frequent one"+
			" (majority).", "baseline", "window")
	classExamples = gauge("class_examples",
		"Examples with a label, by class; fewer in windows. Of the first 50 classes, as all that is by class.", "class",
		"window")
	classPrecision = gauge("class_precision_ratio", "Share of the predictions of a class that were right.", "class",
		"window")
	classRecall = gauge("class_recall_ratio", "Share of the examples of a class that were predicted so.", "class",
		"window")
	classF1 = gauge("class_f1_ratio", "Harmonic mean of precision and recall of a class.", "class", "window")

	registryRequests = counter("registry_requests_total",
		"Requests of this process to the schema registry, by what came of them: a schema (known), none of that id "+
			"(unknown), or no answer (failed), after which it is asked again.", "outcome")
	registryWaiting = gauge("registry_waiting_partitions", "Partitions that wait for a schema.")
	schemaCount     = gauge("schemas", "Ids of schemas that the model knows.")

	championInfo = gauge("champion_info", "1, labelled with the learner whose predictions are published; absent "+
		"without challengers, as what is named for them.", "name", "learner")
	promotions         = gauge("promotions", "Changes of the champion, the newest 1,000 at most.")
	challengerExamples = counter("challenger_examples_total",
		"Examples with a label that a challenger was scored on, by what it would have predicted.", "challenger")
	challengerMistakes = counter("challenger_mistakes_total",
		"Of these, how often it would have been wrong.", "challenger")
	challengerSuspended = gauge("challenger_suspended",
		"1 for a challenger that has stopped for good, because its numbers would have overflowed.", "challenger")
	challengerCost = gauge("challenger_cost_per_event",
		"What the mistakes of a challenger would have cost by its decide:cost=, for each example.", "challenger",
		"window")
	challengerDifference = gauge("challenger_difference",
		"How much dearer the champion is than a challenger, for an example on average: in what mistakes cost where "+
			"the champion decides by cost, else in mistakes. With its 95 % interval (low, mean, high).",
		"challenger", "bound")

	classes = gauge("classes", "Classes: 2, or in a multiclass task those met so far.")

	checkpointAge = gauge("checkpoint_age_seconds",
		"Age of the newest checkpoint of this process in seconds. No checkpoint is written while nothing changes.")
	checkpointBytes    = gauge("checkpoint_bytes", "Size of the newest checkpoint in bytes.")
	checkpointDuration = gauge("checkpoint_duration_seconds", "Seconds that writing the newest checkpoint took.")
	checkpointSeq      = gauge("checkpoint_seq", "Number of the last journal entry that the newest checkpoint covers.")

	checkpointTopicBytes = gauge("checkpoint_topic_bytes",
		"Size in bytes of all files of the newest checkpoint in the checkpoint topic.")
	checkpointTopicSent = gauge("checkpoint_topic_sent_bytes",
		"Bytes of the newest checkpoint that were written to the checkpoint topic, because it did not hold them.")

	checkpoints        = counter("checkpoints_total", "Checkpoints saved by this process.")
	checkpointFailures = counter("checkpoint_failures_total", "Checkpoints that could not be saved by this process.")
	commitFailures     = counter("offset_commit_failures_total",
		"Commits of group offsets that failed in this process. They are for lag tools only: nothing is lost.")

	latency = histogram("prediction_latency_seconds",
		"Seconds from a record's timestamp to the acknowledgement of its prediction: the first record of each batch.")
	processing = histogram("prediction_processing_seconds",
		"Seconds from a record's arrival in this process to the acknowledgement of its prediction: "+
			"the first record of each batch.")
	batchSize = histogram("batch_predictions", "Predictions in a batch, which is one write to the output topic.")
	fetchTime = histogram("fetch_seconds", "Seconds from a fetch request to its records, with the wait for new ones.")
	saveTime  = histogram("checkpoint_write_seconds", "Seconds that writing a checkpoint took.")

	stateMetric = gauge("state", "1 for the state the task is in, 0 for the others.", "model", "state")
	stopped     = gauge("stopped", "1, labelled with the model's name and its stop, of a model that has stopped while "+
		"the process goes on with others; absent of others.", "model", "stop")
	ready         = gauge("ready", "1 if /readyz returns 200, else 0.")
	brokerTrouble = gauge("broker_trouble_seconds",
		"Seconds for which requests to the brokers have been failing; 0 without an outage.")
	throttleSeconds = counter("throttle_seconds_total",
		"Seconds for which brokers have made requests of this process wait, because a quota of its user or client id "+
			"is used up, by broker and request.", "broker", "request")
	acknowledged = counter("acknowledged_predictions_total",
		"Predictions of this process that the brokers have acknowledged.")
	recovered = gauge("recovery_predictions",
		"Predictions that the last recovery of this process has learned again from the journal.")
	followingBehind = gauge("following_behind_seconds", "Seconds that a follower is behind the journal; 0 of others.")
	takeovers       = counter("takeovers_total",
		"Takeovers of the model by this process with --standby: assigned by the group, as where a daemon came or "+
			"left; suspected where another one was asked whether it is alive and was not; silent where events had "+
			"waited for a second and nobody had asked, as behind the session timeout; start where nobody had the "+
			"model before; fenced where this one had it before.", "cause")
	suspicions = counter("suspicions_total",
		"Times that this process has asked for the daemon that predicts because events waited, by what came of it: "+
			"alive, or replaced.", "result")
	recoveryRatio = gauge("recovery_ratio", "Share of the journal that the last recovery has read, 0 to 1.")
)

// challengerMetrics are gauges of challengerFigures, by place there.
var challengerMetrics = func() (out []metric) {
	for _, c := range challengerFigures {
		name := "challenger_" + c.Name + "_ratio"
		if c.Name == "log_loss" {
			name = "challenger_log_loss_nats"
		}
		out = append(out, gauge(name, "Of a challenger, by what it would have predicted: "+c.Help+".", "challenger",
			"window"))
	}
	return out
}()

// figureMetrics are gauges of metrics.Columns, by place there; counts are in decisions_total. Each is absent where the
// examples do not give it.
var figureMetrics = func() []metric {
	own := map[string]string{"log_loss": "log_loss_nats", "loss": "perceptron_loss", "brier": "brier_score",
		"kappa_m": "kappa_majority_ratio", "kappa_t": "kappa_no_change_ratio"} // a unit must not be one letter
	out := make([]metric, len(metrics.Columns))
	for i, c := range metrics.Columns {
		if c.Kind == metrics.Count {
			continue
		}
		name, ok := own[c.Name]
		if !ok {
			name = c.Name + "_ratio"
		}
		out[i] = gauge(name, strings.ToUpper(c.Help[:1])+c.Help[1:]+
			": over all, over the last 1,000, over the last 10,000, fading by 0.999 an example.", "window")
	}
	return out
}()
