package evaluate

import (
	"cmp"
	"encoding/json"
	"strconv"

	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
)

// predictionNames are the fields of a line, in their order. Those that an event lacks are left out, or in csv empty.
var predictionNames = []string{"file", "line", "partition", "offset", "id", "prediction", "score", "probability",
	"positive", "threshold", "scores", "label", "mistake", "rejected", "error", "untrained", "outcome", "delay"}

const (
	fileField = iota
	lineField
	partitionField
	offsetField
	idField
	predictionField
	scoreField
	probabilityField
	positiveField
	thresholdField
	scoresField
	labelField
	mistakeField
	rejectedField
	errorField
	untrainedField
	outcomeField
	delayField
	predictionFields // how many there are
)

// begin sets which event it is.
func (f *predictionFile) begin(b *replay.Block, i int) {
	for n := range f.fields {
		f.fields[n] = f.fields[n][:0]
	}
	at := lineField
	if f.topic {
		at = offsetField
		f.fields[partitionField] = strconv.AppendInt(f.fields[partitionField], int64(b.Partitions[i]), 10)
	}
	if f.files != nil {
		f.fields[fileField] = event.AppendQuoted(f.fields[fileField], []byte(f.files[b.Files[i]]))
	}
	f.fields[at] = strconv.AppendInt(f.fields[at], b.Records[i].Offset, 10)
	if e := &b.Examples[i]; e.ID != nil && e.Rejected == nil {
		f.fields[idField] = event.AppendID(f.fields[idField], e)
	}
}

// write ends the line. Errors of the buffer are returned by its Flush.
func (f *predictionFile) write() {
	if f.table == nil {
		_ = f.out.WriteByte('{')
		separator := `"`
		for i, text := range f.fields {
			if len(text) > 0 {
				_, _ = f.out.WriteString(separator + predictionNames[i] + `":`)
				_, _ = f.out.Write(text)
				separator = `,"`
			}
		}
		_, _ = f.out.WriteString("}\n")
		return
	}
	row := make([]string, len(f.columns))
	for n, i := range f.columns {
		row[n] = cellOf(f.fields[i])
	}
	f.err = cmp.Or(f.err, f.table.Write(row))
}

// cellOf is a JSON value as a cell: a string without its quotes, null as nothing.
func cellOf(value []byte) string {
	var text string
	if len(value) == 0 || json.Unmarshal(value, &text) == nil { // null leaves it empty
		return text
	}
	return string(value)
}

// appendScores appends an object with the score of each class, in the order in which they were met.
func (f *predictionFile) appendScores(dst []byte, o *model.Outcome) []byte {
	dst = append(dst, '{')
	classes := f.proc.Classes()
	for i, score := range o.Scores {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(event.AppendClassKey(dst, classes[i]), ':')
		dst = strconv.AppendFloat(dst, score, 'g', -1, 64)
	}
	return append(dst, '}')
}
