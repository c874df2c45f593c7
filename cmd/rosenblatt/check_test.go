package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(2, "events", "events.predictions", "events.dlq"))
	state := t.TempDir()
	got := call(t, "", "check", "--brokers", k, "--input", "events", "--state", state)
	for _, want := range []string{"ok    TCP", "ok    cluster", "ok    input        events, 2 partitions",
		"ok    output       events.predictions, 2 partitions",
		"ok    dead-letter", "ok    transactions transactional id rosenblatt.events.predictions",
		"ok    group        rosenblatt-events", "ok    state"} {
		got.want(t, cli.ExitDone, want, "")
	}
	if !strings.HasSuffix(got.stdout, "\nAll is in order.\n") &&
		!strings.Contains(got.stdout, "\nNothing is wrong, with ") {
		t.Errorf("check ends with %s", got.stdout)
	}
	if files := listing(t, state); files != "" {
		t.Errorf("check left %s in the state folder", files)
	}
}

func TestCheckFindsTopics(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(3, "events"), kfake.SeedTopics(2, "events.predictions"))
	check := []string{"check", "--brokers", k, "--input", "events", "--state", t.TempDir()}
	got := call(t, "", check...)
	got.want(t, cli.ExitFailed, "FAIL  output       events.predictions has 2 partitions, the input has 3: "+
		"add partitions, or start with --create-topics", "")
	got.want(t, cli.ExitFailed, "FAIL  dead-letter  events.dlq does not exist (or this user may not see it): "+
		"create it with 1 partition, or start with --create-topics", "")
	got.want(t, cli.ExitFailed, "2 things are wrong. Begin with the first", "")
	call(t, "", append(check, "--create-topics")...).want(t, cli.ExitDone,
		"events.dlq does not exist yet: run --create-topics will create it", "")
	call(t, "", append(check, "--create-topics")...).want(t, cli.ExitDone,
		"ok    output       events.predictions, 2 partitions, run --create-topics will make it 3", "")
	call(t, "", check...).want(t, cli.ExitFailed, "events.dlq does not exist", "") // asking made nothing
	call(t, "", "check", "--brokers", k, "--input", "evnts", "--create-topics").want(t, cli.ExitFailed,
		"FAIL  input        evnts does not exist", "")
}

// TestCheckReadsBeforeTopics: where only topics of the daemon's own are missing, events are looked at all the same.
func TestCheckReadsBeforeTopics(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "labels"))
	for topic, text := range map[string]string{"events": `{"id":"a","x":1}`, "labels": `{"id":"b","label":1}`} {
		call(t, text+"\n", "produce", "-", "--format", "json", "--brokers", k, "--topic", topic).want(t, cli.ExitDone,
			"1 event", "")
	}
	for _, labels := range [][]string{nil, {"--labels", "labels"}} {
		got := call(t, "", append([]string{"check", "--brokers", k, "--input", "events", "--state", t.TempDir()},
			labels...)...)
		for _, want := range []string{"FAIL  dead-letter  events.dlq does not exist", "events       the newest 1 event",
			"note  start        not checked: first the topics must be there"} {
			got.want(t, cli.ExitFailed, want, "")
		}
		if labels != nil {
			got.want(t, cli.ExitFailed, "labels       the newest 1 label", "")
		}
	}
}

// TestCheckFencesNobody: a check beside a running daemon leaves its producer epoch alone.
func TestCheckFencesNobody(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	writes := map[int16]bool{int16(kmsg.Produce): true, int16(kmsg.InitProducerID): true,
		int16(kmsg.AddPartitionsToTxn): true, int16(kmsg.CreateTopics): true,
		int16(kmsg.OffsetCommit): true, int16(kmsg.JoinGroup): true, int16(kmsg.AlterConfigs): true}
	var met []string
	c.Control(func(req kmsg.Request) (kmsg.Response, error, bool) {
		c.KeepControl()
		if writes[req.Key()] {
			met = append(met, kmsg.NameForKey(req.Key()))
		}
		if end, ok := req.(*kmsg.EndTxnRequest); ok && (end.ProducerID != -1 || end.ProducerEpoch != -1) {
			met = append(met, "EndTxn of a producer")
		}
		return nil, nil, false
	})
	call(t, "", "check", "--brokers", c.ListenAddrs()[0], "--input", "events", "--state", t.TempDir()).want(t,
		cli.ExitDone, "ok    transactions", "")
	c.Close()
	if len(met) > 0 {
		t.Errorf("check sent %v", met)
	}
}

func TestCheckConnection(t *testing.T) {
	t.Parallel()
	base := []string{"check", "--input", "events", "--state", t.TempDir(), "--brokers"}
	call(t, "", append(base, "127.0.0.1:1")...).want(t, cli.ExitFailed,
		"FAIL  TCP          127.0.0.1:1: the machine is there, but nobody listens at this port: is the broker running",
		"")
	call(t, "", append(base, "no-such-host.invalid:9092")...).want(t, cli.ExitFailed,
		"FAIL  name         no-such-host.invalid: ", "")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	call(t, "", append(base, web.Listener.Addr().String(), "--timeout", "200ms")...).want(t, cli.ExitFailed,
		"this is a web server, not a Kafka broker", "")
	k := broker(t, kfake.SeedTopics(1, "events"))
	call(t, "", append(base, k, "--tls", "--timeout", "200ms")...).want(t, cli.ExitFailed,
		"most likely this port does not speak", "")
}

func TestCheckTLS(t *testing.T) {
	t.Parallel()
	pair, ca := selfSigned(t)
	k := broker(t, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}}),
		kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	base := []string{"check", "--input", "events", "--state", t.TempDir(), "--brokers", k}
	call(t, "", append(base, "--tls-ca", ca)...).want(t, cli.ExitDone,
		"ok    TLS          "+k+": TLS 1.3, certificate of test", "")
	call(t, "", append(base, "--tls")...).want(t, cli.ExitFailed,
		"signed by somebody this machine does not trust (CN=test): give the certificate of the authority", "")
	call(t, "", append(base, "--tls-ca", ca, "--tls-server-name", "other")...).want(t, cli.ExitFailed,
		"certificate is for 127.0.0.1, not for other: connect under a name that it is for", "")
	call(t, "", base...).want(t, cli.ExitFailed,
		"FAIL  Kafka        "+k+": the broker closed the connection without a response: "+
			"most likely this port wants TLS", "")
}

// selfSigned makes a certificate for 127.0.0.1 and a file with it.
func selfSigned(t *testing.T) (pair tls.Certificate, file string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, write(t, "ca.pem", string(text))
}

func TestCheckSASL(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.EnableSASL(), kfake.Superuser("SCRAM-SHA-256", "me", "geheim"),
		kfake.Superuser("PLAIN", "me", "geheim"),
		kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	right, wrong := write(t, "right", "geheim\n"), write(t, "wrong", "falsch\n")
	base := []string{"check", "--input", "events", "--state", t.TempDir(), "--brokers", k}
	for _, mechanism := range []string{"plain", "scram-sha-256"} {
		login := append(base, "--sasl", mechanism, "--sasl-user", "me", "--sasl-password-file")
		call(t, "", append(login, right)...).want(t, cli.ExitDone, "ok    SASL         "+k+": "+mechanism+" as me", "")
		got := call(t, "", append(login, wrong)...)
		got.want(t, cli.ExitFailed, "FAIL  SASL         "+k+": ", "")
		if strings.Contains(got.stdout, "falsch") {
			t.Errorf("the password is printed: %s", got.stdout)
		}
	}
	call(t, "", base...).want(t, cli.ExitFailed,
		"FAIL  SASL         the broker closes connections without a login: add --sasl", "")
	call(t, "", append(base, "--sasl", "scram-sha-512", "--sasl-user", "me", "--sasl-password-file", right)...).want(t,
		cli.ExitFailed, "FAIL  SASL", "")
}

// TestCheckRights: a user that may read everything and write nothing.
func TestCheckRights(t *testing.T) {
	t.Parallel()
	may := func(resource kmsg.ACLResourceType, name string, op kmsg.ACLOperation) kfake.ACL {
		return kfake.ACL{Resource: resource, Name: name, Pattern: kmsg.ACLResourcePatternTypeLiteral, Operation: op,
			Allow: true}
	}
	acls := []kfake.ACL{may(kmsg.ACLResourceTypeTransactionalId, "rosenblatt.events.predictions",
		kmsg.ACLOperationDescribe),
		may(kmsg.ACLResourceTypeGroup, "rosenblatt-events", kmsg.ACLOperationRead)}
	for _, topic := range []string{"events", "events.predictions", "events.dlq"} {
		acls = append(acls, may(kmsg.ACLResourceTypeTopic, topic, kmsg.ACLOperationRead),
			may(kmsg.ACLResourceTypeTopic, topic, kmsg.ACLOperationDescribeConfigs))
	}
	for _, op := range []kmsg.ACLOperation{kmsg.ACLOperationRead, kmsg.ACLOperationWrite,
		kmsg.ACLOperationDescribeConfigs} {
		acls = append(acls, may(kmsg.ACLResourceTypeTopic, "new", op)) // but not create
	}
	k := broker(t, kfake.EnableSASL(), kfake.EnableACLs(), kfake.Superuser("PLAIN", "root", "root"),
		kfake.User("PLAIN", "me", "geheim", acls...),
		kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	got := call(t, "", "check", "--input", "events", "--state", t.TempDir(), "--brokers", k, "--sasl", "plain",
		"--sasl-user", "me", "--sasl-password-file", write(t, "p", "geheim"), "--standby",
		"--checkpoint-topic", "events.checkpoints")
	for _, want := range []string{"ok    input", "FAIL  group        rosenblatt-events.tasks: ",
		"FAIL  output       events.predictions: this user lacks WRITE: add an ACL for it", "FAIL  dead-letter",
		"FAIL  transactions transactional id rosenblatt.events.predictions: this user lacks WRITE", "ok    group"} {
		got.want(t, cli.ExitFailed, want, "")
	}
	other := call(t, "", "check", "--input", "events", "--output", "new", "--dead-letter", "new.dlq", "--group", "g",
		"--create-topics", "--state", t.TempDir(),
		"--brokers", k, "--sasl", "plain", "--sasl-user", "me", "--sasl-password-file", write(t, "p", "geheim"))
	for _, want := range []string{
		"FAIL  output       new does not exist yet, and this user may not change that: " +
			"add an ACL (CREATE to make a topic",
		"FAIL  dead-letter  new.dlq: this user may not even know whether it exists: " +
			"add ACLs for READ, WRITE, DESCRIBE_CONFIGS on it",
		"note  group        g: ",
		"the daemon works without, but lag tools do not see it: add an ACL for READ on the group"} {
		other.want(t, cli.ExitFailed, want, "")
	}
}

// TestCheckOfTheDaemonsGroup: a consumer in the group of the daemons is found, and daemons are in order.
func TestCheckOfTheDaemonsGroup(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	check := []string{"check", "--brokers", k, "--input", "events", "--state", t.TempDir(), "--standby"}
	call(t, "", check...).want(t, cli.ExitUsage, "", "standby: it needs --checkpoint-topic")
	check = append(check, "--checkpoint-topic", "events.checkpoints", "--create-topics")
	call(t, "", check...).want(t, cli.ExitDone, "ok    group        rosenblatt-events.tasks", "")
	consumer, err := kgo.NewClient(kgo.SeedBrokers(k), kgo.ConsumerGroup("rosenblatt-events.tasks"),
		kgo.ConsumeTopics("events"))
	if err != nil {
		t.Fatal(err)
	}
	defer consumer.Close()
	streamtest.Await(t, "a member", func() bool { id, _ := consumer.GroupMetadata(); return id != "" })
	call(t, "", check...).want(t, cli.ExitFailed,
		"FAIL  group        rosenblatt-events.tasks: another program uses this group: end it, or choose another", "")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	ready := true
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/healthz":
		case r.URL.Path != "/readyz" || r.Header.Get("Authorization") != "Bearer geheim":
			w.WriteHeader(http.StatusUnauthorized)
		case !ready:
			http.Error(w, "recovering", http.StatusServiceUnavailable)
		}
	}))
	defer web.Close()
	token := write(t, "token", "geheim\n")
	call(t, "", "check", "--health", web.URL, "--http-token-file", token).want(t, cli.ExitDone,
		"ok    "+web.URL+"/readyz in ", "")
	call(t, "", "check", "--health", web.URL).want(t, cli.ExitFailed, "", "401")
	call(t, "", "check", "--health", web.URL+"/healthz").want(t, cli.ExitDone, "/healthz", "")
	ready = false
	call(t, "", "check", "--health", web.URL, "--http-token-file", token).want(t, cli.ExitFailed, "",
		"503 Service Unavailable: recovering")
	web.Close()
	call(t, "", "check", "--health", web.URL).want(t, cli.ExitFailed, "", "refused")
}

// TestCheckComparesAsAStart: a topic that a start refuses is not called ok.
func TestCheckComparesAsAStart(t *testing.T) {
	t.Parallel()
	c, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "events", "events.predictions", "events.dlq"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	conf := kmsg.NewPtrIncrementalAlterConfigsRequest()
	compact := "compact"
	conf.Resources = []kmsg.IncrementalAlterConfigsRequestResource{{ResourceType: kmsg.ConfigResourceTypeTopic,
		ResourceName: "events.predictions", Configs: []kmsg.IncrementalAlterConfigsRequestResourceConfig{
			{Name: "cleanup.policy", Value: &compact}}}}
	client, err := kgo.NewClient(kgo.SeedBrokers(c.ListenAddrs()...))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if _, err := conf.RequestWith(t.Context(), client); err != nil {
		t.Fatal(err)
	}
	call(t, "", "check", "--brokers", c.ListenAddrs()[0], "--input", "events", "--state", t.TempDir()).want(t,
		cli.ExitFailed, "FAIL  start        would stop with error=output-unfit", "")
}

// TestCheckReadsTheOutput: check says where a start would stop for predictions of another model, or of this one whose
// checkpoints are not in the folder.
func TestCheckReadsTheOutput(t *testing.T) {
	t.Parallel()
	k := broker(t)
	call(t, "", "produce", flowers(t, 60), "--brokers", k, "--topic", "by", "--create-topic").want(t, cli.ExitDone,
		"60 events", "")
	for _, per := range []string{"all", "partition"} {
		state := t.TempDir()
		own := []string{"--brokers", k, "--input", "by", "--output", "by." + per, "--dead-letter", "dlq." + per,
			"--bits", "10", "--positive", "setosa", "--model-per", per}
		call(t, "", append([]string{"run", "--until-end", "--http", "off", "--create-topics", "--model", "a", "--state",
			state}, own...)...).want(t, cli.ExitDone, "", "")
		check := func(args ...string) outcome {
			return call(t, "", append(append([]string{"check"}, own...), args...)...)
		}
		check("--model", "a", "--state", state).want(t, cli.ExitDone, "settings are those of the checkpoint", "")
		check("--model", "b", "--state", state).want(t, cli.ExitFailed,
			"would stop with error=other-writer: topic by."+per, "")
		check("--model", "a", "--state", t.TempDir()).want(t, cli.ExitFailed,
			"would stop with error=state-missing: topic by."+per, "")
		check("--model", "a", "--state", t.TempDir(), "--checkpoint-topic", "saved", "--create-topics").want(t,
			cli.ExitDone, "settings are those of the checkpoint", "")
	}
}

// TestCheckComparesSettings: check says of settings that differ from the checkpoint's what run stops with.
func TestCheckComparesSettings(t *testing.T) {
	t.Parallel()
	k, state := broker(t), t.TempDir()
	call(t, "", "produce", flowers(t, 60), "--brokers", k, "--topic", "by", "--create-topic").want(t, cli.ExitDone,
		"60 events", "")
	own := []string{"--brokers", k, "--input", "by", "--state", state, "--bits", "10", "--positive", "setosa",
		"--learner", "logistic:rate=0.2", "--decide", "cost=fp:1,fn:20"}
	run := func(args ...string) outcome {
		return call(t, "", append(append([]string{"run", "--until-end", "--http", "off", "--create-topics"}, own...),
			args...)...)
	}
	check := func(args ...string) outcome {
		return call(t, "", append(append([]string{"check"}, own...), args...)...)
	}
	run().want(t, cli.ExitDone, "", "")
	check().want(t, cli.ExitDone, "topics and settings are those of the checkpoint", "")
	for _, c := range []struct{ differs, says string }{
		{"--decide=cost=fp:1,fn:10", `decide was "cost=fp:1,fn:20", is "cost=fp:1,fn:10"`},
		{"--no-learn", "noLearn was false, is true"},
		{"--ignore=x", `decode.ignore was `},
		{"--bits=11", "decode.bits was 10, is 11"},
		{"--learner=logistic:rate=0.4", "learner.rate was 0.2, is 0.4"},
	} {
		var stop struct{ Error, What, Do string }
		stderr := strings.TrimSpace(run(c.differs).stderr)
		if err := json.Unmarshal([]byte(stderr[strings.LastIndex(stderr, "\n")+1:]), &stop); err != nil {
			t.Fatal(err)
		}
		got := check(c.differs)
		got.want(t, cli.ExitFailed, c.says, "")
		got.want(t, cli.ExitFailed, "FAIL  start        would stop with error="+stop.Error+": "+stop.What+": "+stop.Do,
			"")
	}
	config := write(t, "c.yaml", "decide: sign\nlearner: logistic\nbits: 10\npositive: setosa\n")
	call(t, "", "check", "--brokers", k, "--input", "by", "--state", state, "--config", config).want(t, cli.ExitFailed,
		`decide was "cost=fp:1,fn:20", is "sign"`, "")
}
