// The page of PR curves: precision over recall, a slider for the steps of each run.
import * as api from "./api.js";
import {el, empty, replace} from "./dom.js";
import {LineChart} from "./linechart.js";
import {Cards, grouped} from "./scalars.js";
import {state} from "./state.js";

function makeCard(one) {
  let tag = one;
  const chart = new LineChart(), sliders = el("div"), problem = el("div", {class: "small warn"});
  const chosen = new Map();
  const load = async () => {
    const has = new Set(tag.names === "all" ? state.names : tag.names);
    const runs = state.shown().filter((run) => has.has(run)).slice(0, 60);
    if (runs.length === 0) return chart.show([], {title: tag.tag});
    try {
      const found = await api.get("data/plugin/pr_curves/pr_curves", {tag: tag.tag, run: runs});
      const draw = () => {
        const lines = runs.map((run) => {
          const steps = found[run], entry = steps[Math.min(chosen.get(run) ?? steps.length - 1, steps.length - 1)];
          return {name: run, color: state.color(run), x: entry.recall, values: entry.precision, smoothed: entry.precision, count: entry.recall.length,
            order: entry.step};
        });
        // The search for the nearest point goes by growing x.
        for (const line of lines) {
          const order = line.x.map((_, i) => i).sort((a, b) => line.x[a] - line.x[b]);
          line.x = order.map((i) => line.x[i]);
          line.values = line.smoothed = order.map((i) => line.values[i]);
        }
        chart.show(lines, {title: tag.tag});
      };
      chart.zoom ||= {x: [0, 1], y: [0, 1.02]};
      replace(sliders, runs.map((run) => {
        const steps = found[run], text = el("span", {class: "small muted"});
        const tell = () => { text.textContent = `step ${steps[Math.min(chosen.get(run) ?? steps.length - 1, steps.length - 1)].step}`; };
        tell();
        return el("label", {class: "row small"}, el("span", {class: "dot", style: {background: state.color(run)}}), el("span", {title: run}, run),
          el("input", {type: "range", min: 0, max: steps.length - 1, value: chosen.get(run) ?? steps.length - 1, oninput: (event) => {
            chosen.set(run, Number(event.target.value));
            tell();
            draw();
          }}), text);
      }));
      draw();
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const node = el("article", {class: "card"}, el("div", {class: "head"}, el("span", {class: "title", title: one.description}, one.name || one.tag)),
    problem, chart.node, el("div", {class: "small muted"}, "precision over recall"), sliders);
  return {node, load, close: () => chart.close(), update: (now) => { tag = now; }};
}

export function open(host, side) {
  const body = el("div"), cards = new Cards(body, makeCard);
  replace(host, body);
  replace(side);
  return {
    async refresh() {
      const answer = await api.get("data/rill/tags", {plugin: "pr_curves"});
      const tags = answer.tags.map((tag) => ({...tag, key: tag.tag, names: tag.runs === "all" ? "all" : tag.runs.map((i) => answer.runs[i])}));
      if (tags.length === 0) return void replace(body, empty("No PR curves yet", "tensorboard.plugins.pr_curve writes some."));
      cards.show(grouped(tags));
      cards.stale();
    },
    runsChanged: () => cards.stale(),
    close: () => cards.close(),
  };
}
