package cli

import (
	"strings"
	"testing"
	"time"
)

// TestParseTime: every form of one moment is that moment, and what it was taken for is said.
func TestParseTime(t *testing.T) {
	moment := time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC).UnixMilli()
	for text, want := range map[string]struct {
		ms int64
		as TimeUnit
	}{
		"1700000000": {moment, Seconds}, "1700000000.0": {moment, Seconds}, "1.7e9": {moment, Seconds},
		"1700000000.25": {moment + 250, Seconds}, "1700000000.123": {moment + 123, Seconds},
		"1700000000.999": {moment + 999, Seconds}, "1700000000000": {moment, Milliseconds},
		"1700000000123.9": {moment + 123, Milliseconds}, "1700000000123456": {moment + 123, Microseconds},
		"1700000000123999999": {moment + 123, Nanoseconds}, "1700000000000000000": {moment, Nanoseconds},
		"0": {0, Milliseconds}, "86400000": {86400000, Milliseconds}, "-1": {-1, Milliseconds},
		"-300000000": {-300000000000, Seconds}, "-300000000000001": {-300000000001, Microseconds},

		"2023-11-14T22:13:20Z": {moment, ISOTime}, "2023-11-14 22:13:20Z": {moment, ISOTime},
		"2023-11-14t22:13:20z": {moment, ISOTime}, "2023-11-15T00:13:20+02:00": {moment, ISOTime},
		"2023-11-15 00:13:20+0200": {moment, ISOTime}, "2023-11-15 00:13:20 +02": {moment, ISOTime},
		"2023-11-14 17:13:20-05:00": {moment, ISOTime}, "2023-11-14 22:13:20 UTC": {moment, ISOTime},
		"2023-11-14T22:13:20.5Z": {moment + 500, ISOTime}, "20231114T221320Z": {moment, ISOTime},
		"2023-11-14 22:13:20": {moment, ISOLocal}, "2023-11-14T22:13:20": {moment, ISOLocal},
		"2023-11-14 22:13:20.123456789": {moment + 123, ISOLocal}, "2023-11-14 22:13:20,123": {moment + 123, ISOLocal},
		"2023-11-14 22:13": {moment - 20_000, ISOLocal}, "2023-11-14": {moment - 80_000_000, ISOLocal},
	} {
		if ms, as, err := ParseTime(text, AutoUnit); err != nil || ms != want.ms || as != want.as {
			t.Errorf("%s: %d, %v, %v; want %d, %v", text, ms, as, err, want.ms, want.as)
		}
	}
	for _, text := range []string{"", "yesterday", "nan", "Inf", "0x10", "1_000", "1e300", "2023-13-01", "2023-02-30",
		"14.11.2023", "22:13:20", "2023-11-14 25:00:00", "2023-11-14T22:13:20 CET", "true",
		"99999999999999999999999999"} {
		if ms, as, err := ParseTime(text, AutoUnit); err == nil || !strings.Contains(err.Error(), WantTime) {
			t.Errorf("%q: %d, %v, %v", text, ms, as, err)
		}
	}
}

// TestTimesOfAUnit: a unit that was set counts, whatever the magnitude.
func TestTimesOfAUnit(t *testing.T) {
	for text, want := range map[string][4]int64{"1700000000": {1_700_000_000_000, 1_700_000_000, 1_700_000, 1_700},
		"1500": {1_500_000, 1500, 1, 0}, "-1": {-1000, -1, -1, -1}} {
		for i, unit := range []TimeUnit{Seconds, Milliseconds, Microseconds, Nanoseconds} {
			if ms, as, err := ParseTime(text, unit); err != nil || ms != want[i] || as != unit {
				t.Errorf("%s %v: %d, %v, %v", text, unit, ms, as, err)
			}
		}
	}
	if ms, as, err := ParseTime("2023-11-14", Seconds); err != nil || as != ISOLocal || ms == 0 {
		t.Errorf("%d, %v, %v", ms, as, err)
	}
	if _, _, err := ParseTime("1700000000000", Seconds); err == nil {
		t.Error("the year 55841 is a time")
	}
	for i, name := range TimeUnits {
		if u, err := ParseTimeUnit(name); err != nil || u != TimeUnit(i) {
			t.Errorf("%s: %v, %v", name, u, err)
		}
	}
	if _, err := ParseTimeUnit("min"); err == nil {
		t.Error("minutes are taken")
	}
}
