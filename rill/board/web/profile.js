// The page of traces: what each device did when, as bars in lanes.
import * as api from "./api.js";
import {bytes, el, empty, micros, replace} from "./dom.js";
import {ticks} from "./plot.js";
import {themeColor} from "./state.js";

const COLORS = ["#5b8ff9", "#61ddaa", "#f6bd16", "#7262fd", "#78d3f8", "#9661bc", "#f6903d", "#008685", "#f08bb4", "#65789b"];
const LANE = 18, HEAD = 24;
let chosen = "";

function colorOf(text) {
  let hash = 0;
  for (const c of text) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return COLORS[hash % COLORS.length];
}

export function open(host, side) {
  const pick = el("select", {"aria-label": "Trace"}), canvas = el("canvas", {tabindex: 0, role: "img", "aria-label": "Trace"});
  const tip = el("div", {class: "small muted"}, "Wheel: zoom, drag: move"), area = el("div", {class: "scroll"}, canvas), summary = el("div");
  let devices = [], rows = [], range = [0, 1], whole = [0, 1], drag = null, known = "";
  const c = canvas.getContext("2d");
  const arrange = () => {
    let y = 26;
    rows = devices.map((device) => {
      const lanes = Math.max(1, ...device.spans.map((span) => span[2] + 1));
      const row = {device, y, lanes};
      y += HEAD + lanes * LANE + 10;
      return row;
    });
    canvas.style.height = `${y + 10}px`;
    canvas.style.width = "100%";
    canvas.style.display = "block";
  };
  const place = (value) => (value - range[0]) / (range[1] - range[0]) * canvas.clientWidth;
  const draw = () => {
    const ratio = window.devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
    if (width < 10) return;
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = "11px system-ui, sans-serif";
    c.textBaseline = "middle";
    for (const value of ticks({low: range[0], high: range[1]}, Math.floor(width / 110))) {
      c.fillStyle = themeColor("--line");
      c.fillRect(place(value), 18, 1, height);
      c.fillStyle = themeColor("--soft");
      c.fillText(micros(value), place(value) + 3, 9);
    }
    for (const {device, y} of rows) {
      c.fillStyle = themeColor("--text");
      c.fillText(device.name, 4, y + HEAD / 2);
      for (const [start, length, lane, name, op] of device.spans) {
        const left = place(start), right = place(start + Math.max(length, 0.5));
        if (right < 0 || left > width) continue;
        const wide = Math.max(right - left, 1), top = y + HEAD + lane * LANE;
        c.fillStyle = colorOf(op || name);
        c.fillRect(left, top, wide, LANE - 2);
        if (wide > 34) {
          c.save();
          c.beginPath();
          c.rect(left, top, wide, LANE);
          c.clip();
          c.fillStyle = "#10151c";
          c.fillText(name, Math.max(left, 0) + 3, top + LANE / 2 - 1);
          c.restore();
        }
      }
    }
  };
  const spanAt = (event) => {
    for (const {device, y} of rows)
      for (const span of device.spans) {
        const top = y + HEAD + span[2] * LANE;
        if (event.offsetY >= top && event.offsetY < top + LANE && event.offsetX >= place(span[0]) - 1 && event.offsetX <= place(span[0] + span[1]) + 1) return span;
      }
    return null;
  };
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const at = range[0] + event.offsetX / canvas.clientWidth * (range[1] - range[0]), factor = Math.exp(event.deltaY * 0.0015);
    range = [at - (at - range[0]) * factor, at + (range[1] - at) * factor];
    draw();
  }, {passive: false});
  canvas.addEventListener("pointerdown", (event) => { drag = event.offsetX; canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointerup", () => { drag = null; });
  canvas.addEventListener("dblclick", () => { range = [...whole]; draw(); });
  canvas.addEventListener("pointermove", (event) => {
    if (drag !== null) {
      const shift = (drag - event.offsetX) / canvas.clientWidth * (range[1] - range[0]);
      range = [range[0] + shift, range[1] + shift];
      drag = event.offsetX;
      return draw();
    }
    const span = spanAt(event);
    tip.textContent = span ? `${span[3]}${span[4] ? ` = ${span[4]}` : ""}: ${micros(span[1])} from ${micros(span[0])}${span[5] ? `, ${bytes(span[5])}` : ""}` : "Wheel: zoom, drag: move, double click: everything";
  });
  const observer = new ResizeObserver(draw);
  observer.observe(area);

  const byOp = () => {
    const sums = new Map();
    for (const device of devices)
      for (const [, length, , name, op, size] of device.spans) {
        const sum = sums.get(op || name) || {time: 0, count: 0, size: 0};
        sums.set(op || name, {time: sum.time + length, count: sum.count + 1, size: sum.size + size});
      }
    const all = [...sums].sort((a, b) => b[1].time - a[1].time), total = all.reduce((sum, [, one]) => sum + one.time, 0) || 1;
    return el("table", {class: "data"}, el("tr", {}, ["Op", "Time", "Share", "Calls", "Memory"].map((head) => el("th", {}, head))),
      all.slice(0, 40).map(([op, one]) => el("tr", {}, el("td", {}, el("span", {class: "dot", style: {background: colorOf(op), display: "inline-block"}}), " ", op),
        el("td", {class: "number"}, micros(one.time)), el("td", {class: "number"}, `${(100 * one.time / total).toFixed(1)} %`), el("td", {class: "number"}, String(one.count)), el("td", {class: "number"}, bytes(one.size)))));
  };
  const load = async () => {
    const [run, tag] = JSON.parse(pick.value);
    chosen = pick.value;
    ({devices} = await api.get("data/rill/trace", {run, tag}));
    let end = 1;
    for (const device of devices) for (const span of device.spans) end = Math.max(end, span[0] + span[1]);
    whole = [-end * 0.01, end * 1.02];
    range = [...whole];
    arrange();
    draw();
    replace(summary, el("h3", {}, "Where the time goes"), byOp());
  };
  pick.addEventListener("change", load);
  replace(side);
  return {
    async refresh() {
      const traces = await api.get("data/rill/traces");
      if (traces.length === 0) return void replace(host, empty("No traces yet", "FileWriter.add_run_metadata writes one."));
      const now = JSON.stringify(traces);
      if (now === known) return;
      known = now;
      replace(host, el("div", {class: "bar"}, pick, tip), area, summary);
      replace(pick, traces.map((one) => el("option", {value: JSON.stringify([one.run, one.tag])}, `${one.run}: ${one.tag}`)));
      if (traces.some((one) => JSON.stringify([one.run, one.tag]) === chosen)) pick.value = chosen;
      await load();
    },
    themeChanged: draw,
    close: () => observer.disconnect(),
  };
}
