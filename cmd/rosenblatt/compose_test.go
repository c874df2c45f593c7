package main

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/producer"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	"go.yaml.in/yaml/v3"
)

// The services of docker-compose.yml.
const (
	brokerService = "kafka"
	topicsService = "topics"
	daemonService = "rosenblatt"
	streamService = "produce"
)

// loadCompose reads docker-compose.yml as docker compose does, against its schema, without this test's environment.
func loadCompose(t *testing.T, profiles ...string) *types.Project {
	t.Helper()
	p, err := loader.LoadWithContext(t.Context(), types.ConfigDetails{
		WorkingDir: top, ConfigFiles: []types.ConfigFile{{Filename: filepath.Join(top, "docker-compose.yml")}},
		Environment: types.Mapping{},
	}, func(o *loader.Options) { o.ResolvePaths, o.Profiles = false, profiles })
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// ours reports whether a service runs the program of the Dockerfile.
func ours(p *types.Project, s types.ServiceConfig) bool {
	return s.Image == p.Services[daemonService].Image
}

// containerEnv is the environment of a container, NAME=value.
func containerEnv(s types.ServiceConfig, m *image) (env []string) {
	for name, value := range m.env {
		if _, over := s.Environment[name]; !over {
			env = append(env, name+"="+value)
		}
	}
	for name, value := range s.Environment {
		if value != nil {
			env = append(env, name+"="+*value)
		}
	}
	slices.Sort(env)
	return env
}

// within gives this process the environment of a service's container.
func within(t *testing.T, s types.ServiceConfig, m *image) {
	t.Helper()
	for _, e := range containerEnv(s, m) {
		name, value, _ := strings.Cut(e, "=")
		t.Setenv(name, value)
	}
}

var pinned = regexp.MustCompile(`^(apache/kafka:|prom/prometheus:v|grafana/grafana:)\d+\.\d+\.\d+$`)

// TestCompose checks what holds for every service.
func TestCompose(t *testing.T) {
	t.Parallel()
	p := loadCompose(t, "monitoring")
	if names := p.ServiceNames(); !slices.Equal(names,
		[]string{"grafana", brokerService, streamService, "prometheus", daemonService, topicsService}) {
		t.Fatalf("with monitoring the services are %v", names)
	}
	if names := loadCompose(t).ServiceNames(); !slices.Equal(names,
		[]string{brokerService, streamService, daemonService, topicsService}) {
		t.Fatalf("the services are %v", names)
	}
	for name, s := range p.Services {
		if _, tag, _ := strings.Cut(s.Image, ":"); !pinned.MatchString(s.Image) &&
			!(ours(p, s) && tag != "" && tag != "latest") {
			t.Errorf("%s: image %q is neither a pinned one nor our own", name, s.Image)
		}
		for _, port := range s.Ports {
			if port.HostIP != "127.0.0.1" {
				t.Errorf("%s: port %s can be reached from other machines (%q)", name, port.Published, port.HostIP)
			}
		}
		if s.Restart == "" {
			t.Errorf("%s: no word on restart", name)
		}
		for other, d := range s.DependsOn {
			o, there := p.Services[other]
			checked := o.HealthCheck != nil && !o.HealthCheck.Disable && len(o.HealthCheck.Test) > 0
			switch {
			case !there || !d.Required:
				t.Errorf("%s depends on %s, which may be missing", name, other)
			case d.Condition == types.ServiceConditionHealthy && !checked:
				t.Errorf("%s waits for the health of %s, which has no check", name, other)
			case d.Condition == types.ServiceConditionCompletedSuccessfully && o.Restart != "no":
				t.Errorf("%s waits for the end of %s, which is restarted (%s)", name, other, o.Restart)
			case d.Condition == types.ServiceConditionStarted:
				t.Errorf("%s waits only for the start of %s", name, other)
			}
		}
		for _, v := range s.Volumes {
			if v.Type == types.VolumeTypeBind { // a file of this repository, to be read
				info, err := os.Stat(filepath.Join(top, v.Source))
				if err != nil || !info.Mode().IsRegular() || !v.ReadOnly ||
					!slices.Equal(s.Profiles, []string{"monitoring"}) {
					t.Errorf("%s: %s on %s: %v", name, v.Source, v.Target, err)
				}
				continue
			}
			if _, there := p.Volumes[v.Source]; v.Type != types.VolumeTypeVolume || !there || v.Volume != nil &&
				v.Volume.NoCopy || v.ReadOnly {
				t.Errorf("%s: %s on %s is not a named volume that takes over the image's folder", name, v.Source,
					v.Target)
			}
		}
		if ours(p, s) && (s.User != "" || !s.ReadOnly || s.Privileged || len(s.CapAdd) > 0 ||
			!slices.Equal(s.CapDrop, []string{"ALL"}) || s.Entrypoint != nil) {
			t.Errorf("%s: want the image's user and entrypoint, a file system to read, and no rights", name)
		}
	}
}

// TestComposeDaemon compares the settings that the daemon would have with the file around it.
func TestComposeDaemon(t *testing.T) {
	p, m := loadCompose(t), readDockerfile(t)
	s := p.Services[daemonService]
	set := settings(t, s, m)
	if s.Build == nil || s.Build.Dockerfile != dockerfile || s.Build.Context != "." ||
		s.PullPolicy != types.PullPolicyBuild {
		t.Errorf("build %+v, pull policy %q: want %s, never somebody else's", s.Build, s.PullPolicy, dockerfile)
	}
	if len(s.Volumes) != 1 || s.Volumes[0].Target != set["state"] {
		t.Errorf("the state is in %v, volumes are %v", set["state"], s.Volumes)
	}
	address, _ := set["http"].(string)
	port, inside := strings.CutPrefix(address, "0.0.0.0:")
	if !inside || set["http-open"] != true || len(s.Ports) != 1 || strconv.Itoa(int(s.Ports[0].Target)) != port ||
		s.Ports[0].Published != "8080" || !slices.Equal(m.ports, []string{port}) {
		t.Errorf("HTTP is at %s (open: %v), ports are %+v, the image's %v", address, set["http-open"], s.Ports, m.ports)
	}
	if host, at, _ := strings.Cut(scrapeTarget(t), ":"); host != daemonService || at != port ||
		!slices.Contains(set["http-host"].([]any), any(host)) {
		t.Errorf("Prometheus scrapes %s:%s, the daemon responds at port %s to %v", host, at, port, set["http-host"])
	}
	// Exit 3 must not be restarted, and Docker cannot tell exit codes apart.
	if s.Restart != "no" || s.Deploy != nil {
		t.Errorf("restart %q: a daemon that was taken over from would take over again", s.Restart)
	}
	const brokersGone = 15 * time.Second // the longest that a daemon takes to end
	for name, least := range map[string]time.Duration{daemonService: brokersGone, streamService: producer.Graceful} {
		if grace := p.Services[name].StopGracePeriod; grace == nil || time.Duration(*grace) <= least {
			t.Errorf("%s is killed after %v, and may take %s to end", name, grace, least)
		}
	}
}

// scrapeTarget is the address that Prometheus scrapes.
func scrapeTarget(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(monitoring, "prometheus.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var set map[string]any
	if err := yaml.Unmarshal(text, &set); err != nil {
		t.Fatal(err)
	}
	return field(t, set, "scrape_configs", 0, "static_configs", 0, "targets", 0).(string)
}

// settings runs the service's command with --dry-run and reads what it prints.
func settings(t *testing.T, s types.ServiceConfig, m *image) (set map[string]any) {
	t.Helper()
	within(t, s, m)
	if len(s.Command) == 0 || s.Command[0] != "run" {
		t.Fatalf("the daemon's command is %q", s.Command)
	}
	got := call(t, "", append(slices.Clone(s.Command), "--dry-run")...)
	got.want(t, cli.ExitDone, "input: ", "")
	if err := yaml.Unmarshal([]byte(got.stdout), &set); err != nil {
		t.Fatal(err)
	}
	return set
}

// checkOf is the command of a service's health check.
func checkOf(t *testing.T, s types.ServiceConfig) []string {
	t.Helper()
	if s.HealthCheck == nil {
		t.Fatalf("%s has no health check", s.Name)
	}
	return s.HealthCheck.Test
}

// TestComposeHealth: the check is understood, requests where the daemon listens, and has the time it may take.
func TestComposeHealth(t *testing.T) {
	p, m := loadCompose(t), readDockerfile(t)
	s := p.Services[daemonService]
	test := checkOf(t, s)
	if len(test) < 3 || test[0] != "CMD" || test[1] != m.entrypoint[0] {
		t.Fatalf("the health check is %q: want CMD (there is no shell), then %s", test, m.entrypoint[0])
	}
	within(t, s, m)
	line := &commandLine{}
	parsed, err := newProgram(nil, io.Discard, io.Discard).Parse(line, test[2:])
	if err != nil || parsed.Command() != "check" {
		t.Fatalf("%q: %v", test, err)
	}
	at, err := url.Parse(line.Check.Health)
	if err != nil || at.Scheme != "http" || at.Hostname() != "127.0.0.1" ||
		!slices.Equal(m.ports, []string{at.Port()}) || at.Path != "/readyz" {
		t.Errorf("the health check requests %q, %v", line.Check.Health, err)
	}
	if limit := s.HealthCheck.Timeout; limit == nil || time.Duration(*limit) <= line.Check.Timeout {
		t.Errorf("the health check is killed after %v, and may take %s", limit, line.Check.Timeout)
	}
}

// TestComposeProduce: the stream's command is understood, and goes where the daemon reads.
func TestComposeProduce(t *testing.T) {
	p, m := loadCompose(t), readDockerfile(t)
	s := p.Services[streamService]
	if !ours(p, s) || s.Build != nil || s.PullPolicy != types.PullPolicyNever {
		t.Errorf("image %q, pull policy %q: want the daemon's, as it was built", s.Image, s.PullPolicy)
	}
	set := settings(t, p.Services[daemonService], m)
	within(t, s, m)
	line := &commandLine{}
	parsed, err := newProgram(nil, io.Discard, io.Discard).Parse(line, s.Command)
	if err != nil || parsed.Command() != "produce" {
		t.Fatalf("%q: %v", s.Command, err)
	}
	c := &line.Produce
	if _, err := c.Check(); err != nil {
		t.Errorf("%q: %v", s.Command, err)
	}
	if c.Topic != set["input"] || c.Generate != "hyperplane" || c.Rate != 200 || c.Count != 0 {
		t.Errorf("%q: want hyperplane at 200 a second, without end, to %v", s.Command, set["input"])
	}
	if !slices.Equal(c.Brokers, []string{"kafka:9092"}) {
		t.Errorf("the brokers are %v", c.Brokers)
	}
}

// TestComposeBroker: one node that does all, found under the name that it tells clients, and on a volume, like the
// state: a daemon that meets a new broker stops.
func TestComposeBroker(t *testing.T) {
	p, m := loadCompose(t), readDockerfile(t)
	s := p.Services[brokerService]
	env := map[string]string{}
	for name, value := range s.Environment {
		env[name] = *value
	}
	if id, err := base64.RawURLEncoding.Strict().DecodeString(env["CLUSTER_ID"]); err != nil || len(id) != 16 {
		t.Errorf("CLUSTER_ID %q is not 16 bytes in base64url: %v", env["CLUSTER_ID"], err)
	}
	brokers := fmt.Sprint(settings(t, p.Services[daemonService], m)["brokers"])
	if brokers != "["+strings.TrimPrefix(env["KAFKA_ADVERTISED_LISTENERS"], "PLAINTEXT://")+"]" {
		t.Errorf("the daemon connects to %v, the broker advertises %s", brokers, env["KAFKA_ADVERTISED_LISTENERS"])
	}
	for name, want := range map[string]string{
		"KAFKA_PROCESS_ROLES": "broker,controller", "KAFKA_NODE_ID": "1",
		"KAFKA_CONTROLLER_QUORUM_VOTERS":   "1@" + brokerService + ":9093",
		"KAFKA_LISTENERS":                  "PLAINTEXT://:9092,CONTROLLER://:9093",
		"KAFKA_ADVERTISED_LISTENERS":       "PLAINTEXT://" + brokerService + ":9092",
		"KAFKA_INTER_BROKER_LISTENER_NAME": "PLAINTEXT", "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
		"KAFKA_AUTO_CREATE_TOPICS_ENABLE":        "false",
		"KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR": "1", "KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR": "1",
		"KAFKA_TRANSACTION_STATE_LOG_MIN_ISR": "1",
	} {
		if env[name] != want {
			t.Errorf("%s is %q, want %q", name, env[name], want)
		}
	}
	if len(s.Volumes) != 1 || s.Volumes[0].Target != env["KAFKA_LOG_DIRS"] {
		t.Errorf("the logs are in %q, volumes are %v", env["KAFKA_LOG_DIRS"], s.Volumes)
	}
	if test := checkOf(t, s); len(test) < 4 || test[0] != "CMD" || test[3] != brokerService+":9092" {
		t.Errorf("the health check is %q", test)
	}
}
