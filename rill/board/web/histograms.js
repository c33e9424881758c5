// The page of histograms: one behind the other by steps, or over each other.
import * as api from "./api.js";
import {choice, el, number, replace} from "./dom.js";
import {Plot} from "./plot.js";
import {state, themeColor} from "./state.js";
import {cardHead, runLine, taggedPage} from "./tagged.js";

const BINS = 40, MOST = 50;
let mode = "offset", axis = "step";

// Counts in bins of equal width, each bucket spread over those that it covers.
function binned(buckets, low, high) {
  const counts = new Array(BINS).fill(0), width = (high - low) / BINS;
  for (const [left, right, count] of buckets) {
    if (!count) continue;
    if (!(right > left)) {
      counts[Math.max(0, Math.min(BINS - 1, Math.floor((left - low) / width)))] += count;
      continue;
    }
    const first = Math.max(0, Math.floor((left - low) / width)), last = Math.min(BINS - 1, Math.floor((right - low) / width));
    for (let bin = first; bin <= last; ++bin) {
      const from = Math.max(left, low + bin * width), to = Math.min(right, low + (bin + 1) * width);
      if (to > from) counts[bin] += count * (to - from) / (right - left);
    }
  }
  return counts;
}

class Ridges {
  constructor(color) {
    this.canvas = el("canvas", {role: "img"});
    this.node = el("div", {class: "chart"}, this.canvas);
    this.plot = new Plot(this.canvas);
    this.plot.margin = {left: 12, right: 54, top: 10, bottom: 24};
    this.color = color;
    this.rows = [];
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
    this.canvas.addEventListener("pointermove", (event) => this.point(event));
    this.canvas.addEventListener("pointerleave", () => { this.chosen = -1; this.draw(); });
  }

  show(rows) {
    // Buckets of nothing at the ends reach as far as numbers do.
    this.rows = rows.map(([wall, step, buckets]) => {
      const full = buckets.map((bucket) => bucket[2] > 0);
      return [wall, step, buckets.slice(Math.max(full.indexOf(true), 0), full.lastIndexOf(true) + 1)];
    }).filter(([, , buckets]) => buckets.length);
    let low = Infinity, high = -Infinity;
    for (const [, , buckets] of this.rows) {
      low = Math.min(low, buckets[0][0]);
      high = Math.max(high, buckets.at(-1)[1]);
    }
    if (!(high > low)) [low, high] = [low - 0.5, high + 0.5];
    this.range = [low, high];
    this.counts = this.rows.map(([, , buckets]) => binned(buckets, low, high));
    this.draw();
  }

  base(i) {
    const {height, margin} = this.plot;
    if (mode === "overlay") return height - margin.bottom;
    const n = this.rows.length, top = margin.top + (height - margin.top - margin.bottom) * 0.35, bottom = height - margin.bottom;
    if (n < 2) return bottom;
    const at = axis === "step" ? (i) => this.rows[i][1] : (i) => this.rows[i][0];
    const part = at(n - 1) > at(0) ? (at(i) - at(0)) / (at(n - 1) - at(0)) : i / (n - 1);
    return top + part * (bottom - top);
  }

  draw() {
    if (!this.rows.length || !this.plot.begin()) return;
    const c = this.plot.context, {width, height, margin} = this.plot;
    const most = Math.max(...this.counts.flat(), 1e-12);
    this.plot.setAxes(this.range, [0, most]);
    const tall = mode === "overlay" ? height - margin.top - margin.bottom : (height - margin.top - margin.bottom) * 0.35;
    c.font = "11px system-ui, sans-serif";
    c.fillStyle = themeColor("--soft");
    c.textAlign = "center";
    for (const value of [0, 0.25, 0.5, 0.75, 1].map((part) => this.range[0] + part * (this.range[1] - this.range[0])))
      c.fillText(number(value, 3), Math.min(Math.max(this.plot.x.place(value), 24), width - margin.right), height - 8);
    this.counts.forEach((counts, i) => {
      const base = this.base(i), part = this.counts.length < 2 ? 1 : i / (this.counts.length - 1);
      c.beginPath();
      c.moveTo(this.plot.x.place(this.range[0]), base);
      counts.forEach((count, bin) => c.lineTo(this.plot.x.place(this.range[0] + (bin + 0.5) / BINS * (this.range[1] - this.range[0])), base - count / most * tall));
      c.lineTo(this.plot.x.place(this.range[1]), base);
      const isChosen = i === this.chosen;
      if (mode === "offset") {
        c.fillStyle = this.color;
        c.globalAlpha = isChosen ? 1 : 0.25 + 0.6 * part;
        c.fill();
      }
      c.globalAlpha = isChosen ? 1 : mode === "offset" ? 0.8 : 0.2 + 0.7 * part;
      c.strokeStyle = mode === "offset" && !isChosen ? themeColor("--back") : this.color;
      c.lineWidth = isChosen ? 2.2 : 1;
      c.stroke();
      c.globalAlpha = 1;
    });
    c.fillStyle = themeColor("--soft");
    c.textAlign = "left";
    const shown = this.chosen >= 0 ? [this.chosen] : mode === "offset" ? [0, this.rows.length - 1] : [];
    for (const i of shown) c.fillText(axis === "step" ? String(this.rows[i][1]) : new Date(this.rows[i][0] * 1000).toLocaleTimeString(), width - margin.right + 4, this.base(i));
  }

  point(event) {
    if (!this.rows.length || mode === "overlay") return;
    const y = event.clientY - this.canvas.getBoundingClientRect().top;
    let best = 0;
    this.rows.forEach((_, i) => { if (Math.abs(this.base(i) - 6 - y) < Math.abs(this.base(best) - 6 - y)) best = i; });
    this.chosen = best;
    this.draw();
  }
}

function makeCard(one) {
  const ridges = new Ridges(state.color(one.run)), problem = el("div", {class: "small warn"});
  const load = async () => {
    try {
      ridges.show(await api.get("data/plugin/histograms/histograms", {run: one.run, tag: one.tag, most: MOST}));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return {node: el("article", {class: "card"}, cardHead(one), runLine(one), problem, ridges.node), load, close: () => ridges.observer.disconnect()};
}

export function open(host, side) {
  return taggedPage(host, side, {plugin: "histograms", nothing: ["No histograms yet", "tf.summary.histogram writes some."], makeCard,
    settings: (page) => el("fieldset", {}, el("legend", {}, "Histograms"),
      choice("Mode", [["offset", "Offset"], ["overlay", "Overlay"]], mode, (value) => { mode = value; page.restyle(); }), el("p"),
      choice("Offset by", [["step", "Step"], ["wall", "Time"]], axis, (value) => { axis = value; page.restyle(); }))});
}
