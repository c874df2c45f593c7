package broker_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kmsg"
	"github.com/twmb/franz-go/pkg/kversion"

	"rosenblatt/stream/kafka/broker"
)

// negotiate connects to a cluster, and returns what it was told of the client, as "name version" by version of the
// request.
func negotiate(t *testing.T, version string, opts ...kfake.Opt) (told []string, err error) {
	t.Helper()
	c, err := kfake.NewCluster(append([]kfake.Opt{kfake.NumBrokers(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.ControlKey(int16(kmsg.ApiVersions), func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		r := req.(*kmsg.ApiVersionsRequest)
		told = append(told, r.ClientSoftwareName+" "+r.ClientSoftwareVersion)
		return nil, nil, false
	})
	d := broker.Dialer{ClientID: "test", Version: version, Dial: (&net.Dialer{}).DialContext}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	conn, err := d.Connect(ctx, "tcp", c.ListenAddrs()[0])
	if err != nil {
		return told, err
	}
	defer conn.Close()
	_, err = broker.Request[*kmsg.MetadataResponse](ctx, conn, broker.MetadataRequest())
	return told, err
}

// TestNamesItself: brokers are told what the client is, in words that they accept, whatever the version is made of.
func TestNamesItself(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"v1.2.3": "v1.2.3", "(devel)": "devel", "v0.0.0-20261127-e13def09+dirty": "v0.0.0-20261127-e13def09-dirty",
		"": "unknown", "+": "unknown", "1.0 ü": "1.0",
	} {
		told, err := negotiate(t, version)
		if err != nil || !slices.Equal(told, []string{"rosenblatt " + want}) {
			t.Errorf("%q: %q, %v", version, told, err)
		}
	}
}

// TestOlderApiVersions: a broker that does not know the request that names the client is asked without.
func TestOlderApiVersions(t *testing.T) {
	t.Parallel()
	old := kversion.V3_0_0()
	old.SetMaxKeyVersion(int16(kmsg.ApiVersions), 2)
	told, err := negotiate(t, "v1", kfake.MaxVersions(old))
	if err != nil || !slices.Equal(told, []string{"rosenblatt v1", " "}) {
		t.Errorf("%q, %v", told, err)
	}
}

// TestRefusedName: what a broker has against a client is an error with its code.
func TestRefusedName(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.ControlKey(int16(kmsg.ApiVersions), func(req kmsg.Request) (kmsg.Response, error, bool) {
		res := req.ResponseKind().(*kmsg.ApiVersionsResponse)
		res.ErrorCode = kerr.InvalidRequest.Code
		return res, nil, true
	})
	d := broker.Dialer{Dial: (&net.Dialer{}).DialContext}
	if _, err := d.Connect(t.Context(), "tcp", c.ListenAddrs()[0]); !errors.Is(err, kerr.InvalidRequest) {
		t.Error(err)
	}
}
