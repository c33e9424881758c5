// The page of scalars: a card for each tag.
import * as api from "./api.js";
import {byName, check, choice, download, el, empty, iconButton, later, replace} from "./dom.js";
import {LineChart, hideTip} from "./linechart.js";
import {matcher, state} from "./state.js";

const MOST_LINES = 400;

export function settingsOf(changed) {
  const s = state.settings;
  const slider = el("input", {type: "range", min: 0, max: 0.999, step: 0.001, value: s.smoothing, "aria-label": "Smoothing"});
  const exact = el("input", {type: "number", min: 0, max: 0.999, step: 0.05, value: s.smoothing, style: {width: "72px"}, "aria-label": "Smoothing, exact"});
  const set = (value) => {
    value = Math.min(Math.max(Number(value) || 0, 0), 0.999);
    slider.value = exact.value = value;
    state.set({smoothing: value});
    changed();
  };
  slider.addEventListener("input", () => { exact.value = slider.value; });
  slider.addEventListener("change", () => set(slider.value));
  exact.addEventListener("change", () => set(exact.value));
  const flip = (name) => (value) => {
    state.set({[name]: value});
    changed();
  };
  return el("fieldset", {}, el("legend", {}, "Chart"),
    el("label", {class: "row"}, "Smoothing", slider, exact),
    choice("Horizontal axis", [["step", "Step"], ["relative", "Relative"], ["wall", "Wall"]], s.axis, flip("axis")),
    check("Logarithmic horizontal axis", s.logX, flip("logX")),
    check("Logarithmic vertical axis", s.logY, flip("logY")),
    check("Leave outliers out of the scale", s.outliers, flip("outliers")));
}

// Names of tags with the same first part stand together.
export function grouped(tags) {
  const groups = new Map();
  for (const tag of [...tags].sort((a, b) => byName(a.tag, b.tag))) {
    const slash = tag.tag.indexOf("/");
    const name = slash > 0 ? tag.tag.slice(0, slash) : "";
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(tag);
  }
  return groups;
}

// Cards are filled when they come into view.
export class Cards {
  constructor(host, makeCard) {
    this.host = host;
    this.makeCard = makeCard;
    this.cards = new Map();
    this.seen = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const card = this.cards.get(entry.target.dataset.key);
        if (!card) continue;
        card.isSeen = entry.isIntersecting;
        if (card.isSeen && card.isStale) this.load(card);
      }
    }, {rootMargin: "200px"});
  }

  load(card) {
    card.isStale = false;
    card.load();
  }

  stale() {
    for (const card of this.cards.values()) {
      card.isStale = true;
      if (card.isSeen) this.load(card);
    }
  }

  // `groups`: a map of names to lists of {key, ...}.
  show(groups) {
    const shape = JSON.stringify([...groups].map(([name, list]) => [name, list.map((one) => one.key)]));
    if (shape === this.shape && this.host.firstChild) {  // nothing moves while news come
      for (const one of [...groups.values()].flat()) this.card(one);
      return;
    }
    this.shape = shape;
    const keys = new Set([...groups.values()].flat().map((one) => one.key));
    for (const [key, card] of this.cards)
      if (!keys.has(key)) {
        this.seen.unobserve(card.node);
        card.close?.();
        this.cards.delete(key);
      }
    const closed = new Set(state.settings.closed);
    replace(this.host, [...groups].map(([name, list]) => {
      const grid = el("div", {class: "cards"}, list.map((one) => this.card(one).node));
      const details = el("details", {class: "group", open: !closed.has(name)},
        el("summary", {}, name || "other", " ", el("span", {class: "muted"}, String(list.length))), grid);
      details.addEventListener("toggle", () => {
        const now = new Set(state.settings.closed);
        if (details.open) now.delete(name);
        else now.add(name);
        state.set({closed: [...now]});
      });
      return details;
    }));
  }

  card(one) {
    let card = this.cards.get(one.key);
    if (card) {
      card.update?.(one);
      return card;
    }
    card = this.makeCard(one);
    card.isStale = true;
    card.node.dataset.key = one.key;
    this.cards.set(one.key, card);
    this.seen.observe(card.node);
    return card;
  }

  close() {
    this.seen.disconnect();
    for (const card of this.cards.values()) card.close?.();
    hideTip();
  }
}

function runsOf(tag) {
  const all = new Set(tag.names === "all" ? state.names : tag.names);
  return state.shown().filter((run) => all.has(run)).slice(0, MOST_LINES);
}

export function wish(tag, runs, range, columns) {
  const s = state.settings;
  return {tag, runs, axis: s.axis, smoothing: s.smoothing, columns, ...(range ? {from: range[0], to: range[1]} : {})};
}

export function dressed(lines) {
  return lines.map((line) => ({...line, name: line.run, color: state.color(line.run),
    begin: line.walls.length ? line.walls[0] : 0}));
}

export function chartOptions(title) {
  const s = state.settings;
  return {title, axis: s.axis, logX: s.logX && s.axis !== "wall", logY: s.logY, outliers: s.outliers, isSmooth: s.smoothing > 0};
}

function makeCard(page, one) {
  let tag = one, range = null, aborter = null;
  const load = async () => {
    aborter?.abort();
    aborter = new AbortController();
    const columns = Math.ceil(Math.max(chart.node.clientWidth, 300));
    try {
      const lines = await api.lines(wish(tag.tag, runsOf(tag), range, columns), aborter.signal);
      problem.textContent = "";
      chart.show(dressed(lines), chartOptions(tag.tag));
      count.textContent = lines.length === 1 ? "" : `${lines.length} runs`;
      node.dataset.loaded = String(lines.length);
    } catch (error) {
      if (error.name !== "AbortError") problem.textContent = error.message;
    }
  };
  const chart = new LineChart({zoomed: (wanted) => {
    range = wanted;
    load();
  }});
  const problem = el("div", {class: "small warn"}), count = el("span", {class: "muted small"});
  const isPinned = () => state.settings.pins.includes(tag.tag);
  const pin = iconButton("pin", "Pin to the top", () => {
    const pins = state.settings.pins.filter((name) => name !== tag.tag);
    if (!isPinned()) pins.push(tag.tag);
    state.set({pins});
    pin.setAttribute("aria-pressed", String(isPinned()));
    page.arrange();
  }, {"aria-pressed": String(isPinned())});
  const wide = iconButton("wide", "Wide or narrow", () => {
    node.classList.toggle("wide");
    chart.draw();
    load();
  });
  const more = iconButton("save", "Download", () => downloads(tag, chart));
  const node = el("article", {class: "card"},
    el("div", {class: "head"}, el("span", {class: "title", title: tag.description || tag.tag}, tag.tag), count, pin, wide, more),
    problem, chart.node);
  return {node, load, close: () => chart.close(), update: (now) => { tag = now; }};
}

function downloads(tag, chart) {
  const dialog = document.getElementById("dialog"), runs = runsOf(tag);
  const name = tag.tag.replace(/[^\w.-]+/g, "_");
  const data = (run, format) => api.words("data/plugin/scalars/scalars", {run, tag: tag.tag, format});
  const all = async (format) => {
    if (format === "json") {
      const parts = await Promise.all(runs.map(async (run) => [run, JSON.parse(await data(run, "json"))]));
      return download(`${name}.json`, JSON.stringify(Object.fromEntries(parts)), "application/json");
    }
    const quote = (text) => /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const parts = await Promise.all(runs.map(async (run) => (await data(run, "csv")).trim().split(/\r?\n/).slice(1)
      .map((line) => `${quote(run)},${line}`)));
    download(`${name}.csv`, ["Run,Wall time,Step,Value", ...parts.flat()].join("\n") + "\n", "text/csv");
  };
  replace(dialog, el("h2", {}, `Download ${tag.tag}`), el("p", {class: "muted"}, `${runs.length} runs, all their points`),
    el("div", {class: "bar"},
      el("button", {onclick: () => all("csv")}, "CSV"), el("button", {onclick: () => all("json")}, "JSON"),
      el("button", {onclick: () => download(`${name}.svg`, chart.svgText(), "image/svg+xml")}, "SVG"),
      el("button", {onclick: () => chart.canvas.toBlob((blob) => download(`${name}.png`, blob))}, "PNG"),
      el("button", {onclick: () => dialog.close()}, "Close")));
  dialog.showModal();
}

export function open(host, side) {
  const filter = el("input", {type: "search", placeholder: "Tags (pattern)", value: state.settings.tagPattern, "aria-label": "Filter tags"});
  const body = el("div");
  replace(host, el("div", {class: "bar"}, filter), body);
  let tags = [];
  const page = {
    arrange() {
      const fits = matcher(state.settings.tagPattern);
      const wanted = tags.filter((tag) => fits(tag.tag));
      const groups = new Map();
      const pinned = wanted.filter((tag) => state.settings.pins.includes(tag.tag));
      if (pinned.length) groups.set("pinned", pinned.map((tag) => ({...tag, key: `pin ${tag.tag}`})));
      for (const [name, list] of grouped(wanted)) groups.set(name, list.map((tag) => ({...tag, key: tag.tag})));
      if (tags.length === 0) replace(body, empty("No scalars yet", "They appear here as soon as a run writes some."));
      else cards.show(groups);
    },
    async refresh() {
      const answer = await api.get("data/rill/tags", {plugin: "scalars"});
      tags = answer.tags.map((tag) => ({...tag, names: tag.runs === "all" ? "all" : tag.runs.map((i) => answer.runs[i])}));
      page.arrange();
      cards.stale();
    },
    runsChanged: () => cards.stale(),
    close: () => cards.close(),
  };
  const cards = new Cards(body, (one) => makeCard(page, one));
  filter.addEventListener("input", later(() => {
    state.set({tagPattern: filter.value});
    page.arrange();
  }, 150));
  replace(side, settingsOf(() => cards.stale()));
  return page;
}
