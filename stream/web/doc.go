// Package web shows a running task over HTTP: a page for people, metrics for Prometheus, health for whoever restarts it,
// and answers to single inputs.
//
//	/             a page that shows the status, the recent past and the model, and tries examples
//	/events       what keeps the page up to date: server-sent events, each second
//	/status       the status as JSON
//	/metrics      the status for Prometheus, and the process and the Go runtime
//	/healthz      200 while the process lives
//	/readyz       200 while the task does its work; else 503 with the reasons, one per line
//	/predict      POST of one input value: what the model would answer now
//	/debug/pprof  with Server.PProf
//
// Everything is read from copies. No request changes the model, and none waits for Kafka.
//
// The page is one file: page.html with page.css and, in this order, curve.js, sections.js and page.js. Its policy lets exactly these
// pass, and nothing that would make markup or code of a text.
//
// What to know:
//   - The page shows parts of other people's events: the last few that were rejected, and answered wrongly.
//   - Without Server.Token everybody who reaches the address reads everything. So an address beyond this machine is refused
//     unless there is a token or Server.Open says that it is meant.
//   - The token travels in the Authorization header only, never in an address, where logs and histories would keep it. A
//     browser asks its user for it, as the password of any user.
//   - There is no TLS here: beyond a trusted network, put a proxy in front.
package web
