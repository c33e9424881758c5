// The page of embeddings: points of many dimensions in two or three.
import * as api from "./api.js";
import {choice, el, empty, number, replace, select} from "./dom.js";
import {Space} from "./space.js";
import {matcher, themeColor} from "./state.js";

const wish = {run: "", name: "", method: "pca", dimensions: 3, label: 0, color: -1, perplexity: 25, neighbours: 15, find: "", night: false, metric: "cosine", shown: 10};
const COLORS = ["#2f7ed8", "#f28e2b", "#3ba272", "#e15759", "#9a60b4", "#17a2b8", "#c79a00", "#ea6fa0", "#8c6d5a", "#7d8896"];
const MOST_LABELS = 400;

export function open(host, side) {
  const space = new Space({height: "min(74vh, 760px)"});
  const note = el("span", {class: "muted small"}), panel = el("div", {class: "panel", hidden: true});
  let info = null, rows = [], heads = [], count = 0, points = null, colors = [], chosen = -1, near = [], hovered = -1, sprite = null;
  space.paint = (screen, c) => {
    const order = Array.from({length: count}, (_, i) => i);
    if (!space.isFlat) order.sort((a, b) => screen[3 * a + 2] - screen[3 * b + 2]);
    const fits = wish.find ? matcher(wish.find) : null, close = new Set(near.map((one) => one.i));
    c.font = "11px system-ui, sans-serif";
    const tile = sprite && info.sprite.singleImageDim;
    for (const i of order) {
      const depth = space.isFlat ? 1 : 0.55 + 0.45 * (screen[3 * i + 2] + 1) / 2;
      const isFound = fits && rows[i] && fits(rows[i].join(" "));
      const isDim = (fits && !isFound) || (chosen >= 0 && i !== chosen && !close.has(i));
      c.globalAlpha = isDim ? 0.12 : Math.min(Math.max(depth, 0.25), 1);
      if (tile && !isDim) {
        const across = Math.floor(sprite.naturalWidth / tile[0]), size = 22 * Math.sqrt(space.zoom);
        c.drawImage(sprite, i % across * tile[0], Math.floor(i / across) * tile[1], tile[0], tile[1], screen[3 * i] - size / 2, screen[3 * i + 1] - size / 2, size, size);
        continue;
      }
      c.fillStyle = i === chosen ? "#ff3b30" : close.has(i) || isFound ? "#ff9f0a" : colors[i] || themeColor("--accent");
      c.beginPath();
      c.arc(screen[3 * i], screen[3 * i + 1], (i === chosen ? 6 : 3.4) * Math.min(Math.max(depth, 0.6), 1.3), 0, 7);
      c.fill();
    }
    c.globalAlpha = 1;
    c.fillStyle = themeColor("--text");
    const named = chosen >= 0 ? [chosen, ...near.map((one) => one.i)] : hovered >= 0 ? [hovered] : fits ? order.filter((i) => rows[i] && fits(rows[i].join(" "))).slice(0, MOST_LABELS) : count <= 60 ? order : [];
    for (const i of named) c.fillText(labelOf(i), screen[3 * i] + 7, screen[3 * i + 1] - 5);
  };
  const labelOf = (i) => rows[i] ? rows[i][Math.min(wish.label, rows[i].length - 1)] : `#${i}`;
  space.hovered = (event) => {
    const found = space.nearest(event);
    if (found !== hovered) {
      hovered = found;
      space.draw();
    }
  };
  space.clicked = (event) => choose(space.nearest(event));

  // The nearest in the space of all dimensions.
  const choose = (i) => {
    chosen = i;
    near = [];
    panel.hidden = i < 0;
    if (i >= 0 && points) {
      const width = points.length / count, a = points.subarray(i * width, (i + 1) * width);
      const length = (v) => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0)) || 1, own = length(a);
      for (let j = 0; j < count; ++j) {
        if (j === i) continue;
        const b = points.subarray(j * width, (j + 1) * width);
        let sum = 0;
        for (let k = 0; k < width; ++k) sum += wish.metric === "cosine" ? a[k] * b[k] : (a[k] - b[k]) ** 2;
        near.push({i: j, away: wish.metric === "cosine" ? 1 - sum / own / length(b) : Math.sqrt(sum)});
      }
      near = near.sort((a, b) => a.away - b.away).slice(0, wish.shown);
      replace(panel, el("h3", {}, labelOf(i)), rows[i] ? el("dl", {}, heads.map((head, k) => [el("dt", {}, head), el("dd", {}, rows[i][k] ?? "")])) : null,
        el("div", {class: "legend"}, "Nearest"), el("ul", {}, near.map((one) => el("li", {}, el("button", {class: "link", onclick: () => choose(one.i)}, labelOf(one.i)), " ", el("span", {class: "muted"}, number(one.away, 3))))),
        el("button", {onclick: () => choose(-1)}, "Close"));
    }
    space.draw();
  };

  const colorize = () => {
    colors = [];
    if (wish.color < 0 || !rows.length) return;
    const values = rows.map((row) => row[wish.color]), numbers = values.map(Number);
    const distinct = [...new Set(values)];
    if (distinct.length > COLORS.length && numbers.every(Number.isFinite)) {
      const low = Math.min(...numbers), high = Math.max(...numbers);
      colors = numbers.map((value) => `hsl(${240 - 240 * (value - low) / (high - low || 1)} 70% 50%)`);
    } else colors = values.map((value) => COLORS[distinct.indexOf(value) % COLORS.length]);
  };

  const project = async () => {
    note.textContent = "computing…";
    try {
      const found = await api.floats("data/rill/projection", {run: wish.run, name: wish.name, method: wish.method, dimensions: wish.dimensions, perplexity: wish.perplexity, neighbours: wish.neighbours});
      count = found.length / wish.dimensions;
      const places = new Float32Array(count * 3);
      for (let i = 0; i < count; ++i) for (let k = 0; k < wish.dimensions; ++k) places[3 * i + k] = found[wish.dimensions * i + k];
      space.isFlat = wish.dimensions === 2;
      space.set(places);
      points = points && points.rows >= count ? points : null;
      const [all, width] = info.tensorShape || [];
      note.textContent = `${count}${all > count ? ` of ${all}` : ""} points of ${width ?? "?"} dimensions`;
      const loaded = await api.floats("data/plugin/projector/tensor", {run: wish.run, name: wish.name, num_rows: count});
      points = loaded;
      host.dataset.points = String(count);
      space.draw();
    } catch (error) {
      note.textContent = error.message;
    }
  };

  const loadMetadata = async () => {
    rows = [];
    heads = [];
    if (info.metadataPath) {
      try {
        const lines = (await api.words("data/plugin/projector/metadata", {run: wish.run, name: wish.name, num_rows: 100000})).replace(/\n$/, "").split("\n").map((line) => line.replace(/\r$/, "").split("\t"));
        heads = lines[0].length > 1 ? lines.shift() : ["label"];
        rows = lines;
      } catch (error) {
        note.textContent = error.message;
      }
    }
    sprite = null;
    if (info.sprite?.imagePath && info.sprite.singleImageDim?.length === 2) {
      const image = new Image();
      image.onload = () => { sprite = image; space.draw(); };
      image.src = `data/plugin/projector/sprite_image?${api.query({run: wish.run, name: wish.name})}`;
    }
    colorize();
  };

  const settings = (runs, embeddings) => replace(side, el("fieldset", {}, el("legend", {}, "Embedding"),
    select("Run", runs.map((run) => [run, run]), wish.run, (run) => { wish.run = run; wish.name = ""; page.refresh(true); }), " ",
    select("Tensor", embeddings.map((one) => [one.tensorName, one.tensorName]), wish.name, (name) => { wish.name = name; page.refresh(true); })),
  el("fieldset", {}, el("legend", {}, "Projection"), choice("Projection", [["pca", "PCA"], ["tsne", "t-SNE"], ["umap", "UMAP"]], wish.method, (method) => { wish.method = method; project(); }), el("p"),
    choice("Dimensions", [[3, "3-D"], [2, "2-D"]], wish.dimensions, (dimensions) => { wish.dimensions = dimensions; project(); }),
    el("label", {class: "row"}, "Perplexity", el("input", {type: "number", min: 2, max: 100, value: wish.perplexity, onchange: (event) => { wish.perplexity = Number(event.target.value) || 25; if (wish.method === "tsne") project(); }})),
    el("label", {class: "row"}, "Neighbours", el("input", {type: "number", min: 2, max: 100, value: wish.neighbours, onchange: (event) => { wish.neighbours = Number(event.target.value) || 15; if (wish.method === "umap") project(); }}))),
  el("fieldset", {}, el("legend", {}, "Points"), heads.length ? [el("label", {class: "row"}, "Label", select("Label", heads.map((head, i) => [String(i), head]), String(wish.label), (i) => { wish.label = Number(i); space.draw(); })),
    el("label", {class: "row"}, "Colour", select("Colour", [["-1", "none"], ...heads.map((head, i) => [String(i), head])], String(wish.color), (i) => { wish.color = Number(i); colorize(); space.draw(); }))] : null,
  el("input", {type: "search", placeholder: "Find in the labels", value: wish.find, oninput: (event) => { wish.find = event.target.value; space.draw(); }}),
  choice("Distance", [["cosine", "Cosine"], ["euclid", "Euclidean"]], wish.metric, (metric) => { wish.metric = metric; choose(chosen); })));

  let known = "";
  const page = {
    async refresh(isOther = false) {
      const runs = await api.get("data/plugin/projector/runs");
      if (runs.length === 0) return void replace(host, empty("No embeddings yet", "A checkpoint or projector_config.pbtxt in the directory of a run is shown here."));
      if (!runs.includes(wish.run)) wish.run = runs[0];
      const config = await api.get("data/plugin/projector/info", {run: wish.run});
      const embeddings = config.embeddings || [];
      if (!embeddings.some((one) => one.tensorName === wish.name)) wish.name = embeddings[0]?.tensorName || "";
      const now = JSON.stringify([wish.run, wish.name, config]);
      if (now === known && !isOther) return;
      known = now;
      info = embeddings.find((one) => one.tensorName === wish.name) || {};
      replace(host, el("div", {class: "bar"}, note, el("span", {class: "small muted"}, "drag: turn, wheel: zoom, shift: move, click: neighbours")), el("div", {style: {position: "relative"}}, space.node, panel));
      await loadMetadata();
      settings(runs, embeddings);
      chosen = -1;
      panel.hidden = true;
      await project();
    },
    themeChanged: () => space.draw(),
    close: () => space.observer.disconnect(),
  };
  return page;
}
