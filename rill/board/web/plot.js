// Axes and a canvas for them; charts draw on it.
import {number} from "./dom.js";
import {themeColor} from "./state.js";

export class Plot {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.margin = {left: 54, right: 10, top: 8, bottom: 24};
  }

  // False while the canvas is not to be seen.
  begin() {
    const box = this.canvas.getBoundingClientRect(), scale = window.devicePixelRatio || 1;
    if (box.width < 20 || box.height < 20) return false;
    this.width = box.width;
    this.height = box.height;
    if (this.canvas.width !== Math.round(box.width * scale)) this.canvas.width = Math.round(box.width * scale);
    if (this.canvas.height !== Math.round(box.height * scale)) this.canvas.height = Math.round(box.height * scale);
    this.context.setTransform(scale, 0, 0, scale, 0, 0);
    this.context.clearRect(0, 0, this.width, this.height);
    return true;
  }

  // Ranges are [low, high]; logarithmic ones lie above 0.
  setAxes(x, y, {logX = false, logY = false} = {}) {
    this.x = axis(x, logX, this.margin.left, this.width - this.margin.right);
    this.y = axis(y, logY, this.height - this.margin.bottom, this.margin.top);
  }

  drawAxes(formatX = number, formatY = number) {
    const c = this.context;
    c.font = "11px system-ui, sans-serif";
    c.lineWidth = 1;
    c.strokeStyle = themeColor("--line");
    c.fillStyle = themeColor("--soft");
    c.textAlign = "right";
    c.textBaseline = "middle";
    for (const value of ticks(this.y, Math.max(2, Math.floor(this.height / 42)))) {
      const at = Math.round(this.y.place(value)) + 0.5;
      line(c, this.margin.left, at, this.width - this.margin.right, at);
      c.fillText(formatY(value), this.margin.left - 6, at);
    }
    c.textAlign = "center";
    c.textBaseline = "top";
    for (const value of ticks(this.x, Math.max(2, Math.floor(this.width / 80)))) {
      const at = Math.round(this.x.place(value)) + 0.5;
      line(c, at, this.margin.top, at, this.height - this.margin.bottom);
      c.fillText(formatX(value), at, this.height - this.margin.bottom + 6);
    }
  }

  clip() {
    const c = this.context;
    c.save();
    c.beginPath();
    c.rect(this.margin.left, this.margin.top - 2, this.width - this.margin.left - this.margin.right,
      this.height - this.margin.top - this.margin.bottom + 4);
    c.clip();
  }
}

function line(context, x1, y1, x2, y2) {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}

function axis([low, high], isLog, from, to) {
  if (!(high > low)) {
    const half = Math.abs(low) * 0.05 || 0.5;
    [low, high] = isLog ? [low / 2, high * 2] : [low - half, high + half];
  }
  const raise = isLog ? Math.log10 : (value) => value;
  const a = raise(low), b = raise(high);
  return {low, high, isLog, from, to,
    place: (value) => from + (raise(value) - a) / (b - a) * (to - from),
    value: (place) => {
      const found = a + (place - from) / (to - from) * (b - a);
      return isLog ? 10 ** found : found;
    }};
}

export function ticks({low, high, isLog}, count) {
  if (isLog) {
    const first = Math.ceil(Math.log10(low) - 1e-9), last = Math.floor(Math.log10(high) + 1e-9);
    const step = Math.max(1, Math.ceil((last - first) / count));
    const found = [];
    for (let power = first; power <= last; power += step) found.push(10 ** power);
    if (found.length > 1) return found;
  }
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough) * power;
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) found.push(Number((i * step).toPrecision(12)));
  return found;
}
