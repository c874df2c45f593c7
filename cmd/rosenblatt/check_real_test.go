package main

import (
	"testing"

	"rosenblatt/cmd/internal/cli"
)

// TestFaultCheck: on a real broker every step fails in turn, and check names it and what to do.
func TestFaultCheck(t *testing.T) {
	t.Parallel()
	n := oneNode(t)
	files, err := makeSecrets()
	if err != nil {
		t.Fatal(err)
	}
	s := n.setup(t, 2)
	stranger := files.file("stranger.pem")
	ca := []string{"--tls-ca", files.file("ca.pem")}
	plain := n.brokers[0]
	for _, c := range []struct {
		name, brokers, want string
		code                int
		flags               []string
	}{
		{"well", plain, "ok    clock        the cluster's and this machine's agree within ", cli.ExitDone, nil},
		{"name", "no-such-broker.invalid:9092", "FAIL  name         no-such-broker.invalid: ", cli.ExitFailed, nil},
		{"port", "127.0.0.1:1", "FAIL  TCP          127.0.0.1:1: the machine is there, but nobody listens at this port",
			cli.ExitFailed, nil},
		{"TLS to plain text", plain, "FAIL  TLS          " + plain +
			": the broker closed the connection during the TLS handshake: most likely this port does not speak TLS",
			cli.ExitFailed, ca},
		{"plain text to TLS", n.listener(t, portTLS), "this port speaks TLS: add --tls", cli.ExitFailed, nil},
		{"TLS", n.listener(t, portTLS), "ok    TLS", cli.ExitDone, ca},
		{"other authority", n.listener(t, portTLS), "signed by somebody this machine does not trust", cli.ExitFailed,
			[]string{"--tls-ca", stranger}},
		{"other name", n.listener(t, portTLS), "not for kafka.example.org: connect under a name that it is for",
			cli.ExitFailed, append(ca, "--tls-server-name", "kafka.example.org")},
		{"no login", n.listener(t, portSASL), "FAIL  SASL         the broker closes connections without a login",
			cli.ExitFailed, nil},
		{"right password", n.listener(t, portSASL), "ok    SASL", cli.ExitDone,
			credentials(t, "plain", "ann", "right")},
		{"wrong password", n.listener(t, portSASL), "the broker does not let ann in: user or password are wrong",
			cli.ExitFailed, credentials(t, "plain", "ann", "wrong")},
		{"wrong password, scram", n.listener(t, portSASL), "the broker does not let ann in: user or password are wrong",
			cli.ExitFailed, credentials(t, "scram-sha-256", "ann", "wrong")},
		{"login where none is due", plain, "FAIL  SASL         " + plain + ": this port wants no login", cli.ExitFailed,
			credentials(t, "plain", "ann", "right")},
		{"topic", plain, "FAIL  input        nowhere does not exist", cli.ExitFailed, []string{"--input", "nowhere"}},
		{"partitions", plain, "has 2 partitions, the input has 3", cli.ExitFailed,
			[]string{"--input", n.setup(t, 3).Name, "--output", s.Name + ".predictions", "--dead-letter", s.Name +
				".dlq"}},
		{"folder", plain, "FAIL  state        /proc: ", cli.ExitFailed, []string{"--state", "/proc/nobody"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := append([]string{"check", "--brokers", c.brokers, "--input", s.Name, "--state", t.TempDir(),
				"--timeout", "3s"}, c.flags...)
			call(t, "", args...).want(t, c.code, c.want, "")
		})
	}
}
