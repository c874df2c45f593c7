package learner

import "fmt"

// columns lists the prints and the statistics; the names follow a Model's other columns.
func (t *table) columns() []Column {
	columns := []Column{{Name: columnPrints, Uint16: t.prints}}
	switch t.scaler.mode {
	case standard:
		columns = append(columns, Column{Name: columnMoments, Float64: t.scaler.stats})
	case maxabs:
		columns = append(columns, Column{Name: columnMaxima, Float64: t.scaler.stats})
	}
	return columns
}

func (t *table) namesColumn() Column { return Column{Name: columnNames, Bytes: t.names.text} }

func (t *table) restore(text []byte, names, collisions int) error {
	t.met, t.collisions, t.complete = 0, 0, 0
	for slot, p := range t.prints {
		switch {
		case p == shared:
			return fmt.Errorf("learner: slot %d is shared by names, but has no print", slot)
		case p&shared != 0:
			t.collisions++
			t.met++
		case p != 0:
			t.met++
		}
	}
	if err := t.scaler.check(); err != nil {
		return err
	}
	if err := t.names.load(text, t.prints); err != nil {
		return err
	}
	if t.names.count != names || t.collisions != collisions {
		return fmt.Errorf("learner: the columns hold %d names and %d collisions, the state says %d and %d",
			t.names.count, t.collisions, names, collisions)
	}
	return nil
}

// copyTo makes dst the same table in dst's memory where that fits. The names are shared: see nameTable.copyTo.
func (t *table) copyTo(dst *table) {
	dst.scaler.mode = t.scaler.mode
	dst.scaler.stats = copyInto(dst.scaler.stats, t.scaler.stats)
	dst.prints = copyInto(dst.prints, t.prints)
	dst.met, dst.collisions, dst.complete = t.met, t.collisions, 0
	t.names.copyTo(&dst.names)
}
