package event

import (
	"fmt"
	"strconv"
)

// failure is the smallest reason found so far, with its text.
type failure struct {
	reason Reason
	text   string
}

// takes tells whether add would keep a reason. What may fail a million times in one event asks first: the arguments of add
// are garbage each time.
func (f *failure) takes(r Reason) bool { return f.reason == OK || r < f.reason }

// add keeps a reason if it comes before the one that is kept. The text is only made then.
func (f *failure) add(r Reason, format string, args ...any) {
	if f.takes(r) {
		*f = failure{r, fmt.Sprintf(format, args...)}
	}
}

// quoted is a piece of an event as it stands in an error: shortened to 64 bytes, then quoted.
type quoted []byte

// String implements fmt.Stringer.
func (q quoted) String() string {
	if len(q) > 64 {
		return strconv.Quote(string(q[:64])) + "..."
	}
	return strconv.Quote(string(q))
}

// stop ends the parse with Syntax or TooDeep, which come before all reasons that are found while parsing. It returns -1,
// which parsing functions give for the next offset when there is none.
func (d *Decoder) stop(r Reason, at int, format string, args ...any) int {
	d.failed = failure{r, "offset " + strconv.Itoa(at) + ": " + fmt.Sprintf(format, args...)}
	return -1
}

// unexpected ends the parse with Syntax at a byte that is not what is wanted there.
func (d *Decoder) unexpected(at int, want string) int {
	if at >= len(d.value) {
		return d.stop(Syntax, at, "%s is wanted, but the event ends here; is it cut off?", want)
	}
	return d.stop(Syntax, at, "%s is wanted, not %v", want, quoted(d.value[at:min(at+16, len(d.value))]))
}
