package decode

import "testing"

// TestJSONAgainstOracle cuts each event at each byte. No proper prefix of a good event is good.
func TestJSONAgainstOracle(t *testing.T) {
	for _, o := range fuzzOptions() {
		d := decoder(t, o)
		for _, event := range jsonEvents {
			for n := range event {
				agree(t, d, []byte(event[:n]))
			}
			agree(t, d, []byte(event))
		}
	}
}
