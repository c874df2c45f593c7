package web

import (
	"fmt"
	"time"

	"rosenblatt/stream/labels"
)

// throttleBody is what a broker has asked for whose quota is used up.
type throttleBody struct {
	Broker  string  `json:"broker"`
	Request string  `json:"request"`
	Waits   float64 `json:"waits_s"` // from now on; 0: it takes such requests
	Total   float64 `json:"total_s"` // of this process
}

func (v *view) throttleBodies() (out []throttleBody) {
	for _, x := range v.throttles {
		out = append(out, throttleBody{x.Broker, x.Request, max(0, x.Until.Sub(v.now).Seconds()), x.Total.Seconds()})
	}
	return out
}

func roundUp(d time.Duration) string { return labels.Span((d + time.Second - 1).Truncate(time.Second)) }

// throttled says for what brokers let this process wait now.
func (v *view) throttled() (lines []string) {
	for _, x := range v.throttles {
		if x.Until.After(v.now) {
			lines = append(lines, fmt.Sprintf("throttled: broker %s takes %s again in %s: a quota of this user or "+
				"client id is used up (%s so far)", x.Broker, x.Request, roundUp(x.Until.Sub(v.now)), roundUp(x.Total)))
		}
	}
	return lines
}

// nearbyBody is a partition of input or labels that is read from a replica in this rack.
type nearbyBody struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Broker    int32  `json:"broker"` // its number
}

func (s *Server) nearbyBodies() (out []nearbyBody) {
	if s.Nearby == nil {
		return nil
	}
	for _, x := range s.Nearby() {
		out = append(out, nearbyBody(x))
	}
	return out
}
