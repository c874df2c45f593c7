package learner

import "fmt"

// columns lists the prints and the statistics; the names follow a Model's other columns.
func (t *table) columns() []Column {
	var columns []Column
	for _, g := range t.groups() {
		columns = append(columns, g.columns()...)
	}
	return columns
}

func (t *table) groups() []*group {
	if t.scaler.group == nil {
		return []*group{t.printed}
	}
	return []*group{t.printed, t.scaler.group}
}

func (t *table) namesColumn() Column {
	return Column{Name: columnNames, Bytes: t.names.text, names: &t.names}
}

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

// copyRest copies all but the rows of the groups and which slots have names. The names are shared: see nameTable.share.
func (t *table) copyRest(dst *table) {
	dst.met, dst.collisions, dst.complete = t.met, t.collisions, 0
	t.names.share(&dst.names)
}
