package broker

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"
)

// DescribeTLS says, without Go's terms, why there is no encrypted connection and what to do.
func DescribeTLS(err error) (found, do string) {
	var (
		unknown x509.UnknownAuthorityError
		name    x509.HostnameError
		invalid x509.CertificateInvalidError
		op      *net.OpError
		record  tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &unknown):
		signer := ""
		if unknown.Cert != nil && unknown.Cert.Issuer.String() != "" {
			signer = " (" + unknown.Cert.Issuer.String() + ")"
		}
		return "the broker's certificate is signed by somebody this machine does not trust" + signer,
			"give the certificate of the authority that signed it with --tls-ca FILE"
	case errors.As(err, &name):
		return fmt.Sprintf("the broker's certificate is for %s, not for %s", certified(name.Certificate), name.Host),
			"connect under a name that it is for, or give that with --tls-server-name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return fmt.Sprintf("the broker's certificate has expired or is not valid yet: from %s to %s, and here it is %s",
			invalid.Cert.NotBefore.Format(time.DateOnly), invalid.Cert.NotAfter.Format(time.DateOnly),
			time.Now().Format(time.DateOnly)), "renew the certificate, or set this machine's clock"
	case errors.As(err, &record):
		return "this port does not speak TLS", "leave --tls... away, or use the broker's TLS port"
	case IsRemote(err) && errors.As(err, &op):
		return "the broker does not accept this side of TLS (" + strings.TrimPrefix(op.Err.Error(), "tls: ") + ")",
			"if it requires a client certificate, give one that it trusts with --tls-cert and --tls-key"
	}
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	text := strings.TrimPrefix(strings.TrimPrefix(err.Error(), "tls: "), "x509: ")
	return "the TLS handshake failed (" + text + ")",
		"are --tls-ca, --tls-cert and --tls-server-name those of this cluster?"
}

// IsRemote tells whether err is the broker's TLS alert: its type is internal to crypto/tls, net.OpError names its
// origin.
func IsRemote(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "remote error"
}

// refusals are the alerts by which one side of a handshake refuses the other's certificate, versions or rights
// (RFC 8446, section 6.2). Any other may be the effect of a damaged byte or of a broker in trouble.
var refusals = []tls.AlertError{
	40,                     // handshake_failure
	42, 43, 44, 45, 46, 48, // the certificate or its authority
	49,            // access_denied
	70,            // protocol_version
	71,            // insufficient_security
	112, 116, 120, // unrecognized_name, certificate_required, no_application_protocol
}

// IsRefusal tells whether err is one of those alerts, sent by the broker or to it: its type is internal to crypto/tls,
// but its text is that of a tls.AlertError.
func IsRefusal(err error) bool {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" && op.Op != "local error" {
		return false
	}
	//mutation:tls-refusals
	return slices.ContainsFunc(refusals, func(a tls.AlertError) bool { return a.Error() == op.Err.Error() })
}

// certified returns a certificate's names.
func certified(cert *x509.Certificate) string {
	all := slices.Clone(cert.DNSNames)
	for _, ip := range cert.IPAddresses {
		all = append(all, ip.String())
	}
	if len(all) == 0 {
		return "no name at all"
	}
	return strings.Join(all, ", ")
}
