package cli

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
)

// durations reads durations. Unlike kong's own reading, its error says that a number needs a unit.
var durations = kong.TypeMapper(reflect.TypeFor[time.Duration](),
	kong.MapperFunc(func(ctx *kong.DecodeContext, target reflect.Value) error {
		var text string
		if err := ctx.Scan.PopValueInto("duration", &text); err != nil {
			return err
		}
		d, err := ParseDuration(text)
		if err != nil {
			return err
		}
		target.SetInt(int64(d))
		return nil
	}))

// ParseDuration reads a duration as Go has it, which may begin with days of 24 hours: 7d, 1d12h, 1.5d.
func ParseDuration(text string) (time.Duration, error) {
	rest, days := text, time.Duration(0)
	if number, after, found := strings.Cut(text, "d"); found {
		n, err := strconv.ParseFloat(number, 64)
		// A number of days is digits and a point: not NaN, nor 1e3. Above 100 years the sum might overflow.
		if err != nil || strings.Trim(number, "-+.0123456789") != "" || n > 36525 || n < -36525 {
			return 0, wrongDuration(text)
		}
		days, rest = time.Duration(n*float64(24*time.Hour)), after
		if rest == "" {
			return days, nil
		}
		if n < 0 || strings.HasPrefix(number, "-") || rest[0] < '0' || rest[0] > '9' {
			return 0, wrongDuration(text)
		}
	}
	d, err := time.ParseDuration(rest)
	if err != nil || days != 0 && d > 1<<61 {
		return 0, wrongDuration(text)
	}
	return days + d, nil
}

func wrongDuration(text string) error {
	_, after, days := strings.Cut(text, "d")
	if !days {
		after = text
	}
	if _, err := time.ParseDuration(after + "s"); err == nil {
		return fmt.Errorf("%q: want a duration with its unit: did you mean %ss?", text, text)
	}
	return fmt.Errorf("%q: want a duration, as 500ms, 10s, 1m30s or 7d", text)
}
