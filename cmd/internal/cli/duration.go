package cli

import (
	"fmt"
	"reflect"
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
		d, err := time.ParseDuration(text)
		if err != nil {
			if _, err := time.ParseDuration(text + "s"); err == nil {
				return fmt.Errorf("%q: want a duration with its unit: did you mean %ss?", text, text)
			}
			return fmt.Errorf("%q: want a duration, as 500ms, 10s or 1m30s", text)
		}
		target.SetInt(int64(d))
		return nil
	}))
