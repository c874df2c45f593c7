// Package check is for the tests of several packages: what every stop has to have, and a broker that refuses a login.
package check

import (
	"errors"
	"strings"
	"testing"

	"rosenblatt/stream/stops"
)

// Stop checks what every stop has to have: what happened, what is safe, what to do, in words that need no
// knowledge of Go.
func Stop(t testing.TB, err error, name string) {
	t.Helper()
	var s *stops.Error
	if !errors.As(err, &s) || s.Name != name {
		t.Errorf("%v: want the stop %s", err, name)
		return
	}
	if len(s.What) < 20 || len(s.Safe) < 10 || len(s.Do) < 10 {
		t.Errorf("%s: a part is missing: what %q, safe %q, do %q", name, s.What, s.Safe, s.Do)
	}
	if s.Cause == nil {
		t.Errorf("%s hides its cause", name)
	}
	for _, bad := range []string{"%!", "<nil>", "0x", "&{", "map[", "EOF", "dial tcp", "read tcp", "write tcp",
		"lookup ",
		"x509:", "tls:", "i/o timeout", "context deadline", "panic", "goroutine", "*errors"} {
		if strings.Contains(err.Error(), bad) {
			t.Errorf("%q is in %v", bad, err)
		}
	}
}
