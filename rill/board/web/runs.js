// The page of runs: a question picks and sorts them.
import * as api from "./api.js";
import {download, el, number, replace} from "./dom.js";
import {state} from "./state.js";

let text = "";

export function open(host, side) {
  const problem = el("div", {class: "warn small"}), body = el("div");
  const ask = el("input", {type: "text", value: text, placeholder: "lr > 0.01 and accuracy.last > 0.9 sort loss.min", "aria-label": "Question", style: {width: "min(560px, 90vw)"},
    onkeydown: (event) => event.key === "Enter" && page.refresh()});
  let rows = [], columns = [];
  const page = {
    async refresh() {
      text = ask.value;
      try {
        ({rows, columns} = await api.get("data/rill/query", {q: text}));
        problem.textContent = "";
      } catch (error) {
        problem.textContent = error.message;
        return;
      }
      const facts = new Map(state.runs.map((run) => [run.name, run]));
      replace(body, el("p", {class: "muted"}, `${rows.length} of ${state.names.length} runs`), el("div", {class: "scroll"}, el("table", {class: "data"},
        el("tr", {}, ["Run", ...columns, "Began", "Events"].map((head) => el("th", {}, head))),
        rows.slice(0, 2000).map(({run, values}) => el("tr", {},
          el("td", {}, el("span", {class: "dot", style: {background: state.color(run), display: "inline-block"}}), " ", run),
          values.map((value) => el("td", {class: typeof value === "number" ? "number" : ""}, value === null ? "" : typeof value === "number" ? number(value, 5) : String(value))),
          el("td", {class: "muted"}, facts.get(run)?.start ? new Date(facts.get(run).start * 1000).toLocaleString() : ""),
          el("td", {class: "number muted"}, String(facts.get(run)?.events ?? "")))))));
    },
    close() {},
  };
  replace(host, el("div", {class: "bar"}, ask, el("button", {class: "primary", onclick: () => page.refresh()}, "Ask"),
    el("button", {onclick: () => state.show(rows.map((row) => row.run))}, "Show these runs"),
    el("button", {onclick: () => download("runs.json", JSON.stringify(rows.map(({run, values}) => ({run, ...Object.fromEntries(columns.map((name, i) => [name, values[i]]))}))), "application/json")}, "JSON")),
  problem, el("p", {class: "small muted"}, "Names are hyperparameters or tags, with .last .first .min .max .mean .count .step; also run ~ \"pattern\", and, or, not, brackets, `names with blanks`, sort NAME desc, limit N."), body);
  replace(side);
  return page;
}
