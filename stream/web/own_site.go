package web

import (
	"net/http"
	"net/netip"
)

// ownSite guards what changes something. It refuses requests that a browser makes for a page of another site: a page
// that somebody visits must not change the model. Programs that are no browsers say nothing of a site. Without a token
// it takes only requests from this machine, whoever may look.
func (s *Server) ownSite(next http.HandlerFunc) http.Handler {
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text(w, http.StatusForbidden, "refused: the request comes from a page of another site\n")
	}))
	local := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		//mutation:changes-need-a-token
		if s.Token == "" && !fromHere(r) {
			text(w, http.StatusForbidden,
				"refused: without --http-token-file, only requests over 127.0.0.1 or ::1 change something\n")
			return
		}
		next(w, r)
	})
	//mutation:other-sites-change-nothing
	return guard.Handler(local)
}

// fromHere reports whether a request comes from the loopback interface.
func fromHere(r *http.Request) bool {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback()
}
