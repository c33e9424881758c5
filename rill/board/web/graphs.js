// The page of graphs. The server says where boxes and lines stand for the scopes that are open; here
// they are painted, moved and clicked.
import * as api from "./api.js";
import {bytes, check, el, empty, later, micros, replace, select} from "./dom.js";
import {themeColor} from "./state.js";

const SHAPE_COLORS = ["#7fb3ff", "#ffc078", "#8ce0b0", "#ffa8a8", "#d0bfff", "#99e9f2", "#ffe066", "#fcc2d7", "#c0b283", "#b2f2bb", "#a5b4fc", "#ffd8a8"];
const wish = {source: "", open: new Set(), all: false, constants: false, color: "shape", metadata: "", function: "", trace: "", chosen: ""};

function hashed(text) {
  let hash = 0;
  for (const c of text) hash = (hash * 31 + c.charCodeAt(0)) >>> 0;
  return hash;
}

// From pale to strong.
function heat(part) {
  const mix = (a, b) => Math.round(a + (b - a) * part);
  return `rgb(${mix(255, 214)}, ${mix(243, 48)}, ${mix(214, 39)})`;
}

class Painter {
  constructor(clicked, opened) {
    this.canvas = el("canvas", {tabindex: 0, role: "img", "aria-label": "Graph"});
    this.context = this.canvas.getContext("2d");
    this.view = {x: 0, y: 0, scale: 1};
    this.graph = null;
    this.clicked = clicked;
    this.opened = opened;
    this.pointers = new Map();
    this.canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoomAt(event.offsetX, event.offsetY, Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)));
    }, {passive: false});
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, (event) => this.release(event));
    this.canvas.addEventListener("dblclick", (event) => {
      const box = this.boxAt(event.offsetX, event.offsetY);
      if (box && box.kind !== "node") this.opened(box);
    });
    this.canvas.addEventListener("keydown", (event) => {
      const moves = {ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60]};
      if (moves[event.key]) {
        this.view.x += moves[event.key][0];
        this.view.y += moves[event.key][1];
        this.paint();
      } else if (event.key === "+" || event.key === "-") this.zoomAt(this.width / 2, this.height / 2, event.key === "+" ? 1.25 : 0.8);
      else if (event.key === "0") this.fit();
      else return;
      event.preventDefault();
    });
    this.observer = new ResizeObserver(() => this.paint());
    this.observer.observe(this.canvas);
  }

  // `anchor`: the path of a box that stays where it was on the screen.
  show(graph, anchor) {
    const before = anchor && this.graph?.boxes.find((box) => box.path === anchor);
    const at = before && this.toScreen(before.box[0], before.box[1]);
    const isFirst = !this.graph;
    this.graph = graph;
    this.byPath = new Map(graph.boxes.map((box) => [box.path, box]));
    const now = at && this.byPath.get(anchor);
    if (now) {
      this.view.x = at[0] - now.box[0] * this.view.scale;
      this.view.y = at[1] - now.box[1] * this.view.scale;
    }
    if (isFirst || !now) this.fit();
    this.paint();
  }

  toScreen(x, y) {
    return [x * this.view.scale + this.view.x, y * this.view.scale + this.view.y];
  }

  fit() {
    const size = this.canvas.getBoundingClientRect();
    if (!this.graph || size.width < 10) return;
    const scale = Math.min((size.width - 40) / this.graph.width, (size.height - 100) / this.graph.height, 1.4);
    this.view = {scale, x: (size.width - this.graph.width * scale) / 2, y: Math.max(16, (size.height - 70 - this.graph.height * scale) / 2)};
    this.paint();
  }

  center(path) {
    const box = this.byPath?.get(path);
    if (!box) return;
    const size = this.canvas.getBoundingClientRect();
    this.view.scale = Math.max(this.view.scale, 0.8);
    this.view.x = size.width / 2 - (box.box[0] + box.box[2] / 2) * this.view.scale;
    this.view.y = size.height / 2 - (box.box[1] + box.box[3] / 2) * this.view.scale;
    this.paint();
  }

  zoomAt(x, y, factor) {
    const scale = Math.min(Math.max(this.view.scale * factor, 0.004), 4);
    this.view.x = x - (x - this.view.x) * scale / this.view.scale;
    this.view.y = y - (y - this.view.y) * scale / this.view.scale;
    this.view.scale = scale;
    this.paint();
  }

  boxAt(x, y) {
    const {scale} = this.view, gx = (x - this.view.x) / scale, gy = (y - this.view.y) / scale;
    let found = null;  // what is inside comes later
    for (const box of this.graph?.boxes || []) {
      const [left, top, width, height] = box.box;
      if (gx >= left && gx <= left + width && gy >= top && gy <= top + height) found = box;
    }
    return found;
  }

  press(event) {
    this.canvas.setPointerCapture(event.pointerId);
    this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    this.moved = 0;
    this.canvas.classList.add("dragging");
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const now = [event.offsetX, event.offsetY];
    if (this.pointers.size === 2) {  // two fingers
      const other = [...this.pointers].find(([id]) => id !== event.pointerId)[1];
      const away = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
      this.zoomAt((now[0] + other[0]) / 2, (now[1] + other[1]) / 2, away(now, other) / Math.max(away(before, other), 1));
    } else {
      this.view.x += now[0] - before[0];
      this.view.y += now[1] - before[1];
    }
    this.moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    this.pointers.set(event.pointerId, now);
    this.paint();
  }

  release(event) {
    if (!this.pointers.delete(event.pointerId)) return;
    this.canvas.classList.remove("dragging");
    if (event.type === "pointerup" && this.moved < 5) this.clicked(this.boxAt(event.offsetX, event.offsetY));
  }

  paint() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paintNow();
    });
  }

  paintNow() {
    const size = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    if (!this.graph || size.width < 10) return;
    this.width = size.width;
    this.height = size.height;
    if (this.canvas.width !== Math.round(size.width * ratio)) this.canvas.width = Math.round(size.width * ratio);
    if (this.canvas.height !== Math.round(size.height * ratio)) this.canvas.height = Math.round(size.height * ratio);
    const c = this.context, {x, y, scale} = this.view;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, this.canvas.width, this.canvas.height);
    c.setTransform(ratio * scale, 0, 0, ratio * scale, ratio * x, ratio * y);
    this.seen = [-x / scale, -y / scale, (size.width - x) / scale, (size.height - y) / scale];
    this.colors = {text: themeColor("--text"), soft: themeColor("--soft"), stroke: themeColor("--stroke"), scope: themeColor("--scope"),
      node: themeColor("--node"), accent: themeColor("--accent"), back: themeColor("--back")};
    for (const box of this.graph.boxes) if (box.kind === "open") this.paintBox(box);
    this.paintLines();
    for (const box of this.graph.boxes) if (box.kind !== "open") this.paintBox(box);
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  isSeen(left, top, right, bottom) {
    return right >= this.seen[0] && left <= this.seen[2] && bottom >= this.seen[1] && top <= this.seen[3];
  }

  paintLines() {
    const c = this.context, {scale} = this.view, isFar = scale < 0.12;
    const chosen = wish.chosen;
    for (const isControl of [false, true]) {
      c.setLineDash(isControl ? [4, 4] : []);
      for (const line of this.graph.lines) {
        if (Boolean(line.control) !== isControl) continue;
        const p = line.points, n = p.length;
        if (n < 4) continue;
        if (!line.extent) {
          line.extent = [Infinity, Infinity, -Infinity, -Infinity];
          for (let i = 0; i < n; i += 2) {
            line.extent[0] = Math.min(line.extent[0], p[i]);
            line.extent[1] = Math.min(line.extent[1], p[i + 1]);
            line.extent[2] = Math.max(line.extent[2], p[i]);
            line.extent[3] = Math.max(line.extent[3], p[i + 1]);
          }
        }
        if (!this.isSeen(...line.extent)) continue;
        const isNear = chosen && (line.from === chosen || line.to === chosen);
        c.strokeStyle = isNear ? this.colors.accent : this.colors.stroke;
        c.globalAlpha = isNear ? 1 : isControl ? 0.5 : 0.75;
        c.lineWidth = (isNear ? 1.6 : 1) * Math.min(1 + Math.log2(line.tensors), 5) / (isFar ? scale * 8 : 1);
        c.beginPath();
        c.moveTo(p[0], p[1]);
        for (let i = 2; i < n; i += 2) {
          const middle = (p[i - 1] + p[i + 1]) / 2;
          if (isFar || p[i] === p[i - 2]) c.lineTo(p[i], p[i + 1]);
          else c.bezierCurveTo(p[i - 2], middle, p[i], middle, p[i], p[i + 1]);
        }
        c.stroke();
        if (isFar) continue;
        const down = p[n - 1] >= p[n - 3] ? 1 : -1;
        c.setLineDash([]);
        c.beginPath();
        c.moveTo(p[n - 2], p[n - 1]);
        c.lineTo(p[n - 2] - 3.5, p[n - 1] - 7 * down);
        c.lineTo(p[n - 2] + 3.5, p[n - 1] - 7 * down);
        c.fillStyle = c.strokeStyle;
        c.fill();
        c.setLineDash(isControl ? [4, 4] : []);
        const label = line.label || (line.tensors > 1 ? `${line.tensors} tensors` : "");
        if (label && scale > 0.55) {
          let best = 2;  // the longest part of the line
          for (let i = 4; i < n; i += 2) if (Math.abs(p[i + 1] - p[i - 1]) > Math.abs(p[best + 1] - p[best - 1])) best = i;
          const lx = (p[best] + p[best - 2]) / 2, ly = (p[best + 1] + p[best - 1]) / 2;
          c.font = "10px system-ui, sans-serif";
          c.textAlign = "center";
          c.textBaseline = "middle";
          c.globalAlpha = 1;
          c.lineWidth = 3;
          c.strokeStyle = this.colors.back;
          c.setLineDash([]);
          c.strokeText(label, lx, ly);
          c.fillStyle = this.colors.soft;
          c.fillText(label, lx, ly);
          c.setLineDash(isControl ? [4, 4] : []);
        }
      }
    }
    c.setLineDash([]);
    c.globalAlpha = 1;
  }

  fillOf(box) {
    const {most} = this.graph;
    if (wish.color === "shape") return box.kind === "node" ? null : SHAPE_COLORS[this.graph.shapes.get(box.shape) % SHAPE_COLORS.length];
    if (wish.color === "op") return box.op ? SHAPE_COLORS[hashed(box.op) % SHAPE_COLORS.length] : null;
    if (wish.color === "device") return box.device ? SHAPE_COLORS[hashed(box.device) % SHAPE_COLORS.length] : null;
    const value = wish.color === "time" ? box.micros : box.bytes;
    return value ? heat(value / (wish.color === "time" ? most.micros : most.bytes)) : null;
  }

  paintBox(box) {
    const [x, y, width, height] = box.box;
    if (!this.isSeen(x, y, x + width, y + height)) return;
    const c = this.context, {scale} = this.view, isOpen = box.kind === "open";
    const fill = this.fillOf(box), isDim = wish.trace && !box.traced;
    c.globalAlpha = isDim ? 0.25 : 1;
    c.fillStyle = isOpen ? this.colors.scope : fill || this.colors.node;
    c.strokeStyle = box.path === wish.chosen ? this.colors.accent : isOpen && fill ? fill : this.colors.stroke;
    c.lineWidth = box.path === wish.chosen ? 2.5 : 1;
    c.beginPath();
    if (scale < 0.08) c.rect(x, y, width, height);
    else c.roundRect(x, y, width, height, isOpen ? 8 : box.kind === "node" ? Math.min(height / 2, 13) : 6);
    c.fill();
    c.stroke();
    if (scale * 12 >= 4.5) {
      c.font = `${isOpen || box.kind === "scope" ? "600 " : ""}12px system-ui, sans-serif`;
      c.textBaseline = "middle";
      c.fillStyle = fill && !isOpen ? "#1a212b" : this.colors.text;
      const name = box.name.length > 26 ? `${box.name.slice(0, 12)}…${box.name.slice(-13)}` : box.name;
      c.textAlign = isOpen ? "left" : "center";
      c.fillText(name, isOpen ? x + 10 : x + width / 2, isOpen ? y + 13 : y + height / 2 - (box.kind === "scope" ? 5 : 0), isOpen ? width - 30 : width - 8);
      if (box.kind === "scope") {
        c.font = "10px system-ui, sans-serif";
        c.globalAlpha *= 0.75;
        c.fillText(`${box.nodes} nodes  +`, x + width / 2, y + height - 9, width - 8);
      }
      if (isOpen) {
        c.textAlign = "right";
        c.fillText("–", x + width - 9, y + 12);
      }
    }
    c.globalAlpha = 1;
  }
}

export function open(host, side) {
  const note = el("span", {class: "small muted"}), panel = el("div", {class: "panel", hidden: true}), legend = el("div", {class: "legendbox"});
  const sources = el("select", {"aria-label": "Graph"}), metadata = el("select", {"aria-label": "Trace"}), functions = el("select", {"aria-label": "Function"});
  const results = el("ul", {class: "runs results"});
  let found = {}, uploads = [];

  const parameters = () => {
    const [kind, run, tag] = wish.source ? JSON.parse(wish.source) : [];
    return {...(kind === "upload" ? {upload: run} : {run, tag, conceptual: kind === "conceptual" ? "true" : null}), function: wish.function};
  };
  const drawingOf = () => ({...parameters(), open: [...wish.open], all: wish.all ? "true" : null, constants: wish.constants ? "true" : null,
    trace: wish.trace, metadata: parameters().upload ? null : wish.metadata});

  const painter = new Painter(async (box) => {
    wish.chosen = box ? box.path : "";
    painter.paint();
    if (!box) panel.hidden = true;
    else await describe(box.path);
  }, (box) => toggle(box.path));

  const toggle = async (path) => {
    if (!wish.open.delete(path)) wish.open.add(path);
    else for (const other of [...wish.open]) if (other.startsWith(`${path}/`)) wish.open.delete(other);
    await draw(path);
  };
  const goTo = async (path) => {
    for (let slash = path.indexOf("/"); slash > 0; slash = path.indexOf("/", slash + 1)) wish.open.add(path.slice(0, slash));
    wish.chosen = path;
    await draw(path);
    painter.center(path);
    await describe(path);
  };

  const describe = async (path) => {
    const node = await api.get("data/rill/graph_node", {...parameters(), path, metadata: drawingOf().metadata});
    const row = (name, value) => value ? [el("dt", {}, name), el("dd", {}, value)] : [];
    const list = (title, edges) => edges?.length ? el("details", {open: edges.length < 12}, el("summary", {}, `${title} (${edges.length})`),
      el("ul", {}, edges.map((edge) => el("li", {}, el("button", {class: "link", onclick: () => goTo(edge.name)}, edge.name),
        " ", el("span", {class: "muted"}, edge.control ? "control" : edge.shape))))) : null;
    replace(panel, el("h3", {}, path), el("div", {class: "bar"},
      node.children ? el("button", {onclick: () => toggle(path)}, wish.open.has(path) ? "Fold" : "Unfold") : null,
      node.op ? el("button", {onclick: () => {
        wish.trace = wish.trace === path ? "" : path;
        draw(path);
      }}, wish.trace === path ? "End trace" : "Trace inputs") : null,
      el("button", {onclick: () => { panel.hidden = true; }}, "Close")),
    el("dl", {}, row("Op", node.op), row("Nodes", node.nodes > 1 ? String(node.nodes) : ""), row("Device", node.device),
      row("Time", node.micros ? micros(node.micros) : ""), row("Memory", node.bytes ? bytes(node.bytes) : "")),
    node.attributes && Object.keys(node.attributes).length ? el("details", {}, el("summary", {}, "Attributes"),
      el("dl", {}, Object.entries(node.attributes).map(([name, value]) => row(name, value)))) : null,
    list("Inputs", node.inputs), list("Outputs", node.outputs));
    panel.hidden = false;
  };

  const drawLegend = () => {
    const dot = (color, text) => el("div", {}, el("span", {class: "dot", style: {background: color}}), text);
    const boxes = painter.graph.boxes, rows = [];
    const distinct = (name) => [...new Set(boxes.map((box) => box[name]).filter(Boolean))].slice(0, 12);
    if (wish.color === "device") rows.push(...distinct("device").map((device) => dot(SHAPE_COLORS[hashed(device) % SHAPE_COLORS.length], device)));
    else if (wish.color === "op") rows.push(...distinct("op").map((op) => dot(SHAPE_COLORS[hashed(op) % SHAPE_COLORS.length], op)));
    else if (wish.color === "shape") rows.push(el("span", {}, "scopes of one colour hold the same ops"));
    else rows.push(dot(heat(0.05), "little"), dot(heat(1), wish.color === "time" ? micros(painter.graph.most.micros) : bytes(painter.graph.most.bytes)));
    rows.push(el("div", {class: "muted"}, "— tensors   - - control   double click: open or fold"));
    replace(legend, rows);
  };

  const draw = async (anchor) => {
    if (!wish.source) return;
    const started = performance.now();
    let graph = await api.get("data/rill/graph", drawingOf());
    while (!anchor && graph.boxes.length === 1 && graph.boxes[0].kind === "scope") {  // one scope around everything is open
      wish.open.add(graph.boxes[0].path);
      graph = await api.get("data/rill/graph", drawingOf());
    }
    graph.shapes = new Map();
    graph.most = {micros: 1e-9, bytes: 1e-9};
    for (const line of graph.lines) {
      [line.from, line.to] = line.ends.map((i) => graph.boxes[i]?.path ?? "");
      line.tensors ??= 1;
    }
    for (const box of graph.boxes) {
      if (!graph.shapes.has(box.shape)) graph.shapes.set(box.shape, graph.shapes.size);
      if (box.kind === "open") continue;
      graph.most.micros = Math.max(graph.most.micros, box.micros || 0);
      graph.most.bytes = Math.max(graph.most.bytes, box.bytes || 0);
    }
    painter.show(graph, anchor);
    note.textContent = `${graph.nodes} nodes, ${graph.boxes.length} boxes, ${Math.round(performance.now() - started)} ms`;
    host.dataset.boxes = String(graph.boxes.length);
    if (!wish.function) replace(functions, el("option", {value: ""}, "whole graph"), graph.functions.map((name) => el("option", {value: name}, name)));
    functions.hidden = functions.options.length < 2;
    drawLegend();
  };

  const changed = (name) => (value) => {
    wish[name] = value;
    painter.graph = name === "color" ? painter.graph : null;
    if (name === "color") {
      painter.paint();
      drawLegend();
    } else draw();
  };
  const fillSources = () => {
    const options = uploads.map(([key, name]) => [JSON.stringify(["upload", key]), name]);
    for (const [run, info] of Object.entries(found)) if (info.run_graph) options.push([JSON.stringify(["run", run, ""]), run]);
    for (const [run, info] of Object.entries(found))
      for (const [tag, has] of Object.entries(info.tags)) {
        if (has.op_graph) options.push([JSON.stringify(["op", run, tag]), `${run}: ${tag}`]);
        if (has.conceptual_graph) options.push([JSON.stringify(["conceptual", run, tag]), `${run}: ${tag} (layers)`]);
      }
    replace(sources, options.map(([value, text]) => el("option", {value}, text)));
    if (!options.some(([value]) => value === wish.source)) wish.source = options[0]?.[0] || "";
    sources.value = wish.source;
    const run = parameters().run;
    const tags = Object.entries(found[run]?.tags || {}).filter(([, has]) => has.profile).map(([tag]) => tag);
    replace(metadata, el("option", {value: ""}, "no trace"), tags.map((tag) => el("option", {value: tag}, tag)));
    metadata.value = wish.metadata;
    metadata.hidden = tags.length === 0;
    return options.length;
  };
  const file = el("input", {type: "file", "aria-label": "Upload a graph", onchange: async () => {
    if (!file.files[0]) return;
    try {
      const {upload} = await api.post("data/rill/graph_upload", file.files[0]);
      uploads = [[upload, file.files[0].name], ...uploads];
      Object.assign(wish, {source: JSON.stringify(["upload", upload]), function: "", trace: "", metadata: "", open: new Set()});
      painter.graph = null;
      fillSources();
      replace(host, bar, area);
      await draw();
    } catch (error) {
      note.textContent = error.message;
    }
  }});
  sources.addEventListener("change", () => {
    Object.assign(wish, {source: sources.value, function: "", trace: "", metadata: "", open: new Set(), chosen: ""});
    panel.hidden = true;
    painter.graph = null;
    fillSources();
    draw();
  });
  metadata.addEventListener("change", () => {
    wish.metadata = metadata.value;
    if (wish.metadata && (wish.color === "shape" || wish.color === "op")) wish.color = "time";
    draw(wish.chosen || undefined);
  });
  functions.addEventListener("change", () => {
    Object.assign(wish, {function: functions.value, open: new Set(), trace: ""});
    painter.graph = null;
    draw();
  });
  const search = el("input", {type: "search", placeholder: "Find a node or op", "aria-label": "Find a node", oninput: later(async () => {
    if (search.value.length < 2) return void replace(results);
    const names = await api.get("data/rill/graph_search", {...parameters(), q: search.value});
    replace(results, names.map((name) => el("li", {}, el("span", {class: "name", title: name, onclick: () => goTo(name)}, name))));
  }, 200)});
  const bar = el("div", {class: "bar"}, sources, functions, metadata,
    el("button", {onclick: () => painter.fit()}, "Fit"),
    el("button", {onclick: () => { wish.open = new Set(); wish.all = false; painter.graph = null; draw(); }}, "Fold all"), note);
  const area = el("div", {class: "graph"}, painter.canvas, legend, panel);
  replace(host, bar, area);
  replace(side, el("fieldset", {}, el("legend", {}, "Graph"), search, results,
    el("label", {class: "row"}, "Colour", select("Colour", [["shape", "structure"], ["op", "op"], ["device", "device"], ["time", "compute time"], ["memory", "memory"]], wish.color, changed("color"))),
    check("Show constants", wish.constants, changed("constants")), check("Unfold everything", wish.all, changed("all"))),
  el("fieldset", {}, el("legend", {}, "Upload a GraphDef"), file));
  let isDrawn = "";
  return {
    async refresh() {
      found = await api.get("data/plugin/graphs/info");
      if (fillSources() === 0) {
        isDrawn = "";
        return void replace(host, empty("No graph yet", "tf.summary.FileWriter(logdir, graph) writes one; or upload a GraphDef at the side."));
      }
      if (!bar.isConnected) replace(host, bar, area);
      if (isDrawn === wish.source) return;
      isDrawn = wish.source;
      await draw();
    },
    themeChanged: () => painter.paint(),
    close: () => painter.observer.disconnect(),
  };
}
