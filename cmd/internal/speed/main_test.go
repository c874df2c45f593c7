package speed

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
)

// role is the environment variable by which this test binary becomes another process of the benchmark.
const role = "ROSENBLATT_SPEED_ROLE"

func TestMain(m *testing.M) {
	switch os.Getenv(role) {
	case "broker":
		broker()
	case "idiomatic":
		idiomatic()
	case "pass-through":
		passThrough()
	default:
		os.Exit(m.Run())
	}
}

// broker is kfake until standard input ends.
func broker() {
	c, err := kfake.NewCluster(kfake.NumBrokers(1))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(strings.Join(c.ListenAddrs(), ","))
	_, _ = io.Copy(io.Discard, os.Stdin)
	c.Close()
}

// become starts this binary in a role.
func become(b *testing.B, as string, env ...string) *exec.Cmd {
	b.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^$")
	c.Env = append(append(os.Environ(), role+"="+as), env...)
	c.Stderr = os.Stderr
	return c
}

// brokers gives the cluster to measure against, in another process in any case.
func brokers(b *testing.B) string {
	b.Helper()
	if real := os.Getenv("ROSENBLATT_TEST_BROKERS"); real != "" {
		return real
	}
	c := become(b, "broker")
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(); _ = c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		b.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// daemon builds the program.
func daemon(b *testing.B) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "rosenblatt")
	if out, err := exec.Command("go", "build", "-o", path, "rosenblatt/cmd/rosenblatt").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	return path
}
