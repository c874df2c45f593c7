package protobuf

import (
	"embed"
	"strings"

	"github.com/bufbuild/protocompile"
	_ "google.golang.org/genproto/googleapis/type/calendarperiod" // these register google/type
	_ "google.golang.org/genproto/googleapis/type/color"
	_ "google.golang.org/genproto/googleapis/type/date"
	_ "google.golang.org/genproto/googleapis/type/date_range"
	_ "google.golang.org/genproto/googleapis/type/date_time_range"
	_ "google.golang.org/genproto/googleapis/type/datetime"
	_ "google.golang.org/genproto/googleapis/type/dayofweek"
	_ "google.golang.org/genproto/googleapis/type/decimal"
	_ "google.golang.org/genproto/googleapis/type/expr"
	_ "google.golang.org/genproto/googleapis/type/fraction"
	_ "google.golang.org/genproto/googleapis/type/interval"
	_ "google.golang.org/genproto/googleapis/type/latlng"
	_ "google.golang.org/genproto/googleapis/type/localized_text"
	_ "google.golang.org/genproto/googleapis/type/money"
	_ "google.golang.org/genproto/googleapis/type/month"
	_ "google.golang.org/genproto/googleapis/type/phone_number"
	_ "google.golang.org/genproto/googleapis/type/postaladdress"
	_ "google.golang.org/genproto/googleapis/type/quaternion"
	_ "google.golang.org/genproto/googleapis/type/timeofday"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// Of confluent's files no Go package registers descriptors: these have the names, numbers and types of their fields.
//
//go:embed builtin
var builtIns embed.FS

// builtIn returns a file that serializers leave out of references, beside google/protobuf.
func builtIn(path string) (file protocompile.SearchResult, ok bool) {
	if strings.HasPrefix(path, "google/type/") {
		d, err := protoregistry.GlobalFiles.FindFileByPath(path)
		return protocompile.SearchResult{Desc: d}, err == nil
	}
	b, err := builtIns.ReadFile("builtin/" + path)
	return protocompile.SearchResult{Source: strings.NewReader(string(b))}, err == nil
}
