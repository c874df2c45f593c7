package protobuf

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/dynamicpb"
)

const encodedProto = `syntax = "proto3"; package p;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/any.proto";
import "confluent/type/decimal.proto";
enum Colour { RED = 0; BLUE = 2; }
message First { map<string, int32> m = 1; message Deep { int32 i = 1; } }
message All {
  int32 i = 1; uint32 u = 2; int64 l = 3; uint64 ul = 4; sint32 s = 5; fixed64 f = 6; float x = 7; double d = 8;
  bool b = 9; string t = 10; bytes raw = 11; Colour c = 12; repeated int32 many = 13; map<int32, string> by = 14;
  First.Deep deep = 15; oneof one { int32 a = 16; string z = 17; } google.protobuf.Timestamp at = 18;
  google.protobuf.Duration took = 19; google.protobuf.DoubleValue maybe = 20; google.protobuf.Struct any = 21;
  google.protobuf.Any strange = 22; confluent.type.Decimal price = 23; map<bool, First.Deep> deeps = 24;
  google.protobuf.Value value = 25; optional int32 none = 26;
}`

// TestWriter: what is written is what the library writes of the same message; what does not suit is named.
func TestWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "all.proto")
	if err := os.WriteFile(path, []byte(encodedProto), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := NewWriter(path, "All")
	if err != nil {
		t.Fatal(err)
	}
	for form, want := range map[string]string{
		`{"i":-1,"u":4294967295,"l":-9223372036854775808,"ul":18446744073709551615,"s":-7,"f":9,"x":0.1,"d":1e300}`: "",
		`{"b":true,"t":"ü","c":"BLUE","many":[1,0,-1],"by":{"7":"a","-1":"b"},"deep":{"i":3},"none":0}`:             "",
		`{"a":0}`: "", `{"z":""}`: "", `{"c":"7","i":null}`: `{"c":7}`, `{"i":1e3,"maybe":0}`: `{"i":1000,"maybe":0}`,
		`{"at":-1500.5,"took":-1500.5}`:            `{"at":"1969-12-31T23:59:58.499500Z","took":"-1.500500s"}`,
		`{"at":1795730700500,"took":1e-6}`:         `{"at":"2026-11-26T22:05:00.500Z","took":"0.000000001s"}`,
		`{"any":{"k":[1,null,"x"]},"value":null}`:  "",
		`{"price":-1.28,"deeps":{"true":{"i":1}}}`: `{"price":{"value":"gA==","scale":2},"deeps":{"true":{"i":1}}}`,
		`{"price":128}`:                            `{"price":{"value":"AIA="}}`,
		`{"price":0}`:                              `{"price":{"value":"AA=="}}`,
		`{"i":1.5}`:                                `field "i": 1.5: it is no integer`,
		`{"i":2147483648}`:                         `field "i": 2147483648 is out of the range of int32`,
		`{"u":-1}`:                                 "out of the range of uint32",
		`{"x":1e300}`:                              "out of the range of float",
		`{"d":1e999}`:                              "out of the range of double",
		`{"i":"1"}`:                                `field "i": "1" does not suit int32`,
		`{"many":1}`:                               "does not suit a repeated field",
		`{"many":[1,null]}`:                        `field "many[1]": null does not suit int32`,
		`{"by":{"a":"b"}}`:                         `field "by.a"`,
		`{"by":{"1":"a","01":"b"}}`:                `field "by.01"`,
		`{"by":{"1":"a","1":"b"}}`:                 `field "by.1": it is there twice`,
		`{"deep":{"k":3}}`:                         `field "deep.k": the schema has no such field`,
		`{"a":1,"z":"x"}`:                          `field "z": a is there, too`,
		`{"i":1,"i":1}`:                            `field "i": it is there twice`,
		`{"c":"GREEN"}`:                            "none of the names of p.Colour",
		`{"c":"2"}`:                                "none of the names of p.Colour",
		`{"raw":"AA=="}`:                           `field "raw": bytes have no json form`,
		`{"strange":{}}`:                           "google.protobuf.Any has no json form",
		`{"at":"2026-11-26T22:05:00Z"}`:            "no number of milliseconds",
		`{"at":0.0000001}`:                         "no number of milliseconds",
		`{"price":1e-999999999}`:                   "is no decimal",
		`{"t":"` + "\xff" + `"}`:                   "UTF-8",
		`[1]`:                                      "does not suit p.All",
		`{`:                                        "no json",
	} {
		got, err := w.Append([]byte("before"), []byte(form))
		if err != nil {
			if !strings.Contains(err.Error(), want) || want == "" {
				t.Errorf("%s: %v, want %s", form, err, want)
			}
			continue
		}
		if want == "" {
			want = form
		}
		of := dynamicpb.NewMessage(w.message)
		if err := protojson.Unmarshal([]byte(want), of); err != nil {
			t.Errorf("%s: written, want %s", form, want)
			continue
		}
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(of)
		if err != nil || string(got) != "before"+string(b) {
			t.Errorf("%s: %x, want %x, %v", form, got[6:], b, err)
		}
	}
	if len(w.Imports) > 0 {
		t.Errorf("imports %v", w.Imports)
	}
	// Deep is behind the entry of the map.
	for name, want := range map[string][]byte{"First": {0}, "All": {2, 2}, "First.Deep": {4, 0, 2}} {
		w, err := NewWriter(path, name)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(w.Indexes(), want) {
			t.Errorf("%s: %v, want %v", name, w.Indexes(), want)
		}
	}
}
