package cluster

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLateClosings: closings at once count, one after the other, once there were eight within three seconds or more;
// those that come late do not.
func TestLateClosings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ after, pause time.Duration }{
		{time.Millisecond, 400 * time.Millisecond}, {time.Millisecond, 4 * time.Second}, {2 * time.Second, time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			var counted closings
			var first time.Time
			for n := 1; n <= 20; n++ {
				began := time.Now()
				time.Sleep(c.after)
				if n == 1 {
					first = time.Now()
				}
				want := c.after < time.Second && n >= 8 && time.Since(first) >= 3*time.Second
				if got := counted.count("b:1", 22, began); got != want {
					t.Errorf("closing %d after %v, %v between: %v", n, c.after, c.pause, got)
				}
				time.Sleep(c.pause)
			}
		})
	}
}

// TestClosingsOfOneEnd: requests that are under way together are closed by one end of the broker.
func TestClosingsOfOneEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c closings
		for range 2 {
			began := time.Now()
			time.Sleep(time.Millisecond)
			for n := range 7 {
				if c.count("b:1", 22, began) {
					t.Errorf("%d of them count", n+1)
				}
			}
			time.Sleep(closesFor)
		}
	})
}

// TestClosingsThatEnd: a response to such a request ends the count for good, a connection that fails begins it anew.
func TestClosingsThatEnd(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]func(*closings){
		"responded": func(c *closings) { c.end(22) },
		"failed":    func(c *closings) { c.forget("b:1") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var c closings
				for n := range 14 {
					if c.count("b:1", 22, time.Now()) {
						t.Error("it counts")
					}
					time.Sleep(closesFor)
					if n == 6 {
						ends(&c)
					}
				}
			})
		})
	}
}
