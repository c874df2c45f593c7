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
	Login(c, func([]byte) *kmsg.SASLAuthenticateResponse {
		return &kmsg.SASLAuthenticateResponse{ErrorCode: kerr.SaslAuthenticationFailed.Code}
	})
}

// Login responds as Kafka does with mechanism PLAIN up to the end of a login, where authenticate decides about each
// message. Of any other request it closes the connection.
func Login(c net.Conn, authenticate func(message []byte) *kmsg.SASLAuthenticateResponse) {
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
		body := make([]byte, int64(binary.BigEndian.Uint32(head[:4]))-8)
		if _, err := io.ReadFull(c, body); err != nil {
			return
		}
		var res kmsg.Response = apis
		switch kmsg.Key(binary.BigEndian.Uint16(head[4:])) {
		case kmsg.ApiVersions:
		case kmsg.SASLHandshake:
			res = &kmsg.SASLHandshakeResponse{SupportedMechanisms: []string{"PLAIN"}}
		case kmsg.SASLAuthenticate:
			req := &kmsg.SASLAuthenticateRequest{Version: 1}
			client := binary.BigEndian.Uint16(body)
			if err := req.ReadFrom(body[2+client:]); err != nil {
				return
			}
			res = authenticate(req.SASLAuthBytes)
		default:
			return
		}
		res.SetVersion(int16(binary.BigEndian.Uint16(head[6:])))
		body = res.AppendTo(append([]byte{0, 0, 0, 0}, head[8:]...))
		binary.BigEndian.PutUint32(body, uint32(len(body)-4))
		if _, err := c.Write(body); err != nil {
			return
		}
	}
}
