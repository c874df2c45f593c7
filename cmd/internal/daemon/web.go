package daemon

import (
	"net"
	"strconv"

	"rosenblatt/cmd/internal/cli"
)

const httpOff = "off"

// web checks who can reach the web server: any address but a loopback one needs a token or --http-open.
func (r *Resolved) web(f *cli.Faults) {
	w := &r.Settings.Web
	if w.HTTPTokenFile != "" {
		token, err := ReadSecret(w.HTTPTokenFile)
		f.Check("http-token-file", err)
		r.Token = token
	}
	if w.HTTP == httpOff {
		return
	}
	host, port, err := net.SplitHostPort(w.HTTP)
	if n, bad := strconv.Atoi(port); err != nil || bad != nil || n < 0 || n > 65535 {
		f.Addf("http: %q: want HOST:PORT, as 127.0.0.1:8080, or off", w.HTTP)
		return
	}
	if !loopback(host) && w.HTTPTokenFile == "" && !w.HTTPOpen {
		f.Addf("http: %q can be reached from other machines: want --http-token-file FILE, or --http-open if "+
			"everybody may", w.HTTP)
	}
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
