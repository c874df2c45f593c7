package statetopic

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/stream/schema"
	"rosenblatt/stream/stops"
)

func schemaEntry(id uint32, text string) schema.Entry {
	return schema.Entry{ID: schema.ID{Number: id}, Schema: &schema.Schema{Type: schema.Avro, Text: text}}
}

// TestSchemasInTopic: what is saved is read, beside checkpoints, of this output alone, and not what is damaged.
func TestSchemasInTopic(t *testing.T) {
	log := &fakeLog{left: -1}
	var all []schema.Entry
	for i := range uint32(50) {
		all = append(all, schemaEntry(i, fmt.Sprint(i, strings.Repeat("x", 20_000))))
	}
	if err := SaveSchemas(t.Context(), log, output, 1<<20, all); err != nil {
		t.Fatal(err)
	}
	if err := SaveSchemas(t.Context(), log, "other", 1<<20, []schema.Entry{schemaEntry(99, "other")}); err != nil {
		t.Fatal(err)
	}
	line, err := schemaEntry(98, "x").AppendLine(nil)
	if err != nil {
		t.Fatal(err)
	}
	log.put(schemaKey(output, schema.Key{ID: schema.ID{Number: 97}}), line) // of another id
	line[0] ^= 1
	log.put(schemaKey(output, schema.Key{ID: schema.ID{Number: 98}}), line)
	held := NewCopy(log, output)
	if err := held.ReadNow(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := held.Schemas()
	if len(got) != len(all) {
		t.Fatalf("%d of %d", len(got), len(all))
	}
	for i := range got {
		if got[i].ID != all[i].ID || got[i].Schema.Text != all[i].Schema.Text {
			t.Errorf("%d: %v", i, got[i].ID)
		}
	}
	err = SaveSchemas(t.Context(), log, output, 1<<20, []schema.Entry{schemaEntry(1, strings.Repeat("x", 1<<20))})
	if !stops.Is(err, stops.OutputUnfit) {
		t.Error(err)
	}
	log.left = 0
	if err := SaveSchemas(t.Context(), log, output, 1<<20, all); !errors.Is(err, errTorn) {
		t.Error(err)
	}
}
