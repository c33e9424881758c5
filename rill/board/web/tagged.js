// Pages with a card for each tag of each run: pictures, clips, texts, histograms.
import * as api from "./api.js";
import {byName, el, empty, later, replace} from "./dom.js";
import {Cards, grouped} from "./scalars.js";
import {matcher, state} from "./state.js";

// `makeCard` gets {tag, run, samples, description}; `settings` are elements for the side.
export function taggedPage(host, side, {plugin, nothing, makeCard, settings}) {
  const filter = el("input", {type: "search", placeholder: "Tags (pattern)", value: state.settings.tagPattern, "aria-label": "Filter tags"});
  const body = el("div");
  replace(host, el("div", {class: "bar"}, filter), body);
  let tags = [];
  const page = {
    arrange() {
      if (tags.length === 0) return void replace(body, empty(...nothing));
      const fits = matcher(state.settings.tagPattern);
      const groups = new Map();
      for (const [name, list] of grouped(tags.filter((tag) => fits(tag.tag)))) {
        const cards = list.flatMap((tag) => (tag.names === "all" ? state.names : [...tag.names].sort(byName))
          .filter((run) => state.isShown(run)).map((run) => ({...tag, run, key: `${tag.tag}\0${run}`})));
        if (cards.length) groups.set(name, cards);
      }
      cards.show(groups);
    },
    async refresh() {
      const answer = await api.get("data/rill/tags", {plugin});
      tags = answer.tags.map((tag) => ({...tag, names: tag.runs === "all" ? "all" : tag.runs.map((i) => answer.runs[i])}));
      page.arrange();
      cards.stale();
    },
    restyle: () => cards.stale(),
    runsChanged: () => page.arrange(),
    close: () => cards.close(),
  };
  const cards = new Cards(body, makeCard);
  filter.addEventListener("input", later(() => {
    state.set({tagPattern: filter.value});
    page.arrange();
  }, 150));
  replace(side, settings ? settings(page) : null);
  return page;
}

export function cardHead(one, ...more) {
  return el("div", {class: "head"}, el("span", {class: "dot", style: {background: state.color(one.run)}}),
    el("span", {class: "title", title: one.description || one.tag}, "\u00a0", one.name || one.tag), ...more);
}

export function runLine(one) {
  return el("div", {class: "muted small", title: one.run}, one.run);
}

// A slider over the steps of something; the last is shown until somebody moves it.
export class StepSlider {
  constructor(changed) {
    this.input = el("input", {type: "range", min: 0, max: 0, value: 0, "aria-label": "Step"});
    this.text = el("span", {class: "small muted"});
    this.node = el("div", {class: "row"}, this.input, this.text);
    this.isLast = true;
    this.changed = changed;
    this.input.addEventListener("input", () => {
      this.isLast = Number(this.input.value) === this.values.length - 1;
      this.tell();
      changed(this.value());
    });
  }

  show(values) {
    const before = Number(this.input.value);
    this.values = values;
    this.input.max = values.length - 1;
    this.input.value = this.isLast ? values.length - 1 : Math.min(before, values.length - 1);
    this.input.hidden = values.length < 2;
    this.tell();
    if (values.length) this.changed(this.value());
  }

  value() {
    return this.values[Number(this.input.value)];
  }

  tell() {
    const value = this.value();
    this.text.textContent = value ? `step ${value.step} · ${new Date(value.wall_time * 1000).toLocaleString()}` : "nothing yet";
  }
}
