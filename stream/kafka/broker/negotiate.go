package broker

import (
	"context"
	"encoding/binary"
	"strings"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// softwareName is what brokers are told beside the version (KIP-511), for their metrics and logs of requests.
const softwareName = "rosenblatt"

// namingVersions is the first version of ApiVersions that names the client's software.
const namingVersions = 3

// Negotiate names this program, and requests the versions of requests that the broker supports.
func (c *Conn) Negotiate(ctx context.Context) error {
	versions, err := c.apiVersions(ctx, namingVersions)
	//mutation:older-api-versions
	if err == nil && versions.ErrorCode == kerr.UnsupportedVersion.Code {
		versions, err = c.apiVersions(ctx, 0)
	}
	if err == nil {
		err = ErrorForCode(versions.ErrorCode)
	}
	if err != nil {
		return err
	}
	c.Versions = make(Versions, len(versions.ApiKeys))
	for _, k := range versions.ApiKeys {
		c.Versions[k.ApiKey] = Span{k.MinVersion, k.MaxVersion}
	}
	return nil
}

func (c *Conn) apiVersions(ctx context.Context, version int16) (*kmsg.ApiVersionsResponse, error) {
	res, err := c.roundTrip(ctx, &kmsg.ApiVersionsRequest{
		Version: version, ClientSoftwareName: softwareName, ClientSoftwareVersion: softwareVersion(c.dialer.Version),
	})
	if err != nil {
		return nil, err
	}
	return res.(*kmsg.ApiVersionsResponse), nil
}

// responseVersion is that of the response to a request: a broker that does not know the version of ApiVersions responds
// in version 0, with this code.
func responseVersion(req kmsg.Request, body []byte) int16 {
	unknown := len(body) >= 2 && int16(binary.BigEndian.Uint16(body)) == kerr.UnsupportedVersion.Code
	if req.Key() == int16(kmsg.ApiVersions) && unknown {
		return 0
	}
	return req.GetVersion()
}

// softwareVersion makes of a version what brokers accept: letters, digits, dots and hyphens, a letter or a digit first
// and last. They refuse a client whose version is another one.
func softwareVersion(version string) string {
	plain := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '.' {
			return r
		}
		return '-'
	}, version)
	if plain = strings.Trim(plain, ".-"); plain == "" {
		return "unknown"
	}
	return plain
}
