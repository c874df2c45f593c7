package web

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
)

// The metrics of a task with later labels; others do not have them.
var (
	labelsWaiting = gauge("labels_waiting", "Predictions that wait for their label.")
	labelsOldest  = gauge("labels_waiting_oldest_seconds",
		"Seconds for which the oldest of them has waited; 0 if none waits.")
	labelsWait    = gauge("labels_wait_limit_seconds", "Seconds for which a prediction waits at most, by label time.")
	labelsStalled = gauge("labels_stalled",
		"1 if the oldest waiting prediction is due by the clock and label time has stood still for a minute, else 0.")
	labelsTime = gauge("labels_time_seconds",
		"Label time, up to which the labels topic is read, in seconds since 1970; absent before the first label.")
	labelsAhead = gauge("labels_time_ahead_seconds",
		"How far label time is ahead of the clock, in seconds; 0 if it is not.")
	labelsHeld = gauge("labels_held_partitions",
		"Partitions of the labels topic that a label holds whose event is not read yet.")
	outcomes = counter("outcomes_total",
		"Outcomes of predictions without a label of their own, over the life of the model.", "outcome")
	labelsRead     = counter("labels_read_total", "Label records read, over the life of the model.")
	labelsRejected = counter("labels_rejected_total",
		"Label records rejected to the dead-letter topic, by reason, over the life of the model.", "reason")
	labelsRejectedInRow = gauge("labels_rejected_in_row_records", "Label records of this process that were rejected "+
		"without one between them that an event took, up to the newest.")
	labelsRepeats = counter("labels_repeats_total",
		"Label records that say again what their event's label is, over the life of the model.")
	labelsTombstones = counter("labels_tombstones_total", "Null label records skipped, over the life of the model.")
	labelsNoID       = counter("events_without_id_total",
		"Events with neither a label nor an id, over the life of the model: no label can be theirs.")
	labelsDelay = histogram("labels_delay_seconds",
		"Seconds from an event's timestamp to its label's, over the life of the model.")
	labelsPosition = gauge("labels_position",
		"Offset of the next record to be read, by partition of the labels topic.", "partition")
	labelsLag = gauge("labels_lag_records", "Offsets between the position and the high watermark, by partition of "+
		"the labels topic; absent while the brokers are away.", "partition")
	labelsMemory   = gauge("labels_memory_bytes", "Bytes of the features of waiting examples that are kept in memory.")
	labelsReadBack = counter("labels_read_back_total",
		"Waiting examples whose features this process read back from the input.")
)

func labelMetrics(g gather, v *view) {
	late := v.Late
	if late == nil {
		return
	}
	c := &late.Counts
	g.send(labelsWaiting, float64(late.Waiting))
	oldest := 0.0
	if ago := v.ago(late.Oldest); ago != nil {
		oldest = *ago
	}
	g.send(labelsOldest, oldest)
	g.send(labelsWait, late.Wait.Seconds())
	g.send(labelsStalled, truth(v.labelsStalled()))
	if late.Time > 0 {
		g.send(labelsTime, float64(late.Time)/1000)
	}
	g.send(labelsAhead, v.labelTimeAhead().Seconds())
	g.send(labelsHeld, float64(late.Held))
	for _, o := range labels.Outcomes() {
		g.send(outcomes, float64(c.Outcomes[o.String()]), o.String())
	}
	g.send(labelsRead, float64(c.Read))
	g.send(labelsRejectedInRow, float64(late.Rejects.InRow))
	g.send(labelsRepeats, float64(c.Repeats))
	g.send(labelsTombstones, float64(c.Tombstones))
	g.send(labelsNoID, float64(c.NoID))
	for _, r := range event.Reasons() {
		g.send(labelsRejected, float64(c.Rejected[r.String()]), r.String())
	}
	g.delays(labelsDelay, &c.Delays)
	for _, p := range late.Partitions {
		name := strconv.Itoa(int(p.Partition))
		g.send(labelsPosition, float64(p.Position), name)
		if v.lagKnown {
			g.send(labelsLag, float64(p.Lag()), name)
		}
	}
	g.send(labelsMemory, float64(late.Memory))
	g.send(labelsReadBack, float64(late.ReadBack))
}

// delays sends a histogram that was counted elsewhere.
func (g gather) delays(m metric, d *labels.Delays) {
	below, n := map[float64]uint64{}, uint64(0)
	for i, bound := range labels.DelayBounds() {
		n += uint64(d.Counts[i])
		below[bound.Seconds()] = n
	}
	g.out <- prometheus.MustNewConstHistogram(m.desc, uint64(d.Labels()), float64(d.Sum)/1000, below)
}
