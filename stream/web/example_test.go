package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/web"
)

// starting is a task that has just begun.
type starting struct{}

func (starting) Status() *board.Status {
	return &board.Status{Model: "fraud", State: board.Recovering}
}
func (starting) Copy(context.Context, *stream.ModelCopy) error { return stream.ErrNotLive }
func (starting) SetFieldReference(context.Context) error       { return board.ErrNoFields }

func (starting) Promote(context.Context, string) (stream.Promoted, error) {
	return stream.Promoted{}, stream.ErrNotLive
}

func ExampleServer() {
	s := &web.Server{Addr: "127.0.0.1:0", Task: starting{}}
	addr, err := s.Listen()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx) }()

	for _, path := range []string{"/healthz", "/readyz"} {
		resp, err := http.Get("http://" + addr.String() + path)
		if err != nil {
			fmt.Println(err)
			return
		}
		text, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		fmt.Print(path, " ", resp.StatusCode, " ", string(text))
	}
	stop()
	fmt.Println(<-ended)
	// Output:
	// /healthz 200 ok
	// /readyz 503 recovering: 0 predictions learned again, 0 of 0 offsets of the journal read
	// <nil>
}
