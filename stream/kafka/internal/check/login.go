package check

import (
	"encoding/binary"
	"io"
	"net"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// RefuseLogin responds as Kafka does up to the refusal of a login, code 58; kfake closes the connection instead.
func RefuseLogin(c net.Conn) {
	defer c.Close()
	apis := &kmsg.ApiVersionsResponse{}
	for _, k := range []kmsg.Key{kmsg.SASLHandshake, kmsg.ApiVersions, kmsg.SASLAuthenticate} {
		key := kmsg.NewApiVersionsResponseApiKey()
		key.ApiKey, key.MaxVersion = int16(k), 1
		apis.ApiKeys = append(apis.ApiKeys, key)
	}
	for {
		var head [12]byte // size, key, version, correlation
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, c, int64(binary.BigEndian.Uint32(head[:4]))-8); err != nil {
			return
		}
		var res kmsg.Response = apis
		switch kmsg.Key(binary.BigEndian.Uint16(head[4:])) {
		case kmsg.SASLHandshake:
			res = &kmsg.SASLHandshakeResponse{SupportedMechanisms: []string{"PLAIN"}}
		case kmsg.SASLAuthenticate:
			res = &kmsg.SASLAuthenticateResponse{ErrorCode: kerr.SaslAuthenticationFailed.Code}
		}
		res.SetVersion(int16(binary.BigEndian.Uint16(head[6:])))
		body := res.AppendTo(append([]byte{0, 0, 0, 0}, head[8:]...))
		binary.BigEndian.PutUint32(body, uint32(len(body)-4))
		if _, err := c.Write(body); err != nil {
			return
		}
	}
}
