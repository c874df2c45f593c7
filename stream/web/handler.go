package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"net/http"
	"net/http/pprof"
	"strings"
)

// Handler answers all paths.
func (s *Server) Handler() http.Handler {
	s.init()
	return s.handler
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux() // it answers other paths with 404 and other methods with 405 and Allow
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /events", s.live)
	mux.HandleFunc("GET /status", s.status)
	mux.Handle("GET /metrics", s.metrics())
	mux.HandleFunc("GET /healthz", healthz)
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("POST /predict", s.predict)
	if s.PProf {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return secure(s.authorized(mux))
}

// authorized asks for the token, if there is one: as a bearer's, or as the password of any user, for a browser can ask its user
// for that only. /healthz says nothing that a connection does not say already.
func (s *Server) authorized(next http.Handler) http.Handler {
	if s.Token == "" {
		return next
	}
	want := sha256.Sum256([]byte(s.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, given := tokenOf(r)
		// Sums have one length, so the comparison takes one time.
		got := sha256.Sum256([]byte(token))
		if r.URL.Path != "/healthz" && (!given || subtle.ConstantTimeCompare(got[:], want[:]) != 1) {
			w.Header().Add("WWW-Authenticate", "Bearer")
			w.Header().Add("WWW-Authenticate", `Basic realm="rosenblatt: the token is the password", charset="UTF-8"`)
			http.Error(w, "this needs the header Authorization: Bearer TOKEN, or the token as the password of any user", http.StatusUnauthorized)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func tokenOf(r *http.Request) (token string, given bool) {
	if _, password, ok := r.BasicAuth(); ok {
		return password, true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return token, strings.EqualFold(scheme, "Bearer")
}

// secure sets what a browser is to keep to: only our own script, which cannot make markup of text; nothing from elsewhere, no
// frame around it, nothing kept.
func secure(next http.Handler) http.Handler {
	policy := "default-src 'none'; script-src '" + scriptSum + "'; style-src '" + styleSum + "'; connect-src 'self'; img-src data:; base-uri 'none'; " +
		"form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Content-Security-Policy", policy)
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		next.ServeHTTP(w, r)
	})
}

func healthz(w http.ResponseWriter, _ *http.Request) { text(w, http.StatusOK, "ok\n") }

// text writes an answer for people and probes. An error means that the client is gone.
func text(w http.ResponseWriter, code int, body string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, body)
}
