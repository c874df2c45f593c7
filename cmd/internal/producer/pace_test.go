package producer

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, began := newPace(10), time.Now()
		allowed := func(want int, after time.Duration) {
			t.Helper()
			n, err := p.wait(t.Context())
			if err != nil || n != want || time.Since(began) != after {
				t.Errorf("%d events, %v after %v, want %d after %v", n, err, time.Since(began), want, after)
			}
			p.spend(n)
		}
		allowed(1, 0)
		allowed(1, 100*time.Millisecond)
		time.Sleep(1900 * time.Millisecond)
		allowed(19, 2*time.Second)
		time.Sleep(time.Second)
		if n, _ := p.wait(t.Context()); n != 10 {
			t.Errorf("%d events after a second, want 10", n)
		}
		p.spend(4)
		allowed(6, 3*time.Second)
		time.Sleep(time.Hour)
		allowed(1, time.Hour+3*time.Second) // a stall is not made up for
		allowed(1, time.Hour+3100*time.Millisecond)
		time.Sleep(100 * time.Second)
		allowed(maxBatch, time.Hour+103100*time.Millisecond) // a second and a batch are
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		if _, err := p.wait(ctx); err == nil {
			t.Error("it waits beyond the end of the context")
		}
	})
	if n, err := newPace(0).wait(t.Context()); n != maxBatch || err != nil {
		t.Errorf("without a limit: %d events, %v", n, err)
	}
}
