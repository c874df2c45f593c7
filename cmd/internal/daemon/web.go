package daemon

import (
	"net"
	"strconv"
	"strings"

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
	for _, name := range w.HTTPHost {
		if name == "" || strings.ContainsFunc(name, notInHost) {
			f.Addf("http-host: %q: want a name as in http://NAME:8080/, without scheme and port", name)
		}
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

// notInHost accepts what is in the names that browsers send; they write others in ASCII, as xn--....
func notInHost(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._", r))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
