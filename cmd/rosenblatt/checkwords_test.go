package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	kafkago "github.com/segmentio/kafka-go"
)

// TestCheckWords: what cannot be caused on every machine is said in words, too.
func TestCheckWords(t *testing.T) {
	wrap := func(err error) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
	}
	odd := &notKafka{[8]byte{21, 3, 3, 0, 2, 2, 70, 0}}
	web := &notKafka{[8]byte([]byte("HTTP/1.1"))}
	login := func(err error) (string, string) { return loginWords(err, "plain", "ann") }
	scram := func(err error) (string, string) { return loginWords(err, "scram-sha-256", "ann") }
	for _, c := range []struct {
		say  func(error) (string, string)
		err  error
		want string
	}{
		{nameWords, &net.DNSError{IsNotFound: true}, "no machine of this name is known"},
		{nameWords, &net.DNSError{IsTimeout: true}, "the name server does not answer"},
		{nameWords, errors.New("odd"), "cannot be looked up (odd)"},
		{connectWords, wrap(syscall.ECONNREFUSED), "nobody listens"},
		{connectWords, wrap(syscall.ETIMEDOUT), "nothing answers"},
		{connectWords, wrap(syscall.EHOSTUNREACH), "no way from this machine"},
		{connectWords, errors.New("odd"), "no connection (odd)"},
		{tlsWords, os.ErrDeadlineExceeded, "no answer to TLS"},
		{tlsWords, &net.OpError{Op: "remote error", Err: errors.New("tls: certificate required")}, "does not accept this side of TLS (certificate required): if it wants a certificate"},
		{tlsWords, errors.New("odd"), "odd"},
		{plainSpeech, odd, "this port speaks TLS"},
		{plainSpeech, web, "a web server answers here"},
		{plainSpeech, &notKafka{}, "no Kafka broker"},
		{plainSpeech, os.ErrDeadlineExceeded, "takes the connection but does not answer"},
		{plainSpeech, io.EOF, "most likely this port wants TLS"},
		{encryptedSpeech, io.EOF, "hung up without a word: if it wants a certificate"},
		{encryptedSpeech, &net.OpError{Op: "remote error", Err: errors.New("tls: bad certificate")}, "does not accept this side of TLS (bad certificate)"},
		{login, brokerError(int16(kafkago.SASLAuthenticationFailed)), "user or password are wrong"},
		{scram, brokerError(int16(kafkago.SASLAuthenticationFailed)), "a password for scram has to be set for scram-sha-256 itself"},
		{login, brokerError(int16(kafkago.IllegalSASLState)), "wants no login"},
		{login, fmt.Errorf("%w, the broker offers SCRAM-SHA-512", brokerError(int16(kafkago.UnsupportedSASLMechanism))), "does not know plain: the broker offers SCRAM-SHA-512"},
		{login, io.ErrUnexpectedEOF, "hung up during the login"},
		{login, os.ErrDeadlineExceeded, "does not answer the login"},
		{folderWords, &os.PathError{Err: syscall.EROFS}, "read-only"},
		{folderWords, &os.PathError{Err: syscall.ENOSPC}, "no room left"},
		{folderWords, &os.PathError{Err: syscall.EACCES}, "may not write there"},
		{folderWords, errors.New("odd"), "(odd)"},
	} {
		found, do := c.say(c.err)
		if text := found + ": " + do; strings.Contains(text, "scram has to be set for plain") || !strings.Contains(text, c.want) || do == "" {
			t.Errorf("%v: %q, want %q", c.err, text, c.want)
		}
	}
}

func plainSpeech(err error) (string, string)     { return speechWords(err, false) }
func encryptedSpeech(err error) (string, string) { return speechWords(err, true) }

// TestClocks: a difference is told only as far as it is certain, whatever the question took.
func TestClocks(t *testing.T) {
	before := time.UnixMilli(1_000_000)
	after := before.Add(300 * time.Millisecond)
	for theirs, want := range map[time.Duration]time.Duration{
		0: 0, 100 * time.Millisecond: 0, 300 * time.Millisecond: 0,
		-time.Minute: -time.Minute, time.Minute: time.Minute - 300*time.Millisecond,
	} {
		if got := clockBetween(before.Add(theirs), before, after); got != want {
			t.Errorf("theirs %s from the question: %s apart, want %s", theirs, got, want)
		}
	}
}
