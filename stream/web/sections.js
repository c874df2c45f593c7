// Each function shows one part of the page, from what an event brought.
const row = (kind, cells, attributes) => el("tr", attributes, cells.map((c, i) => el(i && kind === "td" ? "td" : "th", kind === "td" && i ? {} : { scope: kind === "td" ? "row" : "col" }, c)));
const table = (head, rows, attributes) => el("div", { class: "wide" }, el("table", attributes, el("thead", {}, row("th", head)), el("tbody", {}, rows)));

// fill replaces what a section holds, but not under somebody who is marking text in it.
function fill(id, ...children) {
  const node = byId(id), mark = document.getSelection();
  if (mark && !mark.isCollapsed && node.contains(mark.anchorNode)) return;
  const open = new Map([...node.querySelectorAll("details")].map((d) => [d.dataset.key, d.open]));
  node.replaceChildren(...children.flat(9).filter(Boolean));
  for (const d of node.querySelectorAll("details")) d.open = open.get(d.dataset.key) ?? d.open;
  node.hidden = false;
}

function showHealth(s) {
  const good = s.ready && !s.young_trouble;
  byId("badges").replaceChildren(el("span", { class: "badge " + (s.state === "live" ? "good" : "") }, s.state), " ",
    el("span", { class: "badge " + (s.ready ? "good" : "bad") }, s.ready ? "healthy" : "not ready"));
  byId("about").replaceChildren(s.known ? el("span", {}, foreign(s.learner), " · epoch " + s.epoch + " · seq " + count(s.seq)) : "", " · up for " + span(s.uptime_s));
  byId("alarm").replaceChildren(...(s.reasons.length ? [el("section", { class: "alarm" }, el("h2", {}, "Not ready"), el("ul", {}, s.reasons.map((r) => el("li", {}, foreign(r)))))] : []),
    ...(s.young_trouble ? [el("section", {}, el("h2", {}, "Brokers"), el("p", {}, "In trouble for " + span(s.young_trouble.for_s) + ": ", foreign(s.young_trouble.text)))] : []));
  document.title = (good ? "" : s.ready ? "! " : "✗ ") + plain(s.model) + " · Rosenblatt";
}

function showTiles(s) {
  const tile = (name, value, note) => el("div", {}, el("dt", {}, name), el("dd", {}, value), note ? el("dd", { class: "note" }, note) : null);
  const rejected = Object.values(s.rejected).reduce((a, b) => a + b, 0), tiles = [];
  if (s.state === "recovering") tiles.push(tile("Journal passed", count(s.recovery.done) + " of " + count(s.recovery.total)), tile("Learned again", count(s.recovery.answers)));
  if (s.known) {
    const best = s.baselines.reduce((a, b) => (b.accuracy_last_1000 > a.accuracy_last_1000 ? b : a), { name: "guessing", accuracy_last_1000: 0 });
    const ahead = s.accuracy_last_1000 - best.accuracy_last_1000;
    tiles.push(tile("Accuracy, last 1,000", percent(s.accuracy_last_1000), s.examples ? el("span", { class: ahead < 0 ? "down" : "up" }, signed(100 * ahead, (x) => x.toFixed(1)) + " points against " + best.name) : "no label seen yet"),
      tile("Accuracy, fading", percent(s.accuracy_fading), "over all " + percent(s.accuracy)),
      tile("Answers per second", rate(s.answers_per_s), count(s.answered) + " answered"),
      tile("Lag", count(s.lag), s.lag ? "records ahead" : "nothing waits"),
      tile("Mistakes", count(s.mistakes), "of " + count(s.examples) + " labelled"),
      tile("Updates", count(s.updates), s.updates > s.examples ? rate(s.updates / s.examples) + " an example" : s.examples ? percent(s.updates / s.examples, 1) + " of examples" : ""),
      tile("Rejected", count(rejected), rejected ? percent(rejected / s.read, 2) + " of " + count(s.read) + " read" : "of " + count(s.read) + " read"));
  }
  tiles.push(tile("Last checkpoint", s.checkpoint.age_s === null ? "none yet" : span(s.checkpoint.age_s) + " ago", s.checkpoint.failed ? count(s.checkpoint.failed) + " failed" : bytes(s.checkpoint.bytes)));
  byId("tiles").replaceChildren(...tiles);
}

function showInput(s) {
  const most = Math.max(1, ...s.partitions.map((p) => p.lag));
  fill("input", el("h2", {}, "Input"), table(["partition", "records/s", "position", "end", "lag", ""], s.partitions.map((p, i) => row("td", [p.partition, rate(s.records_per_s[i] || 0), count(p.position), count(p.end), count(p.lag),
    svg("svg", { viewBox: "0 0 100 10", width: 80, height: 8, preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { class: "minus", width: (100 * p.lag) / most, height: 10 }))]))),
    s.hidden_partitions ? el("p", { class: "note" }, s.hidden_partitions + " more partitions are listed at ", el("a", { href: "status" }, "/status"), ".") : null,
    el("p", { class: "note" }, count(s.read) + " records read, " + count(s.tombstones) + " nulls passed by, " + count(s.acknowledged) + " answers acknowledged to this process" + (s.offset_commit_failures ? ", " + count(s.offset_commit_failures) + " commits of group offsets failed" : "") + "."));
}

const names = { "no-change": "no-change (the label before)", majority: "majority (the label seen most)" };
function showScores(s) {
  const three = (r, figure) => [r.all, r.last, r.fading].map((f) => f[figure]);
  const model = s.rows[0], classes = s.class_count ? " (" + count(s.class_count) + " classes so far)" : "";
  const more = [["balanced accuracy", "balanced"], ["F1", "f1"], ["kappa", "kappa"]];
  fill("scores", el("h2", {}, "Figures" + classes), table(["", "over all", "last 1,000", "fading"], [
    s.rows.map((r, i) => row("td", [i ? names[r.name] || r.name : "accuracy", ...three(r, "accuracy").map((x) => percent(x))], { class: i ? null : "model" })),
    more.map(([name, figure]) => row("td", [name, ...three(model, figure).map((x) => (figure === "kappa" ? x.toFixed(3) : percent(x)))])),
    s.auc_last_1000 && !s.class_count ? row("td", ["AUC", "", s.auc_last_1000.toFixed(3), ""]) : null]),
    el("p", { class: "note" }, "Each answer was given before its label was seen."));
}

function showCheckpoint(s) {
  const c = s.checkpoint, one = (name, value) => row("td", [name, value]);
  fill("checkpoint", el("h2", {}, "Checkpoint"), c.age_s === null ? el("p", { class: "note" }, "This process has saved none yet.") : el("table", {}, el("tbody", {}, one("age", span(c.age_s)), one("seq", count(c.seq)),
    one("size", bytes(c.bytes)), one("written in", span(c.duration_s)), one("saved by this process", count(c.saved)), one("failed", count(c.failed)))), c.error ? el("p", { class: "down" }, "The last one failed: ", foreign(c.error)) : null);
  if (s.accepted.length) fill("accepted", el("h2", {}, "Accepted stops"), el("ul", {}, s.accepted.map((a) => el("li", {}, el("b", {}, a.name), " after seq " + count(a.seq) + ", epoch " + a.epoch + ": ", foreign(a.what)))));
}

function showSettings(learner, settings) {
  const value = (name) => (settings.find((x) => x.name === name) || {}).value;
  fill("model", el("h2", {}, "Model"), el("p", {}, foreign(learner), " · scale " + (value("learner.scale") || "none") + " · 2^" + value("decode.bits") + " slots · " + value("decode.format")), el("details", { "data-key": "settings" }, el("summary", {}, "All parameters"), el("table", {}, el("tbody", {}, settings.map((x) => row("td", [x.name, foreign(JSON.stringify(x.value))]))))));
}

let matrixRecent = false;
function showMatrix(m, pairs, redraw) {
  if (!m) return;
  const cells = matrixRecent ? m.recent : m.all, heads = [...m.names, ...(m.others ? ['"all others"'] : [])], shown = m.others && !cells[cells.length - 1].some(Boolean) && !cells.some((r) => r[r.length - 1]) ? heads.slice(0, -1) : heads;
  const sums = cells.map((r) => r.reduce((a, b) => a + b, 0)), choice = (text, recent) => el("button", { type: "button", "aria-pressed": String(matrixRecent === recent), click: () => { matrixRecent = recent; redraw(); } }, text);
  const cell = (i, j) => {
    const share = sums[i] ? cells[i][j] / sums[i] : 0, right = i === j && i < m.names.length;
    const node = el("td", { class: right ? "right" : null }, count(cells[i][j]), heads.length > 7 ? null : [el("br"), el("small", {}, percent(share, 0))]);
    node.style.backgroundColor = "rgb(var(--cell) / " + (0.45 * share).toFixed(3) + ")";
    return node;
  };
  fill("matrix", el("div", { class: "head" }, el("h2", {}, "Confusion"), el("div", { class: "choice", role: "group" }, choice("over all", false), choice(m.fading ? "fading" : "last 1,000", true))),
    m.names.length ? table(["label \\ predicted", ...shown.map(label)], shown.map((name, i) => el("tr", {}, el("th", { scope: "row" }, label(name)), shown.map((_, j) => cell(i, j)))), { class: "matrix" }) : el("p", { class: "note" }, "No class is known yet."),
    pairs && pairs.length ? [el("h3", {}, "Taken for another most often"), el("ul", {}, pairs.map((p) => el("li", {}, p.label === "null" ? "one not known" : label(p.label), " as ", p.prediction === "null" ? "none" : label(p.prediction), ": " + count(p.count))))] : null);
}

function showWeights(p) {
  const lists = p.classes.map((c, i) => {
    const most = Math.max(...c.weights.map((w) => Math.abs(w.weight)), 0), moved = (w) => (!p.since ? "" : w.before === null ? "new" : w.weight === w.before ? "=" : signed(w.weight - w.before));
    const bars = el("div", { class: "bars" }, el("span", { class: "h" }, "name"), el("span"), el("span", { class: "h n" }, "weight"), el("span", { class: "h n" }, p.since ? "moved" : ""),
      c.weights.map((w) => [foreign(w.name + (w.shared ? " (shared)" : "")), bar(w.weight, most), el("span", { class: "n" }, number(w.weight)), el("span", { class: "n note" }, moved(w))]),
      el("span", { class: "h" }, "bias"), el("span"), el("span", { class: "n" }, number(c.bias)), el("span"));
    return c.class ? el("details", { "data-key": c.class, open: i < 2 }, el("summary", {}, label(c.class)), bars) : bars;
  });
  fill("weights", el("h2", {}, "Top weights"), p.classes.some((c) => c.weights.length) ? lists : el("p", { class: "note" }, "No weight has a name yet, or the learner has none by name."),
    el("p", { class: "note" }, "As of the checkpoint of seq " + count(p.seq) + (p.since ? "; moved is against " + span((p.at - p.since.at) / 1000) + " earlier" : "") + "."));
}

const sample = (x) => [x.null ? el("p", { class: "note" }, "null") : el("pre", { dir: "auto" }, x.value || " ")];
const where = (x) => "partition " + x.partition + ", offset " + count(x.offset) + (x.time > 0 ? ", " + new Date(x.time).toISOString().replace("T", " ").slice(0, 19) + " UTC" : "") + ", " + bytes(x.size);
function showRejects(rejected, samples) {
  const reasons = Object.entries(rejected).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  fill("rejects", el("h2", {}, "Rejected"), reasons.length ? reasons.map(([reason, n]) => el("details", { "data-key": reason }, el("summary", {}, foreign(reason), el("span", { class: "count" }, count(n))),
    (samples[reason] || []).map((x) => el("div", {}, el("p", { class: "note" }, where(x)), x.error ? el("p", {}, foreign(x.error)) : null, sample(x))),
    samples[reason] ? null : el("p", { class: "note" }, "None since this process began."))) : el("p", { class: "note" }, "Nothing so far."));
}

function showMistakes(mistakes) {
  fill("mistakes", el("h2", {}, "Last mistakes"), mistakes.length ? mistakes.map((x, i) => el("details", { "data-key": String(x.partition) + ":" + x.offset }, el("summary", {}, "said ", label(x.prediction), ", it was ", label(x.label), el("span", { class: "count" }, "score " + number(x.score))),
    el("p", { class: "note" }, where(x)), sample(x))) : el("p", { class: "note" }, "None since this process began."));
}
