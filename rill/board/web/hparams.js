// The page of hyperparameters: a table, parallel coordinates, a matrix of scatter plots.
import * as api from "./api.js";
import {byName, check, choice, download, el, empty, number, replace, svg} from "./dom.js";
import {themeColor} from "./state.js";

const wish = {view: "table", sort: "", isDown: false, hidden: new Set(), color: "", filters: new Map(), chosen: ""};
const MOST_SCATTERED = 6;

function valueOf(group, column) {
  if (column.metric) {
    const found = group.metricValues.find((one) => one.name.tag === column.metric.tag && one.name.group === column.metric.group);
    return found ? (typeof found.value === "number" ? found.value : Number(found.value)) : undefined;
  }
  return group.hparams[column.name];
}

function compare(a, b) {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1;
  return typeof a === "number" && typeof b === "number" ? a - b : byName(String(a), String(b));
}

function colorOf(part) {
  const h = 240 - 240 * part;
  return `hsl(${h} 70% 50%)`;
}

// Where a value stands between 0 and 1; texts in the order of their names.
function scaleOf(groups, column) {
  const values = groups.map((group) => valueOf(group, column)).filter((value) => value !== undefined);
  if (values.every((value) => typeof value === "number" && Number.isFinite(value))) {
    const low = Math.min(...values), high = Math.max(...values);
    const isLog = low > 0 && high / low >= 100;
    const raise = isLog ? Math.log : (value) => value;
    return {low, high, isLog, ticks: [high, low].map((value) => number(value)),
      part: (value) => value === undefined ? undefined : high > low ? (raise(value) - raise(low)) / (raise(high) - raise(low)) : 0.5};
  }
  const names = [...new Set(values.map(String))].sort(byName);
  return {names, ticks: [...names].reverse(), part: (value) => value === undefined ? undefined : names.length > 1 ? names.indexOf(String(value)) / (names.length - 1) : 0.5};
}

export function open(host, side) {
  let columns = [], groups = [];
  const body = el("div");

  const shown = () => columns.filter((column) => !wish.hidden.has(column.key));
  const filtered = () => {
    const fits = groups.filter((group) => [...wish.filters].every(([key, [low, high]]) => {
      const column = columns.find((one) => one.key === key);
      const part = column && scaleOf(groups, column).part(valueOf(group, column));
      return part === undefined ? !column : part >= low && part <= high;
    }));
    const column = columns.find((one) => one.key === wish.sort);
    if (column) fits.sort((a, b) => {
      const x = valueOf(a, column), y = valueOf(b, column);
      return (wish.isDown && x !== undefined && y !== undefined ? -1 : 1) * compare(x, y);
    });
    return fits;
  };
  const painted = (list) => {
    const column = columns.find((one) => one.key === wish.color) || columns.find((one) => one.metric) || columns[0];
    const scale = column && scaleOf(groups, column);
    return (group) => scale ? colorOf(scale.part(valueOf(group, column)) ?? 0) : "#888";
  };

  const table = (list) => el("div", {class: "scroll"}, el("table", {class: "data"},
    el("tr", {}, el("th", {}, "Group"), shown().map((column) => el("th", {title: column.description, onclick: () => {
      wish.isDown = wish.sort === column.key && !wish.isDown;
      wish.sort = column.key;
      draw();
    }}, column.title, wish.sort === column.key ? (wish.isDown ? " ▼" : " ▲") : "")), el("th", {}, "Status")),
    list.slice(0, 2000).map((group) => el("tr", {}, el("td", {}, group.name), shown().map((column) => {
      const value = valueOf(group, column);
      return el("td", {class: typeof value === "number" ? "number" : ""}, typeof value === "number" ? number(value, 5) : value === undefined ? "" : String(value));
    }), el("td", {class: "muted"}, group.sessions.map((session) => session.status.replace("STATUS_", "").toLowerCase()).join(", "))))));

  const parallel = (list) => {
    const axes = shown(), width = Math.max(axes.length * 130, 500), height = 420, top = 46, bottom = height - 24;
    const x = (i) => axes.length > 1 ? 60 + i * (width - 120) / (axes.length - 1) : width / 2;
    const scales = axes.map((column) => scaleOf(groups, column)), color = painted(list);
    const picture = svg("svg", {width, height, role: "img", "aria-label": "Parallel coordinates"});
    const inList = new Set(list);
    for (const group of [...groups.filter((one) => !inList.has(one)), ...list]) {
      let d = "";
      axes.forEach((column, i) => {
        const part = scales[i].part(valueOf(group, column));
        if (part !== undefined) d += `${d ? "L" : "M"}${x(i)} ${bottom - part * (bottom - top)}`;
      });
      const line = svg("path", {d, fill: "none", stroke: inList.has(group) ? color(group) : themeColor("--line"), "stroke-width": group.name === wish.chosen ? 3 : 1.4,
        "stroke-opacity": inList.has(group) ? 0.85 : 0.5, onclick: () => { wish.chosen = group.name; draw(); }}, svg("title", {}, group.name));
      picture.append(line);
    }
    axes.forEach((column, i) => {
      picture.append(svg("line", {x1: x(i), x2: x(i), y1: top, y2: bottom, stroke: themeColor("--stroke")}),
        svg("text", {x: x(i), y: 16, "text-anchor": "middle", "font-weight": 600}, column.title.length > 18 ? `${column.title.slice(0, 17)}…` : column.title));
      scales[i].ticks.slice(0, 12).forEach((tick, k, all) => picture.append(svg("text", {x: x(i) + 5, y: all.length > 1 ? top + 4 + k * (bottom - top) / (all.length - 1) : (top + bottom) / 2}, tick)));
      const range = wish.filters.get(column.key);
      if (range) picture.append(svg("rect", {x: x(i) - 7, width: 14, y: bottom - range[1] * (bottom - top), height: (range[1] - range[0]) * (bottom - top), fill: themeColor("--accent"), "fill-opacity": 0.3}));
      const grip = svg("rect", {x: x(i) - 12, width: 24, y: top, height: bottom - top, fill: "transparent", style: {cursor: "ns-resize"}});
      let start = null;
      const part = (event) => Math.min(Math.max((bottom - (event.clientY - picture.getBoundingClientRect().top)) / (bottom - top), 0), 1);
      grip.addEventListener("pointerdown", (event) => { start = part(event); grip.setPointerCapture(event.pointerId); });
      grip.addEventListener("pointerup", (event) => {
        const end = part(event);
        if (Math.abs(end - start) < 0.02) wish.filters.delete(column.key);
        else wish.filters.set(column.key, [Math.min(start, end), Math.max(start, end)]);
        draw();
      });
      picture.append(grip);
    });
    return el("div", {}, el("p", {class: "small muted"}, "Drag along an axis to filter, click it to end that. Coloured by the value chosen at the side."), el("div", {class: "scroll"}, picture));
  };

  const scatter = (list) => {
    const metrics = shown().filter((column) => column.metric).slice(0, MOST_SCATTERED);
    const inputs = shown().filter((column) => !column.metric).slice(0, MOST_SCATTERED), color = painted(list), size = 170;
    return el("div", {class: "scroll"}, el("table", {}, metrics.map((metric) => el("tr", {}, inputs.map((input) => {
      const xs = scaleOf(groups, input), ys = scaleOf(groups, metric);
      const picture = svg("svg", {width: size, height: size}, svg("rect", {x: 26, y: 4, width: size - 32, height: size - 34, fill: "none", stroke: themeColor("--line")}),
        svg("text", {x: size / 2, y: size - 4, "text-anchor": "middle"}, input.title), svg("text", {x: 4, y: size / 2, transform: `rotate(-90 10 ${size / 2})`, "text-anchor": "middle"}, metric.title));
      for (const group of list) {
        const px = xs.part(valueOf(group, input)), py = ys.part(valueOf(group, metric));
        if (px === undefined || py === undefined) continue;
        picture.append(svg("circle", {cx: 32 + px * (size - 44), cy: 10 + (1 - py) * (size - 46), r: group.name === wish.chosen ? 5 : 3.2, fill: color(group), "fill-opacity": 0.85,
          onclick: () => { wish.chosen = group.name; draw(); }}, svg("title", {}, group.name)));
      }
      return el("td", {}, picture);
    })))));
  };

  const draw = () => {
    const list = filtered();
    const views = {table, parallel, scatter};
    replace(body, el("div", {class: "bar"}, choice("View", [["table", "Table"], ["parallel", "Parallel coordinates"], ["scatter", "Scatter plots"]], wish.view, (view) => { wish.view = view; draw(); }),
      el("span", {class: "muted"}, `${list.length} of ${groups.length} groups`),
      wish.filters.size ? el("button", {onclick: () => { wish.filters.clear(); draw(); }}, "Clear filters") : null,
      el("button", {onclick: () => {
        const quote = (value) => value === undefined ? "" : /[",\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : String(value);
        download("hparams.csv", [["group", ...shown().map((column) => column.title)], ...list.map((group) => [group.name, ...shown().map((column) => valueOf(group, column))])]
          .map((row) => row.map(quote).join(",")).join("\n") + "\n", "text/csv");
      }}, "CSV")), views[wish.view](list));
    const chosen = wish.view !== "table" && groups.find((group) => group.name === wish.chosen);
    if (chosen) body.append(el("article", {class: "card"}, el("h3", {}, chosen.name), table([chosen])));
  };

  return {
    async refresh() {
      const experiment = await api.post("data/plugin/hparams/experiment", {});
      const answer = await api.post("data/plugin/hparams/session_groups", {startIndex: 0, sliceSize: 100000,
        allowedStatuses: ["STATUS_UNKNOWN", "STATUS_SUCCESS", "STATUS_FAILURE", "STATUS_RUNNING"]});
      groups = answer.sessionGroups;
      columns = [...experiment.hparamInfos.map((info) => ({key: `h ${info.name}`, name: info.name, title: info.displayName || info.name, description: info.description})),
        ...experiment.metricInfos.map((info) => ({key: `m ${info.name.group} ${info.name.tag}`, metric: info.name, description: info.description,
          title: info.displayName || (info.name.group ? `${info.name.group}: ${info.name.tag}` : info.name.tag)}))];
      if (groups.length === 0) {
        replace(side);
        return void replace(host, empty("No hyperparameters yet", "tensorboard.plugins.hparams writes them."));
      }
      replace(host, body);
      const colors = el("select", {"aria-label": "Colour by", onchange: () => { wish.color = colors.value; draw(); }}, columns.map((column) => el("option", {value: column.key}, column.title)));
      colors.value = wish.color || columns.find((column) => column.metric)?.key || columns[0]?.key;
      replace(side, el("fieldset", {}, el("legend", {}, "Colour by"), colors), el("fieldset", {}, el("legend", {}, "Columns"),
        columns.map((column) => check(column.title, !wish.hidden.has(column.key), (value) => {
          if (value) wish.hidden.delete(column.key);
          else wish.hidden.add(column.key);
          draw();
        }))));
      draw();
    },
    close() {},
  };
}
