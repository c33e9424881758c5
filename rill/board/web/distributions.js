// The page of distributions: how quantiles move over the steps.
import * as api from "./api.js";
import {choice, el} from "./dom.js";
import {LineChart} from "./linechart.js";
import {state} from "./state.js";
import {cardHead, runLine, taggedPage} from "./tagged.js";

const MOST = 400;
let axis = "step";

function makeCard(one) {
  const chart = new LineChart(), problem = el("div", {class: "small warn"});
  const load = async () => {
    try {
      const rows = await api.get("data/plugin/distributions/distributions", {run: one.run, tag: one.tag, most: MOST});
      const at = (row) => axis === "step" ? row[1] : axis === "wall" ? row[0] : (row[0] - rows[0][0]) / 3600;
      const x = rows.map(at), color = state.color(one.run);
      const quantile = (i) => rows.map((row) => row[2][i][1]);
      const names = ["least", "-1.5σ", "-σ", "-½σ", "median", "½σ", "σ", "1.5σ", "most"];
      const lines = names.map((name, i) => ({name, color, x, values: quantile(i), smoothed: quantile(i), steps: rows.map((row) => row[1]), count: rows.length}));
      chart.show(lines, {title: one.tag, axis, bands: [[0, 8], [1, 7], [2, 6], [3, 5]].map(([low, high]) => ({x, lower: quantile(low), upper: quantile(high), color}))});
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return {node: el("article", {class: "card"}, cardHead(one), runLine(one), problem, chart.node), load, close: () => chart.close()};
}

export function open(host, side) {
  return taggedPage(host, side, {plugin: "histograms", nothing: ["No distributions yet", "tf.summary.histogram writes what they show."], makeCard,
    settings: (page) => el("fieldset", {}, el("legend", {}, "Horizontal axis"),
      choice("Horizontal axis", [["step", "Step"], ["relative", "Relative"], ["wall", "Wall"]], axis, (value) => { axis = value; page.restyle(); }))});
}
