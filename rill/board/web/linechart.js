// Lines over steps or time: hover tells values, dragging zooms, a double click shows all again.
import {clock, duration, el, number} from "./dom.js";
import {Plot} from "./plot.js";
import {themeColor} from "./state.js";

const MOST_TOLD = 24;  // runs in the box beside the pointer

let tip = null;
function tipBox() {
  tip ||= document.body.appendChild(el("div", {class: "tip", hidden: true}));
  return tip;
}
export function hideTip() {
  if (tip) tip.hidden = true;
}

export class LineChart {
  // `zoomed` is told the range of x that is seen now, or null for all of it.
  constructor({zoomed = () => {}} = {}) {
    this.canvas = el("canvas", {tabindex: 0, role: "img"});
    this.node = el("div", {class: "chart"}, this.canvas);
    this.plot = new Plot(this.canvas);
    this.lines = [];
    this.options = {};
    this.zoom = null;
    this.zoomed = zoomed;
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    this.canvas.addEventListener("pointerleave", () => this.leave());
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointerup", (event) => this.release(event));
    this.canvas.addEventListener("dblclick", () => this.reset());
    this.canvas.addEventListener("keydown", (event) => event.key === "Escape" && this.reset());
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.node);
  }

  close() {
    this.observer.disconnect();
    hideTip();
  }

  // Lines: {name, color, x, values, smoothed, steps, walls}. Options: axis, logX, logY, outliers, isSmooth, band.
  show(lines, options) {
    this.lines = lines;
    this.options = options;
    this.canvas.setAttribute("aria-label", `${options.title || "chart"}: ${lines.length} lines`);
    this.draw();
  }

  reset() {
    const hadZoom = this.zoom !== null;
    this.zoom = null;
    this.draw();
    if (hadZoom) this.zoomed(null);
  }

  ranges() {
    const {logX, logY, outliers} = this.options;
    let x = [Infinity, -Infinity];
    const values = [];
    for (const line of this.lines)
      for (let i = 0; i < line.count; ++i) {
        const at = line.x[i];
        if (!(logX && at <= 0)) {
          if (at < x[0]) x[0] = at;
          if (at > x[1]) x[1] = at;
        }
        for (const value of this.options.isSmooth ? [line.smoothed[i]] : [line.values[i]])
          if (Number.isFinite(value) && !(logY && value <= 0)) values.push(value);
      }
    if (!(x[0] <= x[1])) x = logX ? [1, 10] : [0, 1];
    let y = [Infinity, -Infinity];
    if (outliers && values.length > 20) {
      values.sort((a, b) => a - b);
      y = [values[Math.floor(values.length * 0.05)], values[Math.ceil(values.length * 0.95) - 1]];
    } else {
      for (const value of values) {
        if (value < y[0]) y[0] = value;
        if (value > y[1]) y[1] = value;
      }
    }
    if (!(y[0] <= y[1])) y = logY ? [1, 10] : [0, 1];
    if (logY) y = [y[0] / 1.15, y[1] * 1.15];
    else if (y[1] > y[0]) y = [y[0] - (y[1] - y[0]) * 0.06, y[1] + (y[1] - y[0]) * 0.06];
    return {x: this.zoom?.x || x, y: this.zoom?.y || y};
  }

  formatX(value) {
    if (this.options.axis === "wall") {
      const date = new Date(value * 1000), span = this.plot.x.high - this.plot.x.low;
      return span > 2 * 86400 ? date.toLocaleDateString(undefined, {month: "short", day: "numeric"})
        : date.toLocaleTimeString(undefined, {hour: "2-digit", minute: "2-digit", ...(span < 600 ? {second: "2-digit"} : {})});
    }
    if (this.options.axis === "relative") return duration(value * 3600);
    const size = Math.abs(value);
    return size >= 1e9 ? `${number(value / 1e9)}G` : size >= 1e6 ? `${number(value / 1e6)}M` : size >= 1e4 ? `${number(value / 1e3)}k` : number(value);
  }

  draw() {
    if (!this.plot.begin()) return;
    const {x, y} = this.ranges();
    this.plot.setAxes(x, y, this.options);
    this.plot.drawAxes((value) => this.formatX(value));
    this.plot.clip();
    const {isSmooth} = this.options;
    const many = this.lines.length > 60;
    for (const band of this.options.bands || []) this.drawBand(band);
    for (const line of this.lines) {
      if (isSmooth && !many) this.stroke(line, line.values, 0.22, 1);
      this.stroke(line, isSmooth ? line.smoothed : line.values, many ? 0.7 : 1, line.name === this.nearest ? 2.6 : 1.5);
      this.markMissing(line);
    }
    this.drawPointer();
    this.plot.context.restore();
  }

  drawBand({x, lower, upper, color}) {
    const c = this.plot.context;
    c.beginPath();
    for (let i = 0; i < x.length; ++i) c.lineTo(this.plot.x.place(x[i]), this.plot.y.place(upper[i]));
    for (let i = x.length - 1; i >= 0; --i) c.lineTo(this.plot.x.place(x[i]), this.plot.y.place(lower[i]));
    c.globalAlpha = 0.18;
    c.fillStyle = color;
    c.fill();
    c.globalAlpha = 1;
  }

  stroke(line, values, alpha, width) {
    const c = this.plot.context, {x, y} = this.plot;
    c.globalAlpha = alpha;
    c.strokeStyle = line.color;
    c.fillStyle = line.color;
    c.lineWidth = width;
    c.lineJoin = "round";
    c.beginPath();
    let isOpen = false, drawn = 0, last = 0;
    for (let i = 0; i < line.count; ++i) {
      const value = values[i];
      if (!Number.isFinite(value) || (y.isLog && value <= 0) || (x.isLog && line.x[i] <= 0)) {
        isOpen = false;
        continue;
      }
      const px = x.place(line.x[i]), py = y.place(value);
      if (isOpen) c.lineTo(px, py);
      else c.moveTo(px, py);
      isOpen = true;
      ++drawn;
      last = i;
    }
    c.stroke();
    if (drawn === 1) {
      c.beginPath();
      c.arc(x.place(line.x[last]), y.place(values[last]), 3, 0, 7);
      c.fill();
    }
    c.globalAlpha = 1;
  }

  // What is no number is marked at the edge where it would be.
  markMissing(line) {
    const c = this.plot.context;
    c.fillStyle = line.color;
    for (let i = 0; i < line.count; ++i) {
      const value = line.values[i];
      if (Number.isFinite(value)) continue;
      const x = this.plot.x.place(line.x[i]), up = value === Infinity;
      const y = up ? this.plot.margin.top + 5 : this.plot.height - this.plot.margin.bottom - 5;
      c.beginPath();
      if (Number.isNaN(value)) c.rect(x - 3, y - 3, 6, 6);
      else {
        c.moveTo(x - 4, y + (up ? 4 : -4));
        c.lineTo(x + 4, y + (up ? 4 : -4));
        c.lineTo(x, y + (up ? -4 : 4));
      }
      c.fill();
    }
  }

  drawPointer() {
    const c = this.plot.context;
    if (this.start && this.pointer) {
      c.fillStyle = themeColor("--accent");
      c.globalAlpha = 0.15;
      c.fillRect(this.start.x, this.start.y, this.pointer.x - this.start.x, this.pointer.y - this.start.y);
      c.globalAlpha = 1;
    }
    for (const {line, i} of this.told || []) {
      const value = this.options.isSmooth ? line.smoothed[i] : line.values[i];
      if (!Number.isFinite(value)) continue;
      c.beginPath();
      c.arc(this.plot.x.place(line.x[i]), this.plot.y.place(value), 3.5, 0, 7);
      c.fillStyle = line.color;
      c.fill();
      c.strokeStyle = themeColor("--back");
      c.stroke();
    }
  }

  place(event) {
    const box = this.canvas.getBoundingClientRect();
    return {x: event.clientX - box.left, y: event.clientY - box.top};
  }

  move(event) {
    if (!this.plot.x) return;
    this.pointer = this.place(event);
    this.told = this.start ? [] : this.nearestPoints();
    this.tell(event);
    this.draw();
  }

  leave() {
    if (this.start) return;
    this.pointer = null;
    this.told = [];
    this.nearest = null;
    hideTip();
    this.draw();
  }

  press(event) {
    if (event.button !== 0 || event.pointerType === "touch") return;
    this.start = this.place(event);
    this.canvas.setPointerCapture(event.pointerId);
  }

  release(event) {
    const start = this.start, end = this.place(event);
    this.start = null;
    if (!start || Math.abs(end.x - start.x) < 6) return this.draw();
    const sorted = (a, b) => [Math.min(a, b), Math.max(a, b)];
    const isFlat = Math.abs(end.y - start.y) < 12;
    this.zoom = {x: sorted(this.plot.x.value(start.x), this.plot.x.value(end.x)),
      y: isFlat ? undefined : sorted(this.plot.y.value(start.y), this.plot.y.value(end.y))};
    this.draw();
    this.zoomed(this.zoom.x);
  }

  // Of each line the point whose x is nearest to the pointer.
  nearestPoints() {
    const at = this.plot.x.value(this.pointer.x);
    const found = [];
    for (const line of this.lines) {
      if (line.count === 0) continue;
      let low = 0, high = line.count - 1;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (line.x[middle] <= at) low = middle;
        else high = middle;
      }
      const i = Math.abs(line.x[low] - at) <= Math.abs(line.x[high] - at) ? low : high;
      const value = this.options.isSmooth ? line.smoothed[i] : line.values[i];
      const away = Number.isFinite(value) ? Math.abs(this.plot.y.place(value) - this.pointer.y) : 1e9;
      found.push({line, i, away, across: Math.abs(this.plot.x.place(line.x[i]) - this.pointer.x)});
    }
    const best = Math.min(...found.map((one) => one.across));
    const near = found.filter((one) => one.across <= best + 40).sort((a, b) => a.away - b.away);
    this.nearest = near.length > 0 && near[0].away < 25 ? near[0].line.name : null;
    return near;
  }

  tell(event) {
    const box = tipBox();
    if (!this.told || this.told.length === 0) {
      box.hidden = true;
      return;
    }
    const {isSmooth} = this.options;
    const rows = this.told.slice(0, MOST_TOLD).map(({line, i}) => el("tr", {class: line.name === this.nearest ? "near" : ""},
      el("td", {}, el("span", {class: "dot", style: {background: line.color, display: "inline-block"}})),
      el("td", {}, line.name),
      isSmooth ? el("td", {}, number(line.smoothed[i])) : null,
      el("td", {}, number(line.values[i])),
      line.steps ? el("td", {}, String(line.steps[i])) : el("td", {}, number(line.x[i])),
      line.walls ? [el("td", {}, clock(line.walls[i])), el("td", {}, duration(line.walls[i] - line.begin))] : null));
    const heads = ["", "Run", ...(isSmooth ? ["Smoothed"] : []), "Value", this.lines[0].steps ? "Step" : "At",
      ...(this.lines[0].walls ? ["Time", "After"] : [])];
    box.replaceChildren(el("table", {}, el("tr", {}, heads.map((head) => el("th", {}, head))), rows),
      ...(this.told.length > MOST_TOLD ? [el("div", {class: "muted"}, `and ${this.told.length - MOST_TOLD} more`)] : []));
    box.hidden = false;
    const size = box.getBoundingClientRect();
    box.style.left = `${Math.max(4, Math.min(event.clientX + 16, innerWidth - size.width - 8))}px`;
    box.style.top = `${event.clientY + 18 + size.height > innerHeight ? Math.max(4, event.clientY - size.height - 14) : event.clientY + 18}px`;
  }

  // The picture as SVG, for papers.
  svgText() {
    const {width, height, margin} = this.plot, escape = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
    const paths = this.lines.map((line) => {
      let d = "", isOpen = false;
      const values = this.options.isSmooth ? line.smoothed : line.values;
      for (let i = 0; i < line.count; ++i) {
        if (!Number.isFinite(values[i]) || (this.plot.y.isLog && values[i] <= 0) || (this.plot.x.isLog && line.x[i] <= 0)) {
          isOpen = false;
          continue;
        }
        d += `${isOpen ? "L" : "M"}${this.plot.x.place(line.x[i]).toFixed(1)} ${this.plot.y.place(values[i]).toFixed(1)}`;
        isOpen = true;
      }
      return `<path fill="none" stroke="${line.color}" stroke-width="1.5" d="${d}"><title>${escape(line.name)}</title></path>`;
    });
    const marks = [];
    const text = (x, y, anchor, value) => marks.push(`<text x="${x}" y="${y}" text-anchor="${anchor}" font-size="11" font-family="sans-serif">${escape(value)}</text>`);
    text(margin.left - 4, this.plot.y.place(this.plot.y.low), "end", number(this.plot.y.low));
    text(margin.left - 4, margin.top + 8, "end", number(this.plot.y.high));
    text(margin.left, height - 8, "start", this.formatX(this.plot.x.low));
    text(width - margin.right, height - 8, "end", this.formatX(this.plot.x.high));
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
      `<rect x="${margin.left}" y="${margin.top}" width="${width - margin.left - margin.right}" height="${height - margin.top - margin.bottom}" fill="none" stroke="#bbb"/>` +
      paths.join("") + marks.join("") + "</svg>";
  }
}
