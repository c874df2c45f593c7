package protobuf

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"

	"rosenblatt/stream/avro"
)

// descriptorText returns what Python's serializer registers of a schema: a FileDescriptorProto in base64, without the
// names of fields in JSON.
func descriptorText(t *testing.T, text string, imports ...Import) string {
	t.Helper()
	d, err := parse(text, imports)
	if err != nil {
		t.Fatal(err)
	}
	f := protodesc.ToFileDescriptorProto(d)
	for rest := f.MessageType; len(rest) > 0; {
		m := rest[0]
		rest = append(rest[1:], m.NestedType...)
		for _, field := range m.Field {
			field.JsonName = nil
		}
	}
	f.Name = proto.String("what/ever.proto")
	b, err := proto.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return base64.StdEncoding.EncodeToString(b)
}

const person = `syntax = "proto3";
package shop;
import "money.proto";
import "google/type/latlng.proto";
import "google/protobuf/timestamp.proto";
import "confluent/meta.proto";
import "confluent/type/decimal.proto";
message Before { int32 a_b = 1; }
message Person {
  option (confluent.message_meta) = { doc: "a person" };
  string name = 2 [(confluent.field_meta).tags = "PII"];
  map<string, Person> friends = 9;
  message Home { google.type.LatLng at = 1; Person owner = 3; message Door { bool open = 1; } }
  Home home = 1;
  Money money = 300;
  google.protobuf.Timestamp since = 4;
  repeated confluent.type.Decimal sums = 5;
  oneof what { int64 i = 6; bytes raw = 7; }
}`

const money = `syntax = "proto3"; package shop; message Money { double amount = 1; Currency c = 2; }
enum Currency { EUR = 0; USD = 5; }`

// TestCompile: references as text and as descriptors, what is built in, messages in circles, the order of fields, and
// the places of messages.
func TestCompile(t *testing.T) {
	reference := Import{"money.proto", money}
	inBase64 := Import{"money.proto", descriptorText(t, money)}
	for _, text := range []string{person, descriptorText(t, person, reference)} {
		for _, imported := range []Import{reference, inBase64} {
			f, err := Compile(text, imported)
			if err != nil {
				t.Fatal(err)
			}
			p := f.Named("shop.Person")
			var names []string
			for i := range p.Fields {
				if names = append(names, string(p.Fields[i].Name)); p.Place(p.Fields[i].Number) != i {
					t.Errorf("%s is not found", p.Fields[i].Name)
				}
			}
			if got := strings.Join(names, " "); got != "name friends home money since sums i raw" {
				t.Error(got)
			}
			friends, sums := &p.Fields[1], &p.Fields[5]
			if !friends.IsMap() || friends.Message.Value().Message != p || sums.Message.Meaning != Decimal ||
				p.Fields[4].Message.Meaning != Timestamp || !p.Fields[7].Absent || fmt.Sprint(p.Fields[6].OneOf) !=
				"[6 7]" || p.Place(8) >= 0 || p.Place(1<<20) >= 0 {
				t.Errorf("%+v", p)
			}
			home := p.Fields[2].Message
			for _, c := range []struct {
				indexes []int64
				want    *Message
			}{
				{[]int64{1}, p}, {[]int64{0}, f.Messages[0]}, {[]int64{2}, nil}, {[]int64{-1}, nil},
				{[]int64{1, 1}, home}, {[]int64{1, 0}, home}, // the entries of friends are at 0
				{[]int64{1, 1, 0}, home.Nested[0]}, {[]int64{1, 1, 1}, nil}, {[]int64{1, 2}, nil},
				{[]int64{0, 0}, nil}, {[]int64{1 << 40}, nil},
			} {
				if got := f.At(c.indexes); got != c.want {
					t.Errorf("%v: %v", c.indexes, got)
				}
			}
		}
	}
}

// TestCompileRefuses: the errors say what is wrong, in which line of the schema.
func TestCompileRefuses(t *testing.T) {
	for _, c := range [][2]string{
		{`syntax = "proto3"; message A { B b = 1; }`, "line 1:32: field A.b: unknown type B"},
		{`syntax = "proto3"; import "b.proto";`, "b.proto is imported, and is not among the references"},
		{`{"type":"record"}`, "line 1:1: syntax error"},
		{"syntax = \"proto3\";\nmessage A { int32 a = 1; int32 b = 1; }", "line 2:"},
		{`syntax = "proto3"; message A {` + "\xff", "line 1"},
		{base64.StdEncoding.EncodeToString([]byte("\x0a\x01x\x22\x03\x0a\x01A")), ""}, // a message without fields
	} {
		_, err := Compile(c[0])
		if c[1] == "" && err != nil || c[1] != "" && (err == nil || !strings.Contains(err.Error(), c[1])) {
			t.Errorf("%s: %v, want %s", c[0], err, c[1])
		}
	}
}

// TestBundle: a file with imports of its folder, and a FileDescriptorSet, are one text, which does not depend on what
// does not count.
func TestBundle(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, content []byte) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("money.proto", []byte(money))
	file := write("person.proto", []byte(person))
	text, name, err := Bundle(file, "Person")
	if err != nil || name != "shop.Person" {
		t.Fatal(name, err)
	}
	if same, _, err := Bundle(write("renamed.proto", []byte(person)), "Person"); same != text || err != nil {
		t.Errorf("another text, %v", err)
	}
	other := strings.Replace(person, "message Before", "// a comment\noption java_package = \"x\";\nmessage  Before", 1)
	if same, _, err := Bundle(write("person.proto", []byte(other)), "shop.Person"); same != text || err != nil {
		t.Errorf("another text, %v", err)
	}
	set, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	nested, name, err := Bundle(write("person.binpb", set), "Person.Home.Door")
	if nested != text || name != "shop.Person.Home.Door" || err != nil {
		t.Errorf("%s, %v", name, err)
	}
	if m, err := Bundled(text, name); err != nil || m.Name != name || string(m.Fields[0].Name) != "open" {
		t.Errorf("%+v, %v", m, err)
	}
	var lacking descriptorpb.FileDescriptorSet
	if err := proto.Unmarshal(set, &lacking); err != nil {
		t.Fatal(err)
	}
	lacking.File = lacking.File[len(lacking.File)-1:]
	alone, _ := proto.Marshal(&lacking)
	for _, c := range []struct{ path, message, want string }{
		{file, "", "several messages: --message says which: shop.Before, shop.Person"},
		{file, "Home", `no message "Home": it has shop.Before, shop.Person`},
		{filepath.Join(dir, "none.proto"), "", "no such file"},
		{write("bad.proto", []byte("message {")), "", "bad.proto:1:9: syntax error"},
		{write("no.proto", []byte(`syntax = "proto3"; import "gone.proto";`)), "", "gone.proto"},
		{write("bad.desc", []byte("x")), "", "it is no FileDescriptorSet"},
		{write("alone.desc", alone), "Person", "the set lacks the imported file money.proto"},
		{write("enum.proto", []byte(`syntax = "proto3"; enum E { A = 0; }`)), "", "the schema has no message"},
	} {
		if _, _, err := Bundle(c.path, c.message); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.path, err, c.want)
		}
	}
	if _, name, err := Bundle(filepath.Join(dir, "money.proto"), ""); name != "shop.Money" || err != nil {
		t.Errorf("the only message is %s, %v", name, err)
	}
}

// TestFields: what of a schema makes features, what never does, and what rejects events.
func TestFields(t *testing.T) {
	f, err := Compile(`syntax = "proto3"; import "google/protobuf/any.proto"; import "google/protobuf/struct.proto";
		import "google/protobuf/wrappers.proto";
		message E { double x = 1; bytes raw = 2; U user = 3; map<string, U> m = 4; repeated string tags = 5;
		repeated U items = 6; repeated bool bits = 7; google.protobuf.Any any = 8; google.protobuf.Struct s = 9;
		repeated google.protobuf.BoolValue b = 10; repeated google.protobuf.Value v = 11; map<int32, bytes> q = 12; }
		message U { int32 age = 1; U friend = 2; E home = 3; google.protobuf.Int64Value n = 4; }`)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, f := range Fields(f.Named("E")) {
		got += fmt.Sprint(f.Path, " ", f.Use, ", ")
	}
	want := "x 0, raw 1, user.age 0, user.n 0, m.*.age 0, m.*.n 0, tags 0, items 2, bits 2, any 1, s.* 0, b 2, v 0, " +
		"q.* 1, "
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	const said = "8 fields can make features; never: raw, any, q.*; arrays that reject events: items, bits, b"
	if got := avro.Summary(Fields(f.Named("E"))); got != said {
		t.Error(got)
	}
}

// TestOtherMeaning: a message that has the name of a known one and not its fields is any other message.
func TestOtherMeaning(t *testing.T) {
	f, err := Compile(`syntax = "proto3"; package google.protobuf;
		message Timestamp { string seconds = 1; Value v = 2; }
		message Value { Value v = 1; }`)
	if err != nil {
		t.Fatal(err)
	}
	if m := f.Named("google.protobuf.Timestamp"); m.Meaning != Object || m.Fields[1].Message.Meaning != Object {
		t.Errorf("%+v", m)
	}
}

// TestBuiltIn: the files of google/type can be imported without a reference.
func TestBuiltIn(t *testing.T) {
	for _, name := range []string{"calendar_period", "color", "date", "datetime", "dayofweek", "decimal", "expr",
		"fraction", "interval", "latlng", "localized_text", "money", "month", "phone_number", "postal_address",
		"quaternion", "timeofday"} {
		text := `syntax = "proto3"; import "google/type/` + name + `.proto"; message M { int32 i = 1; }`
		if _, err := Compile(text); err != nil {
			t.Error(err)
		}
	}
	if _, err := Compile(`syntax = "proto3"; import "google/type/other.proto";`); err == nil {
		t.Error("a file that does not exist is built in")
	}
}
