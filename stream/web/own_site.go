package web

import "net/http"

// ownSite refuses requests that a browser makes for a page of another site, as it does for those that change something:
// where there is no token, a page that somebody visits must not change the model. Programs that are no browsers say
// nothing of a site.
func (s *Server) ownSite(next http.HandlerFunc) http.Handler {
	guard := http.NewCrossOriginProtection()
	guard.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		text(w, http.StatusForbidden, "refused: the request comes from a page of another site\n")
	}))
	//mutation:other-sites-change-nothing
	return guard.Handler(next)
}
