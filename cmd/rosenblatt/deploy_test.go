package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

// unit reads the systemd unit: section.name to all its values.
func unit(t *testing.T) (set map[string][]string, text string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("deploy", "rosenblatt@.service"))
	if err != nil {
		t.Fatal(err)
	}
	set = map[string][]string{}
	section := ""
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		name, value, found := strings.Cut(line, "=")
		switch {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case found && line[0] != '#':
			set[section+"."+name] = append(set[section+"."+name], value)
		}
	}
	return set, string(raw)
}

// TestSystemdUnit: the program understands its line, a daemon that was fenced or is called wrongly is not restarted,
// and one that ends has the time it may take.
func TestSystemdUnit(t *testing.T) {
	t.Parallel()
	set, text := unit(t)
	args := strings.Fields(set["Service.ExecStart"][0])
	line := &commandLine{}
	config := write(t, "c.yaml", "brokers: 127.0.0.1:9092\ninput: events\n")
	args = slices.Replace(args, 3, 4, config)
	parsed, err := newProgram(nil, io.Discard, io.Discard).Parse(line, args[1:])
	if err != nil || parsed.Command() != "run" || line.Run.Faults() != nil {
		t.Fatalf("%q: %v, %v", args, err, line.Run.Faults())
	}
	if line.Run.State != "/var/lib/"+set["Service.StateDirectory"][0] {
		t.Errorf("the state is in %s, systemd makes %s", line.Run.State, set["Service.StateDirectory"])
	}
	for name, want := range map[string]string{"Restart": "on-failure", "RestartPreventExitStatus": "2 3 4",
		"KillSignal": "SIGTERM"} {
		if got := set["Service."+name]; !slices.Equal(got, []string{want}) {
			t.Errorf("%s=%q, want %s", name, got, want)
		}
	}
	// Brokers may be away for as long as they like, while it starts too.
	if got := set["Unit.StartLimitIntervalSec"]; !slices.Equal(got, []string{"0"}) {
		t.Errorf("starts are limited: StartLimitIntervalSec=%q", got)
	}
	if set["Service.RestartSteps"] == nil || set["Service.RestartMaxDelaySec"] == nil {
		t.Error("restarts do not slow down")
	}
	if stop, err := time.ParseDuration(set["Service.TimeoutStopSec"][0] + "s"); err != nil || stop <= 15*time.Second {
		t.Errorf("it is killed after %v, %v", stop, err)
	}
	systemdVerifies(t, text, set["Service.ExecStart"][0])
}

// systemdVerifies has systemd read the unit, with a program that is there.
func systemdVerifies(t *testing.T, text, command string) {
	t.Helper()
	path, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("the rest needs systemd-analyze, which is not here")
	}
	program, _, _ := strings.Cut(command, " ")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := write(t, "rosenblatt@fraud.service", strings.Replace(text, program, self, 1))
	out, err := exec.Command(path, "verify", "--man=no", file).CombinedOutput()
	for line := range strings.Lines(string(out)) {
		newer := strings.Contains(line, "RestartSteps") || strings.Contains(line, "RestartMaxDelaySec") // systemd 254
		if strings.Contains(line, "rosenblatt") && !newer {
			t.Error(line)
		}
	}
	if err != nil {
		t.Errorf("systemd-analyze: %v\n%s", err, out)
	}
}

// manifests reads a file of objects, each under its kind.
func manifests(t *testing.T, name string) map[string]map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]map[string]any{}
	for d := yaml.NewDecoder(bytes.NewReader(raw)); ; {
		var object map[string]any
		switch err := d.Decode(&object); {
		case errors.Is(err, io.EOF):
			return all
		case err != nil:
			t.Fatal(err)
		}
		all[object["kind"].(string)] = object
	}
}

// field goes down names and numbers.
func field(t *testing.T, value any, path ...any) any {
	t.Helper()
	for _, step := range path {
		switch step := step.(type) {
		case string:
			value = value.(map[string]any)[step]
		case int:
			value = value.([]any)[step]
		}
		if value == nil {
			t.Fatalf("there is no %v in %v", step, path)
		}
	}
	return value
}

// TestKubernetes: what the objects say of each other is so, and the program understands its part. That Kubernetes knows
// every field is checked against its own types by .ci/kubernetes.
func TestKubernetes(t *testing.T) {
	all := manifests(t, "kubernetes.yaml")
	set := all["StatefulSet"]
	line, pod := configured(t, all, set)
	wantSame(t, map[string][2]any{
		"claim": {field(t, pod, "containers", 0, "volumeMounts", 0, "name"),
			field(t, set, "spec", "volumeClaimTemplates", 0, "metadata", "name")},
		"service":  {field(t, set, "spec", "serviceName"), field(t, all["Service"], "metadata", "name")},
		"replicas": {field(t, set, "spec", "replicas"), 1},
		"standby":  {line.Run.Standby.Standby, false},
	})
}

// TestKubernetesStandby: pods that share a model need no volume.
func TestKubernetesStandby(t *testing.T) {
	all := manifests(t, "kubernetes-standby.yaml")
	line, pod := configured(t, all, all["Deployment"])
	wantSame(t, map[string][2]any{
		"volume":   {field(t, pod, "containers", 0, "volumeMounts", 0, "name"), field(t, pod, "volumes", 1, "name")},
		"kept":     {field(t, pod, "volumes", 1, "emptyDir", "sizeLimit"), "1Gi"},
		"standby":  {line.Run.Standby.Standby, true},
		"instance": {line.Run.Instance, ""}, // of the pod's name
	})
	over := time.Duration(field(t, pod, "terminationGracePeriodSeconds").(int)) * time.Second
	if over < line.Run.SessionTimeout+15*time.Second {
		t.Errorf("it is killed after %v, and may take %v to hand over", over, line.Run.SessionTimeout)
	}
}

func wantSame(t *testing.T, pairs map[string][2]any) {
	t.Helper()
	for what, same := range pairs {
		if same[0] != same[1] {
			t.Errorf("%s: %v and %v", what, same[0], same[1])
		}
	}
}

// configured is what the program makes of the settings of a set of pods, and the pod; what both kinds of sets say is
// compared.
func configured(t *testing.T, all map[string]map[string]any, set map[string]any) (line *commandLine, pod any) {
	t.Helper()
	pod = field(t, set, "spec", "template", "spec")
	container := field(t, pod, "containers", 0)
	var args []string
	for _, a := range field(t, container, "args").([]any) {
		args = append(args, a.(string))
	}
	file := write(t, "rosenblatt.yaml", field(t, all["ConfigMap"], "data", "rosenblatt.yaml").(string))
	if mounted := field(t, container, "volumeMounts", 1, "mountPath").(string) +
		"/rosenblatt.yaml"; args[len(args)-1] != mounted {
		t.Errorf("the settings are mounted as %s, read from %q", mounted, args)
	}
	args[len(args)-1] = file
	t.Setenv(field(t, container, "env", 0, "name").(string), "geheim")
	line = &commandLine{}
	parsed, err := newProgram(nil, io.Discard, io.Discard).Parse(line, args)
	if err != nil || parsed.Command() != "run" || line.Run.Faults() != nil {
		t.Fatalf("%q: %v, %v", args, err, line.Run.Faults())
	}
	labels := field(t, set, "spec", "template", "metadata", "labels", "app")
	wantSame(t, map[string][2]any{
		"state": {line.Run.State, field(t, container, "volumeMounts", 0, "mountPath")},
		"port": {field(t, all["Service"], "spec", "ports", 0, "port"),
			field(t, container, "ports", 0, "containerPort")},
		"label":    {field(t, set, "spec", "selector", "matchLabels", "app"), labels},
		"selector": {field(t, all["Service"], "spec", "selector", "app"), labels},
		"name":     {line.Run.HTTPHost[0], field(t, all["Service"], "metadata", "name")},
		"user":     {field(t, pod, "securityContext", "runAsUser"), 65532},
		"live":     {field(t, container, "livenessProbe", "httpGet", "path"), "/healthz"},
		"ready":    {field(t, container, "readinessProbe", "httpGet", "path"), "/readyz"},
		"settings": {field(t, pod, "volumes", 0, "configMap", "name"), field(t, all["ConfigMap"], "metadata", "name")},
	})
	if grace := field(t, pod, "terminationGracePeriodSeconds").(int); grace <= 15 {
		t.Errorf("it is killed after %d seconds", grace)
	}
	return line, pod
}
