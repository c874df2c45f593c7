package broker

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// Sent is a request in a version, the broker that it went to, and the versions that this one offers.
type Sent struct {
	Key     kmsg.Key
	Version int16
	To      string // host:port
	Offers  *Span  // nil while nothing was negotiated
}

// Sent names a request whose version is set.
func (c *Conn) Sent(req kmsg.Request) Sent {
	s := Sent{Key: kmsg.Key(req.Key()), Version: req.GetVersion(), To: c.Address}
	if offers, ok := c.Versions[req.Key()]; ok {
		s.Offers = &offers
	}
	return s
}

// String is as "Fetch 13 to 127.0.0.1:9092 (it offers versions 4 to 18, used are 11 to 13)".
func (s Sent) String() string {
	if s.Offers == nil {
		return fmt.Sprintf("%s %d to %s", s.Key.Name(), s.Version, s.To)
	}
	ours := used[s.Key]
	return fmt.Sprintf("%s %d to %s (it offers versions %d to %d, used are %d to %d)", s.Key.Name(), s.Version, s.To,
		s.Offers.Low, s.Offers.High, ours.Low, ours.High)
}

// RequestError is what happened to a request in place of a response.
type RequestError struct {
	Sent Sent
	Err  error
}

func (r *RequestError) Error() string { return r.Sent.String() + ": " + r.Err.Error() }
func (r *RequestError) Unwrap() error { return r.Err }

// Unreadable is a request at which a broker that responds to others closes the connection, again and again.
type Unreadable struct{ Sent Sent }

func (u *Unreadable) Error() string {
	return fmt.Sprintf("the broker closes the connection at each request %v, and responds to others", u.Sent)
}

// IsUnsupported tells whether a broker has no usable version of a request, as far as it says or shows.
func IsUnsupported(err error) bool {
	return errors.As(err, new(*UnsupportedVersion)) || errors.As(err, new(*Unreadable))
}
