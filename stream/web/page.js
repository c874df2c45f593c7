let tiers = [], chosen = 0, status = null, model = null, summary = null, samples = { rejected: {}, mistakes: [] }, first = null, fields = null;
let source = null, heard = 0;

const spans = ["5 min", "3 h", "3 d"];
const lines = [{ column: 1, name: "last", text: "last 1,000" }, { column: 2, name: "fading", text: "fading" },
  { column: 3, name: "nochange", text: "no-change" }, { column: 4, name: "majority", text: "majority" }];
const marked = 10; // the column of what is marked where it grows: drifts so far
const rareLines = [{ column: 7, name: "last", text: "precision" }, { column: 8, name: "fading", text: "recall" },
  { column: 9, name: "majority", text: "average precision" }];

function addPoint(p) {
  for (const t of tiers) {
    const last = t.points[t.points.length - 1];
    if (last && p[0] - last[0] < 0.9 * t.every_ms) continue;
    t.points.push(p);
    if (t.points.length > t.keep) t.points.shift();
  }
}

// The bounds of an axis: of shares in steps of 5 %, at least 10 % apart; of counts from 0 on.
function shares(least, most) {
  const high = Math.max(0.1, Math.min(1, Math.ceil(20 * (most + 0.01)) / 20));
  return [Math.max(0, Math.min(Math.floor(20 * (least - 0.01)) / 20, high - 0.1)), high];
}
const counts = (least, most) => [0, Math.max(1, 1.05 * most)];
const short = (v) => (v >= 1e6 ? +(v / 1e6).toFixed(1) + " M" : v >= 1e4 ? +(v / 1e3).toFixed(1) + " k" : v < 10 ? String(+v.toFixed(1)) : count(v));

function showCurves() {
  const t = tiers[chosen];
  if (!t || !t.points.length) return;
  const rare = Boolean(status && status.rare), shown = rare ? rareLines : lines, name = rare ? "Precision and recall" : "Accuracy";
  const drifted = t.points.some((p, i) => i && p[marked] > t.points[i - 1][marked]);
  const last = t.points[t.points.length - 1], now = (l) => l.text + " " + (last[l.column] === null ? "–" : percent(last[l.column], 1));
  byId("measured").textContent = name;
  byId("ofall").hidden = rare;
  byId("ofrare").hidden = !rare;
  byId("curves").hidden = false;
  byId("counted").hidden = !(status && status.labels);
  byId("spans").replaceChildren(...spans.map((text, i) =>
    el("button", { type: "button", "aria-pressed": String(i === chosen), click: () => { chosen = i; showCurves(); } }, text)));
  byId("legend").replaceChildren(...shown.map((l) =>
    el("li", {}, svg("svg", { viewBox: "0 0 32 12", "aria-hidden": "true" }, svg("line", { class: "s-" + l.name, x1: 0, x2: 32, y1: 6, y2: 6 })), now(l))),
    drifted ? el("li", {}, svg("svg", { viewBox: "0 0 32 12", "aria-hidden": "true" }, svg("circle", { class: "drift", cx: 16, cy: 6, r: 4.5 })), "drift") : "");
  curve(byId("accuracy"), t, shown, (v) => Math.round(100 * v) + " %", shares, name + " over time: " + shown.map(now).join(", ") + (drifted ? ", with drifts" : ""), marked);
  const pace = status && status.state === "following" ? "Learned along/s" : "Predictions/s";
  byId("pace").textContent = pace;
  curve(byId("speed"), t, [{ column: 5, name: "last" }], short, counts, pace + " over time: " + rate(last[5]));
  curve(byId("ahead"), t, [{ column: 6, name: "last" }], short, counts, "Lag over time: " + (last[6] === null ? "unknown" : count(last[6])));
}

const drawMatrix = () => showMatrix(summary && summary.matrix ? summary.matrix : status && status.matrix, summary && summary.pairs, drawMatrix);

// Data is stored at once and shown in the next animation frame: a slow browser skips some.
const on = {
  history: (h) => { tiers = h; },
  model: (m) => { model = m; },
  summary: (p) => { summary = p; },
  samples: (s) => { samples = s; },
  first: (f) => { first = f; },
  fields: (f) => { fields = f; },
  status: (s) => {
    if (s.state === "idle" && status && status.known) location.reload(); // there is no model any more
    status = s;
    if (s.point) addPoint(s.point);
  },
};
const news = new Set(); // names of data that is not shown yet
let asked = false, drawn = "";

function take(name, body) {
  on[name](body);
  news.add(name);
  if (!asked) requestAnimationFrame(show);
  asked = true;
}

function show() {
  asked = false;
  if (!status) return;
  showHealth(status);
  showVerdict(status);
  showTiles(status);
  showCheckpoint(status);
  showCurves();
  if (!status.known) return;
  showInput(status);
  if (status.labels) showLabels(status, status.labels);
  showScores(status);
  showDecision(status);
  showDrift(status);
  showLearners(status);
  showClasses(status);
  showSlices(status);
  drawMatrix();
  if (news.has("summary")) showWeights(summary);
  if (news.has("model")) {
    showSettings(status.learner, model.settings);
    byId("value").placeholder = placeholder(model.settings);
  }
  if (news.has("first")) showFirst(first);
  if (news.has("fields")) showFields(fields);
  if (news.has("samples")) showMistakes(samples.mistakes);
  if (news.has("samples") || drawn !== JSON.stringify(status.rejected)) showRejects(status.rejected, samples.rejected);
  drawn = JSON.stringify(status.rejected);
  byId("fill").hidden = !samples.mistakes.some((x) => x.whole);
  news.clear();
}

function connect() {
  if (source) source.close();
  source = new EventSource("events");
  for (const name of Object.keys(on)) source.addEventListener(name, (e) => { heard = Date.now(); take(name, JSON.parse(e.data)); });
  source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(connect, 5000); }); // refused: too many pages, or a token is wanted
}

// A hidden page closes its connection: browsers allow few for one server.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) source.close();
  else connect();
});
setInterval(() => {
  const silent = Date.now() - heard, old = !document.hidden && silent > 5000;
  byId("stale").hidden = !old;
  byId("main").classList.toggle("old", old);
  if (!old) return;
  byId("badges").replaceChildren(badge("bad", "no connection"));
  if (status) document.title = "✗ " + plain(status.model) + " · Rosenblatt";
  byId("stale").textContent = heard ? "No update from the daemon for " + span(silent / 1000) + ": this page is out of date. Trying again." : "No connection for updates yet. Trying again.";
}, 1000);
new ResizeObserver(showCurves).observe(byId("accuracy"));

function showPrediction(ok, a) {
  if (!ok) return byId("prediction").replaceChildren(el("p", { class: "down" }, "No prediction: ", el("b", {}, a.reason), " ", foreign(a.error)));
  const parts = a.contributions, rest = parts.slice(20), most = Math.max(Math.abs(a.bias), ...parts.map((c) => Math.abs(c.contribution)));
  const right = (text, kind = "n") => el("span", { class: kind }, text);
  const line = (name, how, x) => [name, bar(x, most), right(how, "n note"), right(signed(x))];
  const probability = a.probability === undefined ? "" : ", probability " + percent(a.probability, 1);
  const all = parts.reduce((x, c) => x + c.contribution, a.bias), apart = Math.abs(all - a.score) > 1e-6 * Math.max(1, Math.abs(all), Math.abs(a.score));
  byId("prediction").replaceChildren(...[
    el("p", { class: "big" }, "Prediction ", el("b", {}, label(JSON.stringify(a.prediction))), ", score " + number(a.score) + probability),
    a.untrained ? note("The model has not learned anything yet.") : null,
    el("div", { class: "bars" }, right("feature", "h"), el("span"), right("value × weight", "h n"), right("adds", "h n"),
      parts.slice(0, 20).map((c) => line(foreign(c.name), number(c.value) + " × " + number(c.weight), c.contribution)),
      rest.length ? line(rest.length + " more", "", rest.reduce((x, c) => x + c.contribution, 0)) : null, line("bias", "", a.bias)),
    !apart ? null : parts.every((c) => !c.weight) ? note("This learner has no weight by feature: its score comes from the examples that it keeps.")
      : note("The score is not their sum: it is a count of votes, or there are more features than are told."),
    note("By the model as of seq " + count(a.seq) + "; values as scaled.")].filter(Boolean));
}

byId("ask").addEventListener("submit", async (e) => {
  e.preventDefault();
  const button = e.target.querySelector("[type=submit]");
  button.disabled = true;
  try {
    // An absolute address: fetch refuses relative ones where the page's address holds a user.
    const r = await fetch(new URL("predict?explain=1000", location.href),
      { method: "POST", headers: { "Content-Type": "application/json; charset=utf-8" }, body: byId("value").value });
    showPrediction(r.ok, await r.json());
  } catch (err) {
    showPrediction(false, { reason: "no-connection", error: String(err) });
  } finally {
    button.disabled = false;
  }
});
byId("value").addEventListener("keydown", (e) => {
  if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) byId("ask").requestSubmit();
});
byId("fill").addEventListener("click", () => { byId("value").value = samples.mistakes.find((x) => x.whole).value; });
connect();
