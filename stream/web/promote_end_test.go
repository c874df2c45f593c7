package web

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"rosenblatt/stream"
)

// TestEndOfAPromotion: who waits for a promotion when the daemon ends gets a response, and at once.
func TestEndOfAPromotion(t *testing.T) {
	task := newTask(t)
	asked := make(chan struct{})
	task.promote = func(ctx context.Context, _ string) (stream.Promoted, error) {
		close(asked)
		<-ctx.Done()
		return stream.Promoted{}, stream.ErrPending
	}
	s := &Server{Task: task}
	addr, stop := serve(t, s)
	got := make(chan string, 1)
	go func() {
		resp, err := http.Post("http://"+addr+"/promote?learner=c1", "", nil)
		if err != nil {
			got <- err.Error()
			return
		}
		defer func() { _ = resp.Body.Close() }() // it was only read
		text, _ := io.ReadAll(resp.Body)
		got <- resp.Status + " " + string(text)
	}()
	<-asked
	if err := stop(); err != nil {
		t.Error(err)
	}
	if text := <-got; !strings.HasPrefix(text, "409 ") || !strings.Contains(text, "this daemon ends") {
		t.Errorf("%q", text)
	}
}
