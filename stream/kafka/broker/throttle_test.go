package broker

import (
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestThrottleOfEveryResponse: what each response asks for is known, of the requests that are sent, in the version that
// brokers of today speak. Logins have no quota.
func TestThrottleOfEveryResponse(t *testing.T) {
	t.Parallel()
	for key, versions := range used {
		res := kmsg.ResponseForKey(int16(key))
		res.SetVersion(versions.High)
		x, has := res.(kmsg.SetThrottleResponse)
		if login := slices.Contains([]kmsg.Key{kmsg.SASLHandshake, kmsg.SASLAuthenticate}, key); !has {
			if !login && key != kmsg.DescribeQuorum {
				t.Errorf("%s asks for nothing", key.Name())
			}
			continue
		}
		if x.SetThrottle(1500); throttled(res) != 1500*time.Millisecond {
			t.Errorf("%s %d: %v", key.Name(), versions.High, throttled(res))
		}
		if x.SetThrottle(1<<31 - 1); throttled(res) != longestThrottle {
			t.Errorf("%s: a damaged response asks for %v", key.Name(), throttled(res))
		}
		if x.SetThrottle(-5); throttled(res) != 0 {
			t.Errorf("%s: %v", key.Name(), throttled(res))
		}
	}
	if old := (&kmsg.FetchResponse{Version: 7, ThrottleMillis: 100}); throttled(old) != 0 {
		t.Error("the broker has waited already")
	}
}
