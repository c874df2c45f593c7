package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/stream/schema"
)

// server is a registry in the test's process: no network, so that it fits synctest. Each answer is of the next of
// replies, and the last one stays.
type server struct {
	mu      sync.Mutex
	handle  http.HandlerFunc
	asked   []string
	running atomic.Int32
	most    atomic.Int32
}

func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	s.asked = append(s.asked, r.URL.Host+r.URL.EscapedPath())
	s.mu.Unlock()
	n := s.running.Add(1)
	defer s.running.Add(-1)
	for m := s.most.Load(); n > m && !s.most.CompareAndSwap(m, n); m = s.most.Load() {
	}
	w := httptest.NewRecorder()
	s.handle(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if w.Code == dead {
		return nil, errors.New("connection refused")
	}
	response := w.Result()
	response.Request = r
	return response, nil
}

// dead is the status of a server that is not there.
const dead = 999

func client(t *testing.T, s *server, urls ...string) *Client {
	t.Helper()
	if len(urls) == 0 {
		urls = []string{"http://registry/apis/ccompat/v7"}
	}
	c, err := New(Options{URLs: urls, HTTP: s, Timeout: 10 * time.Second, Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func write(w http.ResponseWriter, status int, body string) {
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body))
}

const (
	record  = `{"schema":"{\"type\":\"record\",\"name\":\"r\",\"fields\":[]}"}`
	unknown = `{"error_code":40403,"message":"Schema not found"}`
)

// TestNoAnswers: what is neither a schema nor 40403 is asked again until there is one of these, and never more.
func TestNoAnswers(t *testing.T) {
	for what, reply := range map[string]struct {
		status int
		body   string
	}{
		"away":                     {dead, ""},
		"wrong login":              {401, `{"error_code":40101,"message":"no"}`},
		"no right":                 {403, `{"error_code":40301,"message":"no"}`},
		"the page of a web server": {404, "<html>not found</html>"},
		"404 without a body":       {404, ""},
		"another code":             {404, `{"error_code":404,"message":"HTTP 404 Not Found"}`},
		"a code that is text":      {404, `{"error_code":"40403"}`},
		"a code of subjects":       {404, `{"error_code":40401,"message":"Subject not found"}`},
		"40403 in an array":        {404, `[{"error_code":40403}]`},
		"40403 that is cut off":    {404, `{"error_code":40403,"mess`},
		"40403 with another state": {400, unknown},
		"40403 and no error":       {200, unknown},
		"too many requests":        {429, `{"error_code":40403}`},
		"server's error":           {500, `{"error_code":50001}`},
		"gateway":                  {503, "<html>"},
		"redirect":                 {302, ""},
		"other success":            {204, ""},
		"success without 200":      {206, record},
		"no json":                  {200, "<html>welcome</html>"},
		"cut off":                  {200, record[:30]},
		"an array":                 {200, "[" + record + "]"},
		"null":                     {200, "null"},
		"schema null":              {200, `{"schema":null}`},
		"schema is no text":        {200, `{"schema":{"type":"record"}}`},
		"no schema":                {200, `{"id":1}`},
		"two answers":              {200, record + record},
		"nothing":                  {200, ""},
		"a long page":              {200, strings.Repeat("x", mostBytes+1)},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			s := &server{handle: func(w http.ResponseWriter, _ *http.Request) {
				switch {
				case time.Since(began) > time.Hour:
					write(w, 200, record)
				case reply.status == 302:
					w.Header().Set("Location", "/elsewhere")
					fallthrough
				default:
					write(w, reply.status, reply.body)
				}
			}}
			c := client(t, s)
			got, err := c.Get(t.Context(), schema.ID{Number: 7})
			if err != nil || got == nil || time.Since(began) < time.Hour {
				t.Errorf("%s: %+v, %v after %v", what, got, err, time.Since(began))
			}
			if n := len(s.asked); n < 300 || n > 900 {
				t.Errorf("%s: asked %d times in an hour", what, n)
			}
			for _, path := range s.asked {
				if path != "registry/apis/ccompat/v7/schemas/ids/7" {
					t.Fatalf("%s: asked %s", what, path)
				}
			}
			if c.Requests(Failed) != int64(len(s.asked)-1) || c.Requests(Known) != 1 || c.Requests(Unknown) != 0 {
				t.Errorf("%s: %v", what, &c.counts)
			}
		})
	}
}

// TestUnknownSchema: 40403 counts when it is said twice, and then for a minute.
func TestUnknownSchema(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		replies := []int{404, 503, 404}
		s := &server{}
		s.handle = func(w http.ResponseWriter, _ *http.Request) {
			status := replies[min(len(s.asked)-1, len(replies)-1)]
			write(w, status, unknown)
		}
		c := client(t, s)
		began := time.Now()
		for range 1000 {
			if got, err := c.Get(t.Context(), schema.ID{Number: 7}); got != nil || err != nil {
				t.Fatal(got, err)
			}
		}
		if len(s.asked) != 3 || time.Since(began) < confirm {
			t.Errorf("asked %d times, after %v", len(s.asked), time.Since(began))
		}
		time.Sleep(remembered)
		replies = []int{200}
		s.handle = func(w http.ResponseWriter, _ *http.Request) { write(w, 200, record) }
		for range 1000 {
			if got, err := c.Get(t.Context(), schema.ID{Number: 7}); got == nil || err != nil {
				t.Fatal(got, err)
			}
		}
		if len(s.asked) != 4 {
			t.Errorf("asked %d times: what is known is not asked again", len(s.asked))
		}
	})
}

// TestKnownAtLast: an id that is not known at first is known if the second answer says so.
func TestKnownAtLast(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		s.handle = func(w http.ResponseWriter, _ *http.Request) {
			if len(s.asked) == 1 {
				write(w, 404, unknown)
				return
			}
			write(w, 200, record)
		}
		if got, err := client(t, s).Get(t.Context(), schema.ID{Number: 7}); got == nil || err != nil {
			t.Error(got, err)
		}
	})
}

// TestManyUnknown: of more than 16 in a minute the further ones are asked once.
func TestManyUnknown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{handle: func(w http.ResponseWriter, _ *http.Request) { write(w, 404, unknown) }}
		c := client(t, s)
		for i := range uint32(1000) {
			if got, err := c.Get(t.Context(), schema.ID{Number: i}); got != nil || err != nil {
				t.Fatal(got, err)
			}
		}
		if n := len(s.asked); n != 1000+confirmed+1 {
			t.Errorf("asked %d times", n)
		}
		time.Sleep(remembered)
		if _, err := c.Get(t.Context(), schema.ID{Number: 5000}); err != nil || len(s.asked) != 1000+confirmed+3 {
			t.Errorf("asked %d times, %v", len(s.asked), err)
		}
	})
}

// TestAskedOnce: many that want one id ask once, many ids are asked 16 at a time, and who waits no more does not
// disturb the others.
func TestAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{handle: func(w http.ResponseWriter, _ *http.Request) {
			time.Sleep(time.Second)
			write(w, 200, record)
		}}
		c := client(t, s)
		var all sync.WaitGroup
		gone, leave := context.WithCancel(t.Context())
		for i := range 2000 {
			ctx := t.Context()
			if i < 100 {
				ctx = gone
			}
			all.Go(func() {
				got, err := c.Get(ctx, schema.ID{Number: uint32(i % 100)})
				if (got == nil) != (ctx == gone) || (err == nil) != (ctx != gone) {
					t.Errorf("%d: %v, %v", i, got, err)
				}
			})
		}
		time.Sleep(time.Second / 2)
		leave()
		all.Wait()
		if len(s.asked) != 100 || s.most.Load() != requests {
			t.Errorf("asked %d times, %d at a time", len(s.asked), s.most.Load())
		}
	})
}

// TestNobodyWaits: what nobody waits for is not asked any more.
func TestNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{handle: func(w http.ResponseWriter, _ *http.Request) { write(w, 503, "") }}
		c := client(t, s)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if got, err := c.Get(ctx, schema.ID{Number: 7}); got != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Error(got, err)
		}
		synctest.Wait()
		n := len(s.asked)
		time.Sleep(time.Hour)
		if len(s.asked) != n || c.Trouble() != nil {
			t.Errorf("asked %d times, then %d; %v", n, len(s.asked), c.Trouble())
		}
	})
}

// TestAddressesInTurn: where one address fails the next is asked at once, and stays the first.
func TestAddressesInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down := "a"
		s := &server{handle: func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Host == down {
				write(w, 500, "")
				return
			}
			write(w, 200, record)
		}}
		c := client(t, s, "http://a/x", "https://b/contexts/:.c:")
		began := time.Now()
		for i := range uint32(3) {
			if got, err := c.Get(t.Context(), schema.ID{Number: i}); got == nil || err != nil {
				t.Fatal(got, err)
			}
		}
		down = "b"
		if got, err := c.Get(t.Context(), schema.ID{Number: 3}); got == nil || err != nil || time.Since(began) > 0 {
			t.Fatal(got, err, time.Since(began))
		}
		want := []string{"a/x/schemas/ids/0", "b/contexts/:.c:/schemas/ids/0", "b/contexts/:.c:/schemas/ids/1",
			"b/contexts/:.c:/schemas/ids/2", "b/contexts/:.c:/schemas/ids/3", "a/x/schemas/ids/3"}
		if !reflect.DeepEqual(s.asked, want) {
			t.Error(s.asked)
		}
	})
}

// TestTrouble: it is logged at once and every minute, says what to do, and when it is over.
func TestTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s := &server{handle: func(w http.ResponseWriter, _ *http.Request) {
			if time.Since(began) > 10*time.Minute {
				write(w, 200, record)
				return
			}
			write(w, 401, `{"error_code":40101,"message":"Unauthorized"}`)
		}}
		var log strings.Builder
		c, err := New(Options{URLs: []string{"http://registry"}, HTTP: s, Logger: zerolog.New(&log)})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(5 * time.Minute)
			if x := c.Trouble(); x == nil || !x.Since.Equal(began) || x.ID.Number != 9 {
				t.Errorf("%+v", x)
			}
		}()
		if _, err := c.Get(t.Context(), schema.ID{Number: 9}); err != nil {
			t.Error(err)
		}
		lines := strings.Split(strings.TrimSpace(log.String()), "\n")
		const line = `"error":"http://registry: status 401 Unauthorized, code 40101: Unauthorized","schema":"9",` +
			`"do":"--schema-registry-user with a password`
		if n := strings.Count(log.String(), line); n < 9 || n > 11 || len(lines) != n+1 ||
			!strings.Contains(lines[n], "responds again") || c.Trouble() != nil {
			t.Errorf("%d of %d lines: %s", n, len(lines), log.String())
		}
	})
}

// TestLogin: each request is given the login as it is then.
func TestLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		token := "old"
		s := &server{handle: func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer new" {
				write(w, 401, "")
				return
			}
			write(w, 200, record)
		}}
		c, err := New(Options{URLs: []string{"http://registry"}, HTTP: s, Logger: zerolog.Nop(),
			Login: func(r *http.Request) error {
				if token == "" {
					return errors.New("the file is empty")
				}
				r.Header.Set("Authorization", "Bearer "+token)
				return nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			time.Sleep(time.Minute)
			token = ""
			time.Sleep(time.Minute)
			token = "new"
		}()
		if got, err := c.Get(t.Context(), schema.ID{Number: 1}); got == nil || err != nil {
			t.Error(got, err)
		}
	})
}

// registered is a schema of a fake registry.
type registered map[string]string // the path and the answer

func (m registered) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	if text, ok := m[r.URL.EscapedPath()]; ok {
		write(w, 200, text)
	} else {
		write(w, 404, `{"error_code":40402}`)
	}
	return w.Result(), nil
}

func (m registered) get(t *testing.T) *schema.Schema {
	t.Helper()
	c, err := New(Options{URLs: []string{"http://registry"}, HTTP: m, Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s, err := c.Get(ctx, schema.ID{Number: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// referring is an answer with references to subjects, version 1.
func referring(text string, subjects ...string) string {
	var refs []map[string]any
	for _, s := range subjects {
		refs = append(refs, map[string]any{"name": s + ".n", "subject": s, "version": 1})
	}
	raw, err := json.Marshal(map[string]any{"schema": text, "schemaType": "PROTOBUF", "references": refs})
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// TestReferences: a schema comes with what it refers to, each once and behind what it needs itself.
func TestReferences(t *testing.T) {
	s := registered{"/schemas/ids/1": referring("top", "a", "b/c d"), "/subjects/a/versions/1": referring("A", "z"),
		"/subjects/b%2Fc%20d/versions/1": referring("B", "z", "a"), "/subjects/z/versions/1": referring("Z", "a"),
	}.get(t)
	want := &schema.Schema{Type: schema.Protobuf, Text: "top", References: []schema.Reference{
		{Name: "z.n", Subject: "z", Version: 1, Text: "Z"}, {Name: "a.n", Subject: "a", Version: 1, Text: "A"},
		{Name: "b/c d.n", Subject: "b/c d", Version: 1, Text: "B"}}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("%+v", s)
	}
}

// TestUnusable: what is read but cannot be used is a schema with a fault.
func TestUnusable(t *testing.T) {
	deep, wide, long := registered{}, registered{}, registered{}
	for i := range 18 {
		deep[fmt.Sprintf("/subjects/s%d/versions/1", i)] = referring("x", fmt.Sprintf("s%d", i+1))
	}
	deep["/schemas/ids/1"] = referring("x", "s0")
	var all []string
	for i := range 201 {
		all = append(all, fmt.Sprintf("s%d", i))
		wide["/subjects/"+all[i]+"/versions/1"] = referring("x")
		long["/subjects/"+all[i]+"/versions/1"] = referring(strings.Repeat("x", 30<<10))
	}
	wide["/schemas/ids/1"], long["/schemas/ids/1"] = referring("x", all...), referring("x", all[:200]...)
	for want, m := range map[string]registered{
		"is not in the registry":               {"/schemas/ids/1": referring("x", "gone")},
		"over more than 16 levels":             deep,
		"refers to more than 200 others":       wide,
		"has more than 4194304 bytes with all": long,
		"has more than 4194304 bytes":          {"/schemas/ids/1": referring(strings.Repeat("x", mostBytes))},
	} {
		if s := m.get(t); s == nil || !strings.Contains(s.Fault, want) || s.References != nil {
			t.Errorf("%s: %+v", want, s)
		}
	}
	delete(deep, "/subjects/s15/versions/1")
	deep["/subjects/s15/versions/1"] = referring("x")
	if s := deep.get(t); s.Fault != "" || len(s.References) != 16 {
		t.Errorf("16 levels: %+v", s)
	}
	wide["/schemas/ids/1"] = referring("x", all[:200]...)
	if s := wide.get(t); s.Fault != "" || len(s.References) != 200 {
		t.Errorf("200 references: %s", s.Fault)
	}
}

// TestFakeRegistry: against franz-go's registry, with a login, over HTTP and over TLS that is not trusted at first.
func TestFakeRegistry(t *testing.T) {
	fake := srfake.New(srfake.WithAuth("Basic dTpw")) // u:p
	t.Cleanup(fake.Close)
	fake.SeedSchema("base", 1, 40, sr.Schema{Schema: `{"type":"enum","name":"e","symbols":["A"]}`})
	fake.SeedSchema("events-value", 1, 41, sr.Schema{
		Schema:     `{"type":"record","name":"r","fields":[{"name":"f","type":"e"}]}`,
		References: []sr.SchemaReference{{Name: "e", Subject: "base", Version: 1}}})
	if _, _, err := fake.RegisterSchema("text", sr.Schema{Schema: `"string"`}); err != nil {
		t.Fatal(err)
	}
	text, _ := fake.GetSchema("text", 1)
	guid, err := schema.ParseID(text.GUID)
	if err != nil {
		t.Fatal(err)
	}
	at, err := url.Parse(fake.URL())
	if err != nil {
		t.Fatal(err)
	}
	secure := httptest.NewTLSServer(httputil.NewSingleHostReverseProxy(at))
	t.Cleanup(secure.Close)
	login := func(r *http.Request) error { r.SetBasicAuth("u", "p"); return nil }
	trusting := secure.Client().Transport.(*http.Transport).Clone()
	for _, o := range []Options{{URLs: []string{fake.URL()}, Login: login},
		{URLs: []string{fake.URL() + "/"}, Login: login},
		{URLs: []string{secure.URL}, Login: login, HTTP: trusting}} {
		o.Logger = zerolog.Nop()
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := c.Get(t.Context(), schema.ID{Number: 41})
		if err != nil || s == nil || s.Type != schema.Avro || len(s.References) != 1 || s.References[0].Name != "e" {
			t.Errorf("%v: %+v, %v", o.URLs, s, err)
		}
		if s, err := c.Get(t.Context(), guid); s == nil || err != nil || s.Text != `"string"` {
			t.Errorf("%v: %+v, %v", o.URLs, s, err)
		}
		if s, err := c.Get(t.Context(), schema.ID{Number: 99}); s != nil || err != nil {
			t.Errorf("%v: %+v, %v", o.URLs, s, err)
		}
	}
	for want, o := range map[string]Options{"--schema-registry-user": {URLs: []string{fake.URL()}},
		"--schema-registry-ca":           {URLs: []string{secure.URL}, HTTP: &http.Transport{}},
		"begin the address with http://": {URLs: []string{strings.Replace(fake.URL(), "http:", "https:", 1)}},
		"is the path right?":             {URLs: []string{fake.URL() + "/v9"}, Login: login}} {
		o.Logger = zerolog.Nop()
		c, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.ask(t.Context(), schema.ID{Number: 41})
		if no, ok := errors.AsType[*NoAnswer](err); !ok || !strings.Contains(no.Advice(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestCheckURL(t *testing.T) {
	for address, want := range map[string]string{"http://h:8081": "", "https://h/apis/ccompat/v7": "",
		"http://h/contexts/:.x:": "", "http://u:secret@h:8081": "--schema-registry-user",
		"https://u@h": "https://h has",
		"h:8081":      "want http", "ftp://h": "want http", "http://": "want http",
		"http://h?a=b":  "without what follows",
		"http://h:x:y%": "no address"} {
		err := CheckURL(address)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if _, err := New(Options{}); err == nil {
		t.Error("no address")
	}
}
