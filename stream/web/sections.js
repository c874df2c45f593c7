// Each function shows one part of the page from the data of an event.

// A row's first cell heads it; of a table's head all cells do.
const headRow = (cells) => el("tr", {}, cells.map((c) => el("th", { scope: "col" }, c)));
const row = (cells, attributes) =>
  el("tr", attributes, cells.map((c, i) => (i ? el("td", {}, c) : el("th", { scope: "row" }, c))));
const table = (head, rows, attributes) =>
  el("div", { class: "wide" }, el("table", attributes, el("thead", {}, headRow(head)), el("tbody", {}, rows)));
const pairs = (rows) => el("table", {}, el("tbody", {}, rows.map((r) => row(r))));
const note = (...text) => el("p", { class: "note" }, text);
const title = (text) => el("h2", {}, text);

// fill replaces the content of a section, unless text in it is selected. What is open or scrolled stays so.
function fill(id, ...children) {
  const node = byId(id), mark = document.getSelection();
  if (mark && !mark.isCollapsed && node.contains(mark.anchorNode)) return;
  const open = new Map([...node.querySelectorAll("details")].map((d) => [d.dataset.key, d.open]));
  const scrolled = [...node.querySelectorAll(".wide")].map((x) => [x.scrollLeft, x.scrollTop]);
  node.replaceChildren(...children.flat(9).filter(Boolean));
  for (const d of node.querySelectorAll("details")) d.open = open.get(d.dataset.key) ?? d.open;
  node.querySelectorAll(".wide").forEach((x, i) => { [x.scrollLeft, x.scrollTop] = scrolled[i] || [0, 0]; });
  node.hidden = false;
}

const badge = (kind, text) => el("span", { class: "badge " + kind }, text);
function showHealth(s) {
  const silent = s.predicts && s.predicts.silent_s ? s.predicts.text : "";
  byId("badges").replaceChildren(badge(s.stop ? "bad" : s.state === "live" ? "good" : "", s.state), " ",
    ...(silent ? [badge("bad", "nobody predicts"), " "] : []), s.ready && silent ? "" : badge(s.ready ? "good" : "bad", s.ready ? "healthy" : "not ready"));
  byId("about").replaceChildren(
    s.known ? el("span", {}, foreign(s.learner), " · epoch " + s.epoch + " · seq " + count(s.seq) + " · ") : "", ...(s.predicts && !silent ? [foreign(s.predicts.text), " · "] : []), "up for " + span(s.uptime_s));
  const alarms = silent ? [el("section", { class: "alarm" }, title("Nobody predicts"), el("p", {}, foreign(silent)))] : [];
  if (s.reasons.length) {
    alarms.push(el("section", { class: "alarm" }, title("Not ready"), el("ul", {}, s.reasons.map((r) => el("li", {}, foreign(r))))));
  }
  if (s.young_trouble) {
    alarms.push(el("section", {}, title("Brokers"), el("p", {}, "Outage for " + span(s.young_trouble.for_s) + ": ", foreign(s.young_trouble.text))));
  }
  const notices = s.notices.filter((n) => n !== silent);
  if (notices.length) {
    alarms.push(el("section", {}, title("Notices"), el("ul", {}, notices.map((n) => el("li", {}, foreign(n))))));
  }
  byId("alarm").replaceChildren(...alarms);
  document.title = (!s.ready || silent ? "✗ " : s.young_trouble ? "! " : "") + plain(s.model) + " · Rosenblatt";
}

const tile = (name, value, small) =>
  el("div", {}, el("dt", {}, name), el("dd", {}, value), small ? el("dd", { class: "note" }, small) : null);

function showVerdict(s) {
  byId("verdict").className = "verdict " + (s.predicts && s.predicts.silent_s ? "" : s.verdict.level); // it is about those before
  if (s.known && s.state !== "recovering") fill("verdict", title(s.verdict.title), el("p", {}, s.verdict.text));
  else byId("verdict").hidden = true;
}

// entropy is the log-loss of one who knows only how frequent each label is.
function entropy(cells) {
  const sums = cells.map((r) => r.reduce((a, b) => a + b, 0)), all = sums.reduce((a, b) => a + b, 0);
  return sums.reduce((h, n) => (n ? h - (n / all) * Math.log(n / all) : h), 0);
}
const three = (x) => x.toFixed(3).replace("-", "−");

function showTiles(s) {
  const rejected = Object.values(s.rejected).reduce((a, b) => a + b, 0), read = count(s.read) + " read", tiles = [], follows = s.state === "following";
  if (s.state === "recovering") {
    tiles.push(tile("Journal read", count(s.recovery.done) + " of " + count(s.recovery.total)), tile("Learned again", count(s.recovery.predictions)));
  }
  if (s.known) {
    const labelled = (x) => (s.examples ? percent(x) : "–"), loss = s.figures.last.log_loss, own = s.processing_s;
    const of = (figure, spell = percent) => [s.figures.last10000[figure], s.figures.all[figure]].map((x) => (x === undefined ? "–" : spell(x)));
    const both = (name, figure) => tile(name + ", last 10,000", of(figure)[0], "over all " + of(figure)[1]);
    const cost = s.decision && s.decision.cost;
    if (s.of_alerts) tiles.push(both("Precision", "precision"), tile("Recall", "–", "labels are known for alerts alone"));
    else if (s.rare) tiles.push(both("Precision", "precision"), both("Recall", "recall"),
      cost && cost.last10000 !== undefined ? tile("Cost of 1,000 events, last 10,000", number(cost.last10000), "over all " + number(cost.all) + ", without an alarm " + number(cost.never)) : null,
      tile("Average precision, last 10,000", of("average_precision", three)[0], "by chance " + of("positives", three)[0]));
    else tiles.push(tile("Accuracy, last 1,000", labelled(s.figures.last.accuracy), s.examples ? "over all " + percent(s.accuracy) : "no label seen yet"));
    tiles.push(
      loss ? tile("Log-loss, last 1,000", three(loss), s.matrix ? "label frequencies alone: " + three(entropy(s.matrix.recent)) : "0 is best") : null,
      follows ? tile("Learned along/s", rate(s.learned_per_s || 0), count(s.predictions) + " predictions in all") : tile("Predictions/s", rate(s.predictions_per_s), count(s.predictions) + " in all" + (s.untrained ? "; " + count(s.untrained) + " before any label, in no figure" : "")),
      follows ? tile("Latency", "follows", s.predicts && s.predicts.silent_s ? "nobody predicts" : "another daemon predicts") : tile("Latency", s.latency_s ? span(s.latency_s.p50) : "–",
        s.latency_s ? "99 % within " + span(s.latency_s.p99) + (own ? "; in this process " + span(own.p99) : "") : "no prediction in 10 s"),
      s.lag === null ? tile("Lag", "unknown", s.stop ? "the model has stopped" : "the brokers are away") : tile("Lag", count(s.lag), s.last_stable_offset_lag ? count(s.last_stable_offset_lag) + " behind an open transaction" : s.lag ? "records to read" : "none waiting"),
      s.labels ? tile("Waiting for labels", count(s.labels.waiting), s.labels.waiting ? "the oldest for " + span(s.labels.oldest_s) : "none") : null,
      tile("Rejected", count(rejected), (rejected ? percent(rejected / s.read) + " of " : "of ") + read));
  }
  byId("tiles").replaceChildren(...tiles.filter(Boolean));
}

const fewPartitions = 8; // all are shown; of more, those with the largest lag, and the others on demand
function showInput(s) {
  const most = Math.max(1000, ...s.partitions.map((p) => p.lag)), stable = s.last_stable_offset_lag;
  const length = (lag) => svg("svg", { viewBox: "0 0 100 10", width: 80, height: 8, preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "minus", width: (100 * lag) / most, height: 10 }));
  const cells = (p) => [p.partition, rate(p.records), count(p.position), count(p.end), p.lag === null ? "unknown" : count(p.lag), stable ? count(p.last_stable_offset_lag) : null, length(p.lag)];
  const head = ["partition", "records/s", "position", "end", "lag", stable ? "behind an open transaction" : null, ""].filter((c) => c !== null);
  const list = (of, kind = "even") => table(head, of.map((p) => row(cells(p).filter((c) => c !== null))), { class: kind });
  const all = s.partitions.map((p, i) => ({ ...p, records: s.records_per_s[i] || 0 })), more = all.length > fewPartitions;
  const behind = more ? [...all].sort((a, b) => b.lag - a.lag || a.partition - b.partition).slice(0, fewPartitions) : all;
  const failed = s.offset_commit_failures ? ", " + count(s.offset_commit_failures) + " commits of group offsets failed" : "";
  fill("input", title("Input" + (more ? ": the " + fewPartitions + " partitions with the largest lag of " + count(all.length + s.hidden_partitions) : "")), list(behind),
    more ? el("details", { "data-key": "partitions" }, el("summary", {}, s.hidden_partitions ? count(all.length) + " partitions" : "All partitions"), list(all, "even tall")) : null,
    s.hidden_partitions ? note(count(s.hidden_partitions) + " more partitions are listed at ", el("a", { href: "status" }, "/status"), ".") : null,
    s.partitions.some((p) => p.end + p.lag) ? null : note("The topic has no records yet."),
    note("Position: the next offset to read. End: the offset up to which there are records to read (the last stable offset). Lag: offsets from the position to the high watermark."),
    note(many(s.read, "record") + " read, " + many(s.tombstones, "null") + " skipped, " + many(s.acknowledged, "prediction") + " acknowledged to this process" + failed + "."));
}

const outcomes = {
  labelled: "its label came", assumed: "no label came in time, which stands for one", expired: "no label came in time",
  evicted: "too many waited", gone: "its label came when the event had left the input", duplicate: "its id was known before",
};
const kinds = (map) => Object.entries(map).filter(([, n]) => n).map(([name, n]) => name + " " + count(n)).join(", ");
const bound = (s) => (s < 60 ? s + " s" : s < 3600 ? s / 60 + " min" : s < 86400 ? s / 3600 + " h" : s / 86400 + " d");

// showDelays draws how many labels came within each bound, from the first one to the last one that any did.
function showDelays(d) {
  const n = d.counts, most = Math.max(...n), all = n.reduce((a, b) => a + b, 0), used = n.flatMap((x, i) => (x ? [i] : []));
  if (!all) return note("No label of an event has come yet.");
  const name = (i) => (i === d.bounds_s.length ? "longer" : d.bounds_s[i] ? "up to " + bound(d.bounds_s[i]) : "not later");
  const right = (text, kind = "n") => el("span", { class: kind }, text);
  const lines = [];
  for (let i = used[0]; i <= used[used.length - 1]; i++) lines.push([name(i), measure(n[i], most), right(count(n[i])), right(percent(n[i] / all, 1), "n note")]);
  return [el("h3", {}, "How much later than their events labels came"), el("div", { class: "bars" }, lines),
    note(d.mean_s < 0 ? "" : "On average " + span(d.mean_s) + ".")];
}

function showLabels(s, l) {
  const of = Object.entries(l.outcomes).filter(([kind, n]) => n || kind === "labelled").sort((a, b) => b[1] - a[1]), all = of.reduce((a, [, n]) => a + n, 0);
  const waiting = l.waiting ? many(l.waiting, "prediction") + (l.waiting === 1 ? " waits" : " wait") + " for a label, by the clock the oldest for " + span(l.oldest_s) + ". By the times of labels they wait for " + bound(l.wait_s) + " at most." : "No prediction waits for a label.";
  const time = l.time_s === null ? " No label has been read yet." : " The labels topic is read up to " + span(l.time_s) + " ago.";
  const held = l.held_partitions ? " " + many(l.held_partitions, "partition") + " of it: a label is ahead of its event." : "";
  const rejected = kinds(l.rejected), shown = l.partitions.map((p) => row([p.partition, count(p.position), count(p.end), p.lag === null ? "unknown" : count(p.lag)]));
  fill("labels", title("Labels that come later"), l.stalled ? el("p", { class: "down" }, "Labels stand still: nothing is given up before later ones come.") : null,
    el("p", {}, waiting + time + held),
    table(["outcome", "predictions", "share"], of.map(([kind, n]) => row([kind + ": " + outcomes[kind], count(n), all ? percent(n / all, 1) : "–"]))),
    showDelays(l.delays),
    el("h3", {}, "Labels topic"), table(["partition", "position", "end", "lag"], shown, { class: shown.length > fewPartitions ? "even tall" : "even" }),
    s.hidden_label_partitions ? note(count(s.hidden_label_partitions) + " more partitions are listed at ", el("a", { href: "status" }, "/status"), ".") : null,
    note(many(l.read, "label record") + " read, " + count(l.repeats) + " repeated, " + many(l.tombstones, "null") + " skipped, " + (rejected ? "rejected: " + rejected : "none rejected") + ". "
      + (l.events_without_id ? many(l.events_without_id, "event") + " without an id or a label." : "")));
}

const baselines = { "no-change": "no-change (the label before)", majority: "majority (the label seen most)" };
function showScores(s) {
  const each = (r, figure, spell = (x) => percent(x)) => ["all", "last", "last10000", "fading"].map((scope) => {
    const x = r.figures[scope][figure];
    return x === undefined ? "–" : spell(x);
  });
  const heading = title("Figures" + (s.class_count ? " (" + count(s.class_count) + " classes so far)" : ""));
  if (!s.examples) return fill("scores", heading, note("No label seen yet."));
  const line = (text, figure, spell) => (s.figures.all[figure] === undefined ? null : row([text, ...each(s, figure, spell)]));
  const found = [line("precision", "precision"), line("recall", "recall"), line("F1", "f1")];
  const average = [line("average precision (AP)", "average_precision", three), line("share of positives: AP by chance", "positives", three)];
  const first = s.rare ? [...found, ...average] : [];
  fill("scores", heading,
    table(["", "over all", "last 1,000", "last 10,000", "fading"], [first,
      row(["accuracy", ...each(s, "accuracy")], { class: "model" }),
      s.baselines.map((r) => row([baselines[r.name] || r.name, ...each(r, "accuracy")])),
      line("balanced accuracy", "balanced_accuracy"), s.rare ? null : found,
      line("specificity", "specificity"), line("weighted precision", "weighted_precision"), line("weighted F1", "weighted_f1"),
      line("Matthews correlation", "matthews", three), line("kappa", "kappa", three), line("AUC", "roc_auc", three),
      s.rare ? null : average,
      line("share predicted positive", "predicted_positives", three), line("loss of the perceptron", "loss", number),
      line("log-loss", "log_loss", three),
      s.figures.all.log_loss && s.matrix ? row(["log-loss of the label frequencies alone", three(entropy(s.matrix.all)), three(entropy(s.matrix.recent)), "", ""]) : null,
      line("Brier score", "brier", three), line("calibration error", "calibration_error", three),
      line("expected positives over positives", "expected_positives", three)], { class: "figures" }),
    s.of_alerts ? note("Labels are known for alerts alone: these figures are of alerts. Recall, specificity and accuracy say nothing of the other predictions.") : null,
    s.rule_since ? note("The rule was changed behind seq " + count(s.rule_since) + ". Figures over all and fading ones are of both rules, as are those of the latest until as many labels have come since.") : null,
    note("Each prediction was made before its label was learned: " + many(s.mistakes, "mistake") + " and " + many(s.updates, "update") + " in " + many(s.examples, "labelled example") + "."));
}

// showDecision says from which score on positive is predicted, what that is to reach, and what it has reached.
function showDecision(s) {
  const d = s.decision;
  if (!d) return;
  const r = d.reached, c = d.cost, spell = (x) => (x === undefined ? "–" : percent(x, 1)), each = (x) => (x === undefined ? "–" : number(x));
  const cut = d.rule === "sign" ? "Positive is predicted from score 0 on." : d.waits ? ["Until more is known, positive is predicted from score 0 on: ", foreign((d.lacks || []).map((x) => x.text).join(", ")), "."]
    : d.threshold === undefined ? "All scores have one probability now." : "Positive is predicted from score " + number(d.threshold) + " on.";
  fill("decision", title("Decisions by " + d.rule), el("p", {}, cut),
    r ? table(["", "target", "last " + count(r.last_count), "of all " + count(r.count)], [row([d.rule.split("=")[0], spell(d.target), spell(r.last), spell(r.all)], { class: "model" })]) : null,
    c ? table(["cost of 1,000 events", "last 10,000", "over all"], [row(["predictions", each(c.last10000), each(c.all)], { class: "model" }),
      row(["always positive", "", each(c.always)]), row(["never positive", "", each(c.never)])]) : null,
    d.calibration === "none" ? null : note("The log-odds of a score are calibrated: " + number(d.slope) + " · score + " + number(d.offset) + "."));
}

// showDrift has the latest drifts of the mistakes, the newest first.
function showDrift(s) {
  const d = s.drift, cost = d && d.rule.endsWith("of=cost"), spell = (x) => (cost ? number(x) : percent(x, 1));
  if (!d || !d.examples) return;
  const rows = [...d.list].reverse().map((x) => row([count(d.examples - x.example), spell(x.before), spell(x.after), count(x.newer)]));
  fill("drift", title("Drifts"),
    rows.length ? table(["examples ago", "before", "then", "of the newest"], rows) : null,
    note((rows.length ? "" : "None so far. ") + "Since the latest change, " + count(d.window) + " examples ago, "
      + (cost ? "a mistake costs on average " + number(d.mean) + " of the dearer one" : spell(d.mean) + " of the predictions were wrong") + ". "
      + many(d.drifts, "drift") + " in " + many(d.changes, "detected change") + ": the others were no rise, or a small one."
      + (d.resets ? " At a drift the learner begins anew." : "")));
}

// showClasses has the figures of each of several classes.
function showClasses(s) {
  if (!s.by_class) return;
  const hidden = s.class_count - s.by_class.length, spell = (x) => (x === undefined ? "–" : percent(x, 1));
  fill("classes", title("Classes"),
    table(["class", "examples", "precision", "recall", "F1"], s.by_class.map((c) => {
      const all = c.figures.all, last = c.figures.last10000;
      return row([foreign(c.class), count(all.support), ...["precision", "recall", "f1"].map((f) => [spell(all[f]), el("br"), el("small", {}, spell(last[f]))])]);
    }), { class: s.by_class.length > fewPartitions ? "tall" : null }),
    note("Over all, and below it over the last 10,000.", hidden > 0 ? [" " + many(hidden, "more class").replace("classs", "classes") + " at ", el("a", { href: "status" }, "/status"), "."] : null));
}

// showLearners has the champion and its challengers, by what each would have predicted.
function showLearners(s) {
  if (!s.learners) return;
  const spell = (x, f = (x) => percent(x, 1)) => (x === undefined ? "–" : f(x));
  const verdict = (c) => !c ? "its predictions are published" : c.low === undefined ? "too few examples to say"
    : [c.better ? plain(c.better) + " is better" : "no difference is shown", el("br"), el("small", {}, signed(1000 * c.difference) + " (" + signed(1000 * c.low) + " to " + signed(1000 * c.high) + ")")];
  const costs = s.learners.some((l) => l.comparison && l.comparison.of === "cost"), last = s.promotions && s.promotions[s.promotions.length - 1];
  const two = (l, figure) => [spell(l.figures.all[figure]), el("br"), el("small", {}, spell(l.figures.last10000[figure]))];
  fill("learners", title("Learners"),
    table(["", "learner", "examples", "accuracy", "precision", "recall", "against the champion"], s.learners.map((l) =>
      row([[l.champion ? el("b", {}, foreign(l.name)) : foreign(l.name), l.since ? el("small", {}, " since seq " + count(l.since)) : null],
        foreign(l.learner), count(l.examples), two(l, "accuracy"), two(l, "precision"), two(l, "recall"), l.suspended ? ["stopped: ", foreign(l.suspended)] : verdict(l.comparison)]))),
    note("All learn from the same events, and only the first one's predictions are published. Figures are over all, and below over the last 10,000. The last column says how "
      + (costs ? "much more 1,000 events cost by" : "many more mistakes in 1,000 events come from") + " the champion than " + (costs ? "by" : "from") + " this one, with the 95 % interval."),
    last ? note("Promoted last: ", foreign(last.to), " in place of ", foreign(last.from), " from seq " + count(last.seq) + " on. What was published goes on in the figures above.") : null);
}

// showSlices has the decisions by the values of some fields, those with most mistakes first.
function showSlices(s) {
  if (!s.slices) return;
  const spell = (x) => (x === undefined ? "–" : percent(x, 1));
  fill("slices", title("By field"),
    table(["", "examples", "mistakes", "precision", "recall"], s.slices.map((x) =>
      row([[foreign(x.field), " = ", foreign(x.value)], count(x.examples), count(x.mistakes), spell(x.figures.precision), spell(x.figures.recall)])),
    { class: s.slices.length > fewPartitions ? "tall" : null }),
    note("Over all since these fields are counted, most mistakes first.", s.hidden_slices ? [" " + many(s.hidden_slices, "more value") + " at ", el("a", { href: "status" }, "/status"), "."] : null));
}

function showCheckpoint(s) {
  const c = s.checkpoint;
  fill("checkpoint", title("Checkpoint"), note(c.age_s === null ? "This process has saved none yet." : span(c.age_s) + " old, up to seq " + count(c.seq) + ": "
      + bytes(c.bytes) + ", written in " + span(c.duration_s) + ". This process saved " + count(c.saved) + ", " + count(c.failed) + " failed."),
    c.error ? el("p", { class: "down" }, "The last one failed: ", foreign(c.error)) : null);
  if (!s.accepted.length) return;
  fill("accepted", title("Accepted stops"), el("ul", {}, s.accepted.map((a) =>
    el("li", {}, el("b", {}, a.name), " after seq " + count(a.seq) + ", epoch " + a.epoch + ": ", foreign(a.what)))));
}

function showSettings(learner, settings) {
  const value = (name) => (settings.find((x) => x.name === name) || {}).value;
  fill("model", title("Model"),
    el("p", {}, foreign(learner), " · scale " + (value("learner.scale") || "none") + " · 2^" + value("decode.bits") + " slots · " + value("decode.format")),
    el("details", { "data-key": "settings" }, el("summary", {}, "All parameters"),
      pairs(settings.map((x) => [x.name, foreign(JSON.stringify(x.value))]))));
}

// placeholder is an event of the model's format, to show how one is written.
function placeholder(settings) {
  const value = (name) => (settings.find((x) => x.name === name) || {}).value;
  const json = '{"features":{"price":0.056,"market":"vic"}}';
  return { json, avro: json, protobuf: json, libsvm: "3:0.5 7:1", vw: "|shop price:0.056 vic" }[value("decode.format")]
    || (value("decode.columns") || []).join(",");
}

let matrixRecent = false;
function showMatrix(m, mistaken, redraw) {
  byId("matrix").hidden = !m || !m.all.flat().some((n) => n);
  if (byId("matrix").hidden) return;
  const cells = matrixRecent ? m.recent : m.all, sums = cells.map((r) => r.reduce((a, b) => a + b, 0));
  const others = m.others && cells.some((r, i) => r[r.length - 1] || i === cells.length - 1 && sums[i]);
  const heads = [...m.names, ...(others ? ['"all others"'] : [])], dense = heads.length > 7;
  const choice = (text, recent) =>
    el("button", { type: "button", "aria-pressed": String(matrixRecent === recent), click: () => { matrixRecent = recent; redraw(); } }, text);
  const cell = (i, j) => {
    const share = sums[i] ? cells[i][j] / sums[i] : 0, right = i === j && i < m.names.length;
    const node = dense ? el("td", { class: right ? "right" : null, title: count(cells[i][j]) }, compact(cells[i][j]))
      : el("td", { class: right ? "right" : null }, count(cells[i][j]), el("br"), el("small", {}, percent(share, 0)));
    node.style.backgroundColor = "rgb(var(--cell) / " + (0.45 * share).toFixed(3) + ")";
    return node;
  };
  const rows = heads.map((name, i) => el("tr", {}, el("th", { scope: "row" }, label(name)), heads.map((_, j) => cell(i, j))));
  const taken = (p) => el("li", {}, p.label === "null" ? "one not known" : label(p.label), " as ", p.prediction === "null" ? "none" : label(p.prediction), ": " + count(p.count));
  fill("matrix", el("div", { class: "head" }, title("Confusion"),
    el("div", { class: "choice", role: "group" }, choice("over all", false), choice(m.fading ? "fading" : "last 1,000", true))),
    m.names.length ? table(["label \\ predicted", ...heads.map(label)], rows, { class: dense ? "matrix dense" : "matrix" }) : note("No class is known yet."),
    mistaken && mistaken.length ? [el("h3", {}, "Taken for another most often"), el("ul", {}, mistaken.map(taken))] : null);
}

function showWeights(p) {
  const moved = (w) => (!p.since ? "" : w.before === null ? "new" : w.weight === w.before ? "=" : signed(w.weight - w.before));
  const lists = p.classes.map((c, i) => {
    const most = Math.max(...c.weights.map((w) => Math.abs(w.weight)), 0), right = (text, kind = "n") => el("span", { class: kind }, text);
    const bars = el("div", { class: "bars" }, right("name", "h"), el("span"), right("weight", "h n"), right(p.since ? "moved" : "", "h n"),
      c.weights.map((w) => [foreign(w.name + (w.shared ? " (shared)" : "")), bar(w.weight, most), right(number(w.weight)), right(moved(w), "n note")]),
      right("bias", "h"), el("span"), right(number(c.bias)), el("span"));
    return c.class ? el("details", { "data-key": c.class, open: i < 2 }, el("summary", {}, label(c.class)), bars) : bars;
  });
  const named = p.classes.some((c) => c.weights.length);
  const against = named && p.since ? "; moved is against " + span((p.at - p.since.at) / 1000) + " earlier" : "";
  fill("weights", title("Top weights"),
    named ? lists : note("No weight has a name yet, or the learner has none by name."),
    note("As of the checkpoint of seq " + count(p.seq) + against + "."));
}

const sample = (x) => (x.null ? note("null") : el("pre", { dir: "auto" }, x.value || " "));
function where(x) {
  const time = x.time > 0 ? ", " + new Date(x.time).toISOString().replace("T", " ").slice(0, 19) + " UTC" : "";
  return note("partition " + x.partition + ", offset " + count(x.offset) + time + ", " + bytes(x.size));
}

// An opened entry is not replaced until it is closed; only its count is updated.
function showRejects(rejected, samples) {
  const reasons = Object.entries(rejected).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const held = new Map([...byId("rejects").querySelectorAll("details[open]")].map((d) => [d.dataset.key, d]));
  fill("rejects", title("Rejected"), reasons.length ? reasons.map(([reason, n]) => {
    const old = held.get(reason);
    if (old) {
      old.querySelector(".count").textContent = count(n);
      return old;
    }
    const shown = (samples[reason] || []).map((x) => el("div", {}, where(x), x.error ? el("p", {}, foreign(x.error)) : null, sample(x)));
    return el("details", { "data-key": reason }, el("summary", {}, foreign(reason), el("span", { class: "count" }, count(n))),
      shown.length ? shown : note("None since this process began."));
  }) : note("Nothing so far."));
}

function showMistakes(mistakes) {
  if (byId("mistakes").querySelector("details[open]")) return;
  fill("mistakes", title("Last mistakes"), mistakes.length ? mistakes.map((x) =>
    el("details", { "data-key": x.partition + ":" + x.offset },
      el("summary", {}, "predicted ", label(x.prediction), ", label ", label(x.label), el("span", { class: "count" }, "score " + number(x.score))),
      where(x), sample(x))) : note("None among the predictions of this process."),
    mistakes.length ? note("The list is not updated while one is open.") : null);
}

// What the first events held, and what is most likely a mistake.
function showFirst(f) {
  const rows = f.fields.map((x) => row([foreign(x.name), x.kind, count(x.distinct) + (x.distinct >= 1000 ? "+" : ""), foreign(x.example), foreign(x.becomes)]));
  fill("first", title("Fields of the first " + many(f.events, "event")),
    f.warnings.length ? el("ul", {}, f.warnings.map((w) => el("li", {}, el("b", {}, foreign(w.field)), ": ", foreign(w.text)))) : null,
    el("details", { "data-key": "fields" }, el("summary", {}, many(f.labelled, "label") + ", " + count(f.rejected) + " rejected"),
      table(["field", "kind", "distinct", "example", "becomes"], rows), f.hidden_fields ? note(many(f.hidden_fields, "more field") + ".") : null),
    note("Those that this process read first."));
}

// showFields has what fields hold now, beside what they held before and in the reference.
function showFields(f) {
  if (!f.events) return;
  const share = (x) => (x === null || x === undefined ? "–" : percent(x, 1));
  const shift = (x) => (x === undefined ? "–" : el("span", { class: x > 0.25 ? "down" : null }, three(x) + (x > 0.25 ? " large" : x >= 0.1 ? " some" : "")));
  const held = (text) => el("small", {}, foreign(text));
  fill("fields", title("Fields, now and before"),
    f.fields.length ? table(["field", "", "events with it", "shift", "from reference", "new words", "now", "before", "reference"], f.fields.map((x) =>
      row([foreign(x.name), x.alert ? badge("bad", x.alert) : "", percent(x.present, 1), shift(x.shift.before), shift(x.shift.reference), share(x.new_words), held(x.now), held(x.was), held(x.reference)])),
    { class: f.fields.length > fewPartitions ? "tall fields" : "fields" }) : note("No field has been profiled yet."),
    f.changes.length ? el("ul", { class: "changes" }, f.changes.map((x) =>
      el("li", {}, foreign(x.name), " changed" + x.between + ": ", foreign(x.text), "; ", x.until ? "usual again, or as before, at " + x.until + "." : badge("bad", "alerts")))) : null,
    note("Of " + many(f.events, "profiled event") + ": the newest " + count(f.window) + ", up to thirty times as many before, and the first of them or what was given as the reference. "
      + (f.before ? "" : "Nothing is compared yet. ") + "First those that alert, then by shift times the field's part in the scores. Under 0.1 a shift is none, over 0.25 it is large.",
      f.hidden ? [" " + many(f.hidden, "more field") + " at ", el("a", { href: "profile" }, "/profile"), "."] : null));
}
