package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"io"
	"net/http"
	"net/http/pprof"
	"strings"
)

// Handler serves all paths.
func (s *Server) Handler() http.Handler {
	s.init()
	return s.handler
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux() // other paths get 404, other methods 405 with Allow
	mux.HandleFunc("GET /healthz", healthz)
	if s.Tasks != nil {
		s.routeTasks(mux)
	} else {
		s.routeTask(mux)
	}
	if s.PProf {
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
		mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	}
	return mux
}

// routeTask has the paths of one task.
func (s *Server) routeTask(mux *http.ServeMux) {
	mux.HandleFunc("GET /{$}", s.page)
	mux.HandleFunc("GET /events", s.live)
	mux.HandleFunc("GET /status", s.status)
	mux.HandleFunc("GET /profile", s.profile)
	mux.Handle("POST /profile/reference", s.ownSite(s.setReference))
	//mutation:promote-guarded
	mux.Handle("POST /promote", s.ownSite(s.promote))
	mux.Handle("GET /metrics", s.metrics())
	mux.HandleFunc("GET /readyz", s.readyz)
	mux.HandleFunc("POST /predict", s.predict)
}

// authorized requires the token as a bearer token, or as the password of any user, which a browser can ask for.
// /healthz reveals no more than a connection does.
func (s *Server) authorized(next http.Handler) http.Handler {
	if s.Token == "" {
		return next
	}
	want := sha256.Sum256([]byte(s.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token, given := tokenOf(r)
		// Sums have equal lengths, so the comparison takes constant time.
		got := sha256.Sum256([]byte(token))
		if r.URL.Path != "/healthz" && (!given || subtle.ConstantTimeCompare(got[:], want[:]) != 1) {
			w.Header().Add("WWW-Authenticate", "Bearer")
			w.Header().Add("WWW-Authenticate", `Basic realm="rosenblatt: the token is the password", charset="UTF-8"`)
			http.Error(w, "this needs the header Authorization: Bearer TOKEN, or the token as the password of any user",
				http.StatusUnauthorized)
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

// secure restricts the browser: only the page's own script, which cannot turn text into markup; no foreign content,
// no frames, no cache.
func secure(next http.Handler) http.Handler {
	policy := "default-src 'none'; script-src '" + scriptSum + "'; style-src '" + styleSum +
		"'; connect-src 'self'; img-src data:; base-uri 'none'; " +
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

// text writes a plain response. An error means that the client is gone.
func text(w http.ResponseWriter, code int, body string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(code)
	_, _ = io.WriteString(w, body)
}
