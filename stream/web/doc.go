// Package web serves the state of a running task over HTTP: a page for people, metrics for Prometheus, health checks,
// and predictions for inputs that are posted.
//
//	/             a page with the status, its recent history, the model, and a form for examples
//	/events       server-sent events that update the page every second
//	/status       the status as JSON
//	/metrics      the status for Prometheus, and the process and the Go runtime
//	/healthz      200 while the process runs
//	/readyz       200 while the task makes progress; else 503 with the reasons, one per line
//	/predict      POST of one input value, or with ?lines=1 of one on each line: predictions of the current model
//	/0/ /1/ ...   page and status of each model, where each partition has one
//	/debug/pprof  with Server.PProf
//
// No request changes the model, and none waits for Kafka.
//
// The page is one file: page.html with page.css, curve.js, sections.js and page.js, in this order. Its content
// security policy allows exactly these, and no code that turns text into markup or code.
//
// Caveats:
//   - The page shows parts of events: the last rejected records and mistakes.
//   - Without Server.Token everybody who reaches the address can read everything. An address that is not loopback is
//     refused without a token, unless Server.Open is set.
//   - Requests may name the server by IP address, as localhost, and by the names in Server.Hosts; health checks by any
//     name. Else the owner of any name could let it resolve to this address, and read through a visitor's browser.
//   - The token is sent in the Authorization header only, since logs and histories keep addresses. A browser asks for
//     it as the password of any user.
//   - There is no TLS: outside a trusted network, use a proxy.
package web
