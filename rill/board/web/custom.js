// The page of custom scalars: charts as a layout in the logs asks for them.
import * as api from "./api.js";
import {el, empty, replace} from "./dom.js";
import {LineChart} from "./linechart.js";
import {Cards, chartOptions, settingsOf} from "./scalars.js";
import {state} from "./state.js";

const MOST_RUNS = 40;

function lineOf(name, color, events) {
  const s = state.settings, begin = events.length ? events[0][0] : 0;
  const values = Float64Array.from(events, (event) => typeof event[2] === "number" ? event[2] : NaN);
  const smoothed = new Float64Array(values.length);
  let average = 0, left = 1;
  values.forEach((value, i) => {
    if (!Number.isFinite(value) || s.smoothing === 0) return void (smoothed[i] = value);
    average = average * s.smoothing + (1 - s.smoothing) * value;
    left *= s.smoothing;
    smoothed[i] = average / (1 - left);
  });
  return {name, color, begin, values, smoothed, count: events.length, steps: events.map((event) => event[1]), walls: events.map((event) => event[0]),
    x: events.map((event) => s.axis === "step" ? event[1] : s.axis === "wall" ? event[0] : (event[0] - begin) / 3600)};
}

function makeCard(one) {
  let wish = one.chart;
  const chart = new LineChart(), problem = el("div", {class: "small warn"});
  const load = async () => {
    const runs = state.shown().slice(0, MOST_RUNS), lines = [], bands = [];
    try {
      for (const run of runs) {
        if (wish.multiline)
          for (const pattern of wish.multiline.tag) {
            const found = await api.get("data/plugin/custom_scalars/scalars", {run, tag: pattern});
            if (!found.regex_valid) problem.textContent = `This is no pattern: ${pattern}`;
            for (const [tag, events] of Object.entries(found.tag_to_events)) lines.push(lineOf(runs.length > 1 ? `${tag} (${run})` : tag, state.color(run), events));
          }
        for (const series of wish.margin?.series || []) {
          const [value, lower, upper] = await Promise.all([series.value, series.lower, series.upper].map(async (tag) =>
            (await api.get("data/plugin/custom_scalars/scalars", {run, tag: `${tag.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`})).tag_to_events[tag] || []));
          if (!value.length) continue;
          const middle = lineOf(`${series.value} (${run})`, state.color(run), value);
          lines.push(middle);
          const size = Math.min(value.length, lower.length, upper.length);
          bands.push({color: middle.color, x: middle.x.slice(0, size), lower: lower.slice(0, size).map((e) => e[2]), upper: upper.slice(0, size).map((e) => e[2])});
        }
      }
      chart.show(lines, {...chartOptions(wish.title), bands, isSmooth: state.settings.smoothing > 0 && bands.length === 0});
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const node = el("article", {class: "card"}, el("div", {class: "head"}, el("span", {class: "title"}, wish.title)), problem, chart.node);
  return {node, load, close: () => chart.close(), update: (now) => { wish = now.chart; }};
}

export function open(host, side) {
  const body = el("div"), cards = new Cards(body, makeCard);
  replace(host, body);
  replace(side, settingsOf(() => cards.stale()));
  return {
    async refresh() {
      const layout = await api.get("data/plugin/custom_scalars/layout");
      if (!layout.category?.length) return void replace(body, empty("No layout yet", "tensorboard.plugins.custom_scalar writes one."));
      cards.show(new Map(layout.category.map((category, i) => [category.title || `category ${i}`,
        category.chart.map((chart, k) => ({key: `${i} ${k} ${chart.title}`, chart}))])));
      cards.stale();
    },
    runsChanged: () => cards.stale(),
    close: () => cards.close(),
  };
}
