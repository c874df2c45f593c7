// What comes from elsewhere becomes text nodes and attribute values only, never markup. Controls and marks that turn the
// direction of writing are shown by number.
const hidden = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;
const plain = (s) => String(s).replace(hidden, (c) => (c === "\n" || c === "\t" ? c : "\\u{" + c.codePointAt(0).toString(16) + "}"));
const byId = (id) => document.getElementById(id);

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(9).filter((c) => c !== null && c !== undefined && c !== false).map((c) => (c instanceof Node ? c : plain(c))));
  return node;
}
const el = (tag, attributes, ...children) => put(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => put(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
// A label comes as JSON: a string stands here without its quotes. One that was cut short is shown as it is.
function label(json) {
  try {
    const v = JSON.parse(json);
    return foreign(typeof v === "string" ? v : json);
  } catch {
    return foreign(json);
  }
}
const foreign = (s) => el("bdi", {}, s); // its direction of writing ends with it

const count = (n) => Math.round(n).toLocaleString("en");
const percent = (x, digits = 2) => (100 * x).toFixed(digits) + " %";
const compact = (n) => new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(n);
const many = (n, word) => count(n) + " " + word + (n === 1 ? "" : "s");
const rate = (x) => (x < 10 ? x.toFixed(1) : count(x));
const number = (x) => (x === 0 ? "0" : Math.abs(x) >= 1e5 || Math.abs(x) < 1e-3 ? x.toExponential(2) : String(+x.toPrecision(4))).replace(/-/g, "−");
const signed = (x, spell = number) => (x < 0 ? "−" : "+") + spell(Math.abs(x));

function bytes(n) {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let i = 0;
  for (; n >= 1000 && i < units.length - 1; i++) n /= 1000;
  return (i ? n.toFixed(1) : n) + " " + units[i];
}

function span(s) {
  if (s < 1) return +(1000 * Math.max(0, s)).toFixed(s < 0.01 ? 1 : 0) + " ms";
  if (s < 60) return (s < 10 ? s.toFixed(1) : Math.floor(s)) + " s";
  if (s < 3600) return Math.floor(s / 60) + " min" + (s < 600 ? " " + Math.floor(s % 60) + " s" : "");
  if (s < 86400) return Math.floor(s / 3600) + " h " + Math.floor((s % 3600) / 60) + " min";
  return Math.floor(s / 86400) + " d " + Math.floor((s % 86400) / 3600) + " h";
}

// Round steps for an axis: at most so many between two values.
function steps(from, to, most) {
  const raw = (to - from || 1) / most, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((m) => m * power >= raw * 0.999) * power;
  const out = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + step * 1e-9; i++) out.push(i * step + 0);
  return out;
}

// curve draws lines over time into box. t: {points: [[ms, ...]], every_ms, keep}; lines: [{column, name}]. A young one is wider.
// Where the marked column grows, there is a mark on the first line.
function curve(box, t, lines, spell, bounds, title, marked) {
  const w = Math.max(240, box.clientWidth), h = Math.max(60, box.clientHeight), left = 52, right = 8, top = 8, bottom = 22;
  const every = t.every_ms, end = t.points[t.points.length - 1][0];
  const start = Math.max(end - every * (t.keep - 1), Math.min(t.points[0][0], end - 60 * every));
  const seen = t.points.filter((p) => p[0] >= start), values = seen.flatMap((p) => lines.map((l) => p[l.column])).filter((v) => v !== null);
  const [low, high] = values.length ? bounds(Math.min(...values), Math.max(...values)) : [0, 1];
  const x = (at) => left + ((at - start) / (end - start)) * (w - left - right), y = (v) => h - bottom - ((v - low) / (high - low)) * (h - top - bottom);
  const parts = [];
  for (const v of steps(low, high, h > 120 ? 6 : 3)) {
    parts.push(svg("line", { class: "grid", x1: left, x2: w - right, y1: y(v), y2: y(v) }), svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, spell(v)));
  }
  const [, unit, name] = [[180, 1, "s"], [5400, 60, "min"], [180000, 3600, "h"], [Infinity, 86400, "d"]].find(([most]) => (end - start) / 1000 < most);
  for (const back of steps(0, (end - start) / 1000 / unit, w > 500 ? 6 : 3)) {
    const at = x(end - back * unit * 1000), last = back < 1e-9;
    parts.push(svg("line", { class: "axis", x1: at, x2: at, y1: h - bottom, y2: h - bottom + 4 }));
    parts.push(svg("text", { x: at, y: h - 5, "text-anchor": last ? "end" : at < left + 20 ? "start" : "middle" }, last ? "now" : "−" + +back.toFixed(2) + " " + name));
  }
  parts.push(svg("line", { class: "axis", x1: left, x2: w - right, y1: h - bottom, y2: h - bottom }));
  for (const l of [...lines].reverse()) { // the first one is on top
    let d = "", before = -Infinity;
    for (const p of seen.filter((p) => p[l.column] !== null)) {
      d += (p[0] - before > 4 * every ? "M" : "L") + x(p[0]).toFixed(1) + " " + y(p[l.column]).toFixed(1);
      before = p[0];
    }
    if (d) parts.push(svg("path", { class: "line s-" + l.name, d }));
  }
  for (const [i, p] of seen.entries()) {
    if (!i || marked === undefined || !(p[marked] > seen[i - 1][marked]) || p[lines[0].column] === null) continue;
    parts.push(svg("circle", { class: "drift", cx: x(p[0]).toFixed(1), cy: y(p[lines[0].column]).toFixed(1), r: 5 },
      svg("title", {}, "drift, " + span((end - p[0]) / 1000) + " ago")));
  }
  box.replaceChildren(svg("svg", { viewBox: "0 0 " + w + " " + h, role: "img", "aria-label": title }, parts));
}

// bar shows a value by its length to the left or right of the middle.
function bar(value, most) {
  const length = most ? (50 * Math.abs(value)) / most : 0;
  return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: value < 0 ? "minus" : "plus", x: value < 0 ? 50 - length : 50, y: 1, width: length, height: 8 }),
    svg("line", { class: "middle", x1: 50, x2: 50, y1: 0, y2: 10, "vector-effect": "non-scaling-stroke" }));
}

// measure shows a count by its length from the left.
function measure(value, most) {
  return svg("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
    svg("rect", { class: "plus", x: 0, y: 1, width: most ? (100 * value) / most : 0, height: 8 }));
}
