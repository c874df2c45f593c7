package web

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream/internal/awake"
)

// browser is a headless Chromium. It is spoken to over two pipes: each message is JSON and ends with a zero byte
// (Chrome DevTools Protocol, --remote-debugging-pipe).
type browser struct {
	t       *testing.T
	ctx     context.Context
	to      *os.File
	target  string // the page
	session string // with it

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	events  []string // what the page said: exceptions, console, requests
}

type reply struct {
	ID        int
	SessionID string
	Method    string
	Params    json.RawMessage
	Result    json.RawMessage
	Error     *struct{ Message string }
}

// chromium starts a browser, or skips the test where there is none.
func chromium(t *testing.T) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("no Chromium here: the page is not tried in a browser (Debian: apt-get install chromium)")
	}
	fromUs, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	from, toUs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := awake.Timeout(context.Background(), 2*time.Minute)
	cmd := exec.CommandContext(ctx, path, "--headless", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage",
		"--no-first-run", "--disable-extensions", "--disable-background-networking", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{fromUs, toUs}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = fromUs.Close(), toUs.Close()
	b := &browser{t: t, ctx: ctx, to: to, waiting: map[int]chan reply{}}
	done := make(chan struct{})
	go func() { defer close(done); b.listen(from) }()
	t.Cleanup(func() {
		b.listenTo("")
		_, _ = b.call("Browser.close", nil) // so that its helpers end before their folder goes
		_ = to.Close()
		_ = cmd.Wait()
		<-done
		_ = from.Close()
		cancel()
	})
	return b
}

// page opens a page for a test, and closes the one before.
func (b *browser) page(t *testing.T) *browser {
	t.Helper()
	b.t = t
	b.listenTo("")
	var target struct{ TargetID string }
	b.must("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	if b.target != "" {
		b.must("Target.closeTarget", map[string]any{"targetId": b.target}, nil)
	}
	b.target = target.TargetID
	var session struct{ SessionID string }
	b.must("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &session)
	b.listenTo(session.SessionID)
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.must(domain+".enable", nil, nil)
	}
	return b
}

// listenTo forgets what was said, and takes note of one session from now on: the page before may still have something
// to say.
func (b *browser) listenTo(session string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.events, b.session = nil, session
}

func (b *browser) listen(from *os.File) {
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			return
		}
		var m reply
		if json.Unmarshal(text[:len(text)-1], &m) != nil {
			continue
		}
		b.mu.Lock()
		switch m.Method {
		case "":
			b.waiting[m.ID] <- m
			delete(b.waiting, m.ID)
		case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Log.entryAdded", "Network.requestWillBeSent",
			"Page.javascriptDialogOpening":
			if m.SessionID == b.session {
				b.events = append(b.events, m.Method+" "+string(m.Params))
			}
		}
		b.mu.Unlock()
	}
}

// call makes one call and waits for its answer.
func (b *browser) call(method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	b.last++
	answer := make(chan reply, 1)
	b.waiting[b.last] = answer
	message := map[string]any{"id": b.last, "method": method}
	b.mu.Unlock()
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		return nil, err
	}
	select {
	case m := <-answer:
		if m.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		}
		return m.Result, nil
	case <-b.ctx.Done():
		return nil, fmt.Errorf("%s: no answer", method)
	}
}

func (b *browser) must(method string, params, result any) {
	b.t.Helper()
	raw, err := b.call(method, params)
	if err == nil && result != nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

// eval runs an expression in the page, waits for it if it is a promise, and returns what it gives as text. The policy
// of the page, which lets no text become code, does not hold for this.
func (b *browser) eval(expression string) string {
	b.t.Helper()
	var out struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.must("Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true},
		&out)
	if out.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, out.ExceptionDetails)
	}
	return fmt.Sprint(out.Result.Value)
}

// wait waits until an expression is true of the page, which is looked at whenever it changes.
func (b *browser) wait(condition string) {
	b.t.Helper()
	got := b.eval(`new Promise((done) => {
		const look = () => { if (` + condition + `) { eyes.disconnect(); done("yes"); } };
		const eyes = new MutationObserver(look);
		eyes.observe(document, {subtree: true, childList: true, characterData: true, attributes: true});
		look();
		setTimeout(() => done("no"), 30000);
	})`)
	if got != "yes" {
		b.t.Fatalf("not so in 30 s: %s\n%.3000s\n%s", condition, b.eval("document.body.innerText"),
			strings.Join(b.said(""), "\n"))
	}
}

// visit opens an address and waits for the first update.
func (b *browser) visit(url string) {
	b.t.Helper()
	b.must("Page.navigate", map[string]any{"url": url}, nil)
	b.wait(`document.readyState === "complete" && document.getElementById("tiles").children.length > 0`)
}

// said lists events of a kind: exceptions, complaints about the policy, requests.
func (b *browser) said(method string) (out []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, e := range b.events {
		if strings.HasPrefix(e, method) {
			out = append(out, e)
		}
	}
	return out
}

// look sets the size of the window and light or dark, and returns a picture of the whole page.
func (b *browser) look(width int, scheme string) []byte {
	b.t.Helper()
	b.must("Emulation.setEmulatedMedia",
		map[string]any{"features": []any{map[string]any{"name": "prefers-color-scheme", "value": scheme}}}, nil)
	b.must("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
	// After two frames the page is laid out and painted.
	b.eval(`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))`)
	var shot struct{ Data string }
	b.must("Page.captureScreenshot", map[string]any{"captureBeyondViewport": true, "format": "png"}, &shot)
	png, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	return png
}

// fits fails the test if the page is wider than the window.
func (b *browser) fits(width int) {
	b.t.Helper()
	if wide := b.eval(fmt.Sprintf(`document.documentElement.scrollWidth <= %d ? "" :
		[...document.querySelectorAll("main *")].filter((e) => !e.closest(".wide")
			&& e.getBoundingClientRect().right > %[1]d)
			.map((e) => e.outerHTML.slice(0, 200)).join("\n")`, width)); wide != "" {
		b.t.Errorf("wider than a window of %d: %s", width, wide)
	}
}

// TestPictures takes pictures of a running daemon's page, to be looked at:
//
//	ROSENBLATT_PAGE=http://127.0.0.1:8080/ ROSENBLATT_PICTURES=FOLDER go test ./stream/web -run Pictures
func TestPictures(t *testing.T) {
	page, folder := os.Getenv("ROSENBLATT_PAGE"), os.Getenv("ROSENBLATT_PICTURES")
	if page == "" || folder == "" {
		t.Skip("ROSENBLATT_PAGE and ROSENBLATT_PICTURES are not set: no pictures are taken")
	}
	b := chromium(t).page(t)
	b.must("Emulation.setDeviceMetricsOverride",
		map[string]any{"width": 1200, "height": 900, "deviceScaleFactor": 1, "mobile": false}, nil)
	b.visit(page)
	b.wait(`!document.getElementById("fill").hidden && document.querySelectorAll("#weights .bars bdi").length > 3`)
	b.eval(`document.getElementById("fill").click(); document.querySelector("#ask [type=submit]").click();
		for (const id of ["#rejects", "#mistakes"]) {
			const d = document.querySelector(id + " details");
			if (d) d.open = true;
		}`)
	b.wait(`document.querySelector("#prediction .bars")`)
	for _, c := range []struct {
		name, scheme string
		width        int
	}{{"light", "light", 1200}, {"dark", "dark", 1200}, {"phone", "light", 390}, {"phone-dark", "dark", 390}} {
		if err := os.WriteFile(filepath.Join(folder, c.name+".png"), b.look(c.width, c.scheme), 0o600); err != nil {
			t.Fatal(err)
		}
		b.fits(c.width)
	}
	b.eval(`scrollTo(0, 0)`)
	b.look(1000, "light")
	var shot struct{ Data []byte }
	b.must("Page.captureScreenshot", map[string]any{"format": "png",
		"clip":                  map[string]any{"x": 0, "y": 0, "width": 1000, "height": 1572, "scale": 0.75},
		"captureBeyondViewport": true}, &shot)
	if err := os.WriteFile(filepath.Join(folder, "page.png"), shot.Data, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Log(strings.Join(append(b.said("Runtime."), b.said("Log.")...), "\n"))
}
