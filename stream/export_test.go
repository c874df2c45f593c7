package stream

// Settler makes outcomes.
type Settler = settler

// Settle makes the task's outcomes with what f returns for the state after a seq.
func Settle(t *Task, f func(seq int64) (Settler, error)) { t.newSettler = f }
