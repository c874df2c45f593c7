package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
)

// checkHost responds only where the request's Host is an IP address, localhost, or one of s.Hosts. Otherwise any page
// could read events: its owner lets a name of his own resolve to this server's address, and a browser takes both for
// the same origin (DNS rebinding). The health checks hold no events.
func (s *Server) checkHost(next http.Handler) http.Handler {
	names := map[string]bool{"localhost": true}
	for _, name := range s.Hosts {
		names[hostName(name)] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := hostName(r.Host)
		_, notIP := netip.ParseAddr(name)
		//mutation:host
		if notIP != nil && !names[name] && r.URL.Path != "/healthz" && r.URL.Path != "/readyz" {
			text(w, http.StatusForbidden, refusedHost(clip(oneLine(name), maxName)))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func refusedHost(name string) string {
	if name == "" {
		return "the request has no Host: an IP address, localhost, or a name given with --http-host\n"
	}
	return fmt.Sprintf("the Host of the request, %s, is no name of this server, which may be DNS rebinding: use an IP "+
		"address or localhost, or start rosenblatt with --http-host %s\n", name, name)
}

// hostName returns the name of a Host header as names compare: without port, brackets and final dot, in lower case.
func hostName(host string) string {
	u := url.URL{Host: host}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
}
