package awake

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestTimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ctx, cancel := Timeout(t.Context(), time.Minute)
		defer cancel()
		<-ctx.Done()
		if took := time.Since(began); took != time.Minute {
			t.Errorf("it ends after %v", took)
		}
		if ctx, cancel = Timeout(t.Context(), time.Hour); ctx.Err() != nil {
			t.Error(ctx.Err())
		}
		cancel()
		if ctx.Err() != context.Canceled {
			t.Error(ctx.Err())
		}
	})
}
