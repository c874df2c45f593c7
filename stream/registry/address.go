package registry

import (
	"fmt"
	"net/url"
)

// CheckURL says what is wrong with the address of a registry. It does not repeat a password.
func CheckURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("it is no address: want http://HOST:PORT or https://HOST, and its path")
	case u.User != nil:
		return fmt.Errorf("http%s://%s has a user in it: want --schema-registry-user, and the password in a file",
			map[bool]string{true: "s"}[u.Scheme == "https"], u.Host)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%q: want http://HOST:PORT or https://HOST, and its path", address)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q: want it up to the path, without what follows ? or #", address)
	}
	return nil
}
