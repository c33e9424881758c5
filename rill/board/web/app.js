// The frame: pages, the list of runs, news from the server, keys.
import * as api from "./api.js";
import {el, empty, later, replace} from "./dom.js";
import {hideTip} from "./linechart.js";
import {matcher, state} from "./state.js";
import * as audio from "./audio.js";
import * as curves from "./curves.js";
import * as custom from "./custom.js";
import * as distributions from "./distributions.js";
import * as graphs from "./graphs.js";
import * as histograms from "./histograms.js";
import * as hparams from "./hparams.js";
import * as images from "./images.js";
import * as mesh from "./mesh.js";
import * as profile from "./profile.js";
import * as projector from "./projector.js";
import * as runs from "./runs.js";
import * as scalars from "./scalars.js";
import * as texts from "./texts.js";

// Name, title, what of a log makes it worth showing, the page; some have no list of runs.
const PAGES = [
  ["scalars", "Scalars", ["scalars"], scalars],
  ["custom", "Custom scalars", ["custom_scalars"], custom],
  ["images", "Images", ["images"], images],
  ["audio", "Audio", ["audio"], audio],
  ["text", "Text", ["text"], texts],
  ["histograms", "Histograms", ["histograms"], histograms],
  ["distributions", "Distributions", ["histograms"], distributions],
  ["graphs", "Graphs", ["graphs", "graph_run_metadata", "graph_run_metadata_graph", "graph_keras_model"], graphs],
  ["pr_curves", "PR curves", ["pr_curves"], curves],
  ["projector", "Projector", ["projector"], projector],
  ["hparams", "HParams", ["hparams"], hparams],
  ["mesh", "Mesh", ["mesh"], mesh],
  ["profile", "Profile", ["profile", "graph_run_metadata"], profile],
  ["runs", "Runs", [], runs],
];
const MOST_LISTED = 400;

const $ = (id) => document.getElementById(id);
let current = null, currentName = "";

function pageOf(hash) {
  return PAGES.find(([name]) => name === hash.replace(/^#/, "").split("?")[0]);
}

function drawTabs() {
  const has = ([name, , plugins]) => plugins.length === 0 || plugins.some((plugin) => state.parts.includes(plugin)) ||
    name === currentName || name === "graphs";
  replace($("tabs"), PAGES.filter(has).map(([name, title]) => el("a", {href: `#${name}`, "aria-current": name === currentName ? "page" : null}, title)));
}

function open(name) {
  const [, title, , page] = pageOf(name) || PAGES[0];
  current?.close?.();
  hideTip();
  currentName = (pageOf(name) || PAGES[0])[0];
  document.title = `${title} · ${state.title || "Rill board"}`;
  replace($("page"));
  const settings = el("div"), list = el("div");
  replace($("side"), el("button", {class: "toggle", onclick: () => $("side").classList.toggle("folded")}, "Runs and settings"), settings, list);
  try {
    current = page.open($("page"), settings);
  } catch (error) {
    replace($("page"), empty("This page could not be shown", error.message));
    current = null;
  }
  drawRuns(list);
  drawTabs();
  refresh();
}

async function refresh() {
  const page = current;
  try {
    await page?.refresh?.();
  } catch (error) {
    if (page === current) replace($("page"), empty("The server did not answer as hoped", error.message));
  }
}

// The list of runs, of which the first that fit the pattern are there to be clicked.
function drawRuns(host) {
  const filter = el("input", {type: "search", placeholder: "Filter runs (pattern)", value: state.pattern, "aria-label": "Filter runs"});
  const list = el("ul", {class: "runs"}), note = el("div", {class: "muted small"});
  const fitting = () => state.names.filter(matcher(state.pattern));
  const update = () => {
    const names = fitting();
    replace(list, names.slice(0, MOST_LISTED).map((name) => el("li", {},
      el("input", {type: "checkbox", checked: state.isShown(name), "aria-label": name, onchange: () => state.toggle(name)}),
      el("span", {class: "dot", style: {background: state.color(name)}}),
      el("span", {class: "name", title: name, onclick: () => state.toggle(name)}, name),
      el("button", {class: "plain small only", title: "Only this run", onclick: () => state.show([name])}, "only"))));
    note.textContent = names.length > MOST_LISTED ? `${names.length - MOST_LISTED} more: narrow the pattern` : "";
    head.textContent = `Runs ${state.shown().length} / ${state.names.length}`;
  };
  const head = el("legend", {}, "Runs");
  const buttons = el("div", {class: "bar"},
    el("button", {class: "small", title: "Show those that fit the pattern, hide the others", onclick: () => state.show(fitting())}, "Show these"),
    el("button", {class: "small", onclick: () => state.show([...state.shown(), ...fitting()])}, "Add"),
    el("button", {class: "small", onclick: () => {
      const gone = new Set(fitting());
      state.show(state.shown().filter((name) => !gone.has(name)));
    }}, "Hide"));
  filter.addEventListener("input", later(() => {
    state.pattern = filter.value;
    update();
  }, 120));
  drawRuns.update = update;
  replace(host, el("fieldset", {}, head, filter, buttons, list, note),
    state.damages?.length ? el("details", {class: "small warn"}, el("summary", {}, `${state.damages.length} damaged files`),
      state.damages.map((text) => el("div", {}, text))) : null,
    el("div", {class: "muted small"}, state.logdir || ""));
  update();
}

async function overview() {
  const found = await api.get("data/rill/overview");
  state.title = found.title || found.logdir;
  state.take(found);
  $("state").textContent = found.loaded ? "" : "reading…";
  drawTabs();
  drawRuns.update?.();
  return found.version;
}

// News come as soon as there are any; while the server is away it is asked again.
async function follow(version) {
  let pause = 500;
  while (true) {
    try {
      const news = await api.get("data/rill/changes", {version});
      pause = 500;
      if (news.version === version) continue;
      version = await overview();
      if (!document.hidden) await refresh();
      await new Promise((resolve) => setTimeout(resolve, 250));
    } catch {
      $("state").textContent = "the server is away";
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 10000);
    }
  }
}

function setTheme(theme) {
  document.documentElement.classList.remove("dark", "light");
  if (theme) document.documentElement.classList.add(theme);
  current?.themeChanged?.();
  window.dispatchEvent(new Event("resize"));
}

function flipTheme() {
  const isDark = state.settings.theme ? state.settings.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  state.set({theme: isDark ? "light" : "dark"});
  setTheme(state.settings.theme);
  refresh();
}

function showHelp() {
  const dialog = $("dialog");
  const rows = [["1 … 9", "the first pages"], ["/", "search everything"], ["f", "filter runs"], ["d", "light or dark"], ["r", "look again"],
    ["Esc", "close, or show the whole chart"], ["drag", "zoom a chart; a double click shows all of it"], ["?", "these keys"]];
  replace(dialog, el("h2", {}, "Keys"), el("table", {class: "data"}, rows.map(([key, text]) => el("tr", {}, el("td", {}, el("kbd", {}, key)), el("td", {}, text)))),
    el("p", {}, el("button", {onclick: () => dialog.close()}, "Close")));
  dialog.showModal();
}

const PAGE_OF = {scalars: "scalars", images: "images", audio: "audio", text: "text", histograms: "histograms", pr_curves: "pr_curves", hparams: "hparams", mesh: "mesh"};

async function search(text) {
  if (!text.trim()) return;
  const dialog = $("dialog");
  try {
    const hits = await api.get("data/rill/search", {q: text.trim()});
    replace(dialog, el("h2", {}, `“${text}”`), hits.length === 0 ? el("p", {class: "muted"}, "Nothing found.") : null,
      el("div", {class: "scroll"}, el("table", {class: "data"}, hits.map((hit) => el("tr", {},
        el("td", {class: "muted"}, hit.kind),
        el("td", {}, el("button", {class: "link", onclick: () => {
          if (hit.kind === "run") state.show([hit.run]);
          else if (hit.tag) state.set({tagPattern: hit.tag.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")});
          location.hash = PAGE_OF[hit.kind] || "scalars";
          dialog.close();
          open(location.hash);
        }}, hit.tag || hit.run)), el("td", {}, hit.run), el("td", {}, hit.text === hit.tag || hit.text === hit.run ? "" : hit.text))))),
      el("p", {}, el("button", {onclick: () => dialog.close()}, "Close")));
  } catch (error) {
    replace(dialog, el("p", {class: "warn"}, error.message), el("button", {onclick: () => dialog.close()}, "Close"));
  }
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, textarea, select, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const tabs = [...$("tabs").children];
  if (/^[1-9]$/.test(event.key) && tabs[event.key - 1]) location.hash = tabs[event.key - 1].hash;
  else if (event.key === "/") $("search").focus();
  else if (event.key === "f") $("side").querySelector("input[type=search]")?.focus();
  else if (event.key === "d") flipTheme();
  else if (event.key === "r") refresh();
  else if (event.key === "?") showHelp();
  else return;
  event.preventDefault();
});
$("theme").addEventListener("click", flipTheme);
$("help").addEventListener("click", showHelp);
$("search").addEventListener("keydown", (event) => event.key === "Enter" && search(event.target.value));
addEventListener("hashchange", () => pageOf(location.hash)?.[0] !== currentName && open(location.hash));
document.addEventListener("visibilitychange", () => !document.hidden && refresh());
state.addEventListener("runs", () => {
  drawRuns.update?.();
  current?.runsChanged?.();
});

setTheme(state.settings.theme);
if (matchMedia("(max-width: 760px)").matches) $("side").classList.add("folded");
overview().then((version) => {
  const first = PAGES.find(([, , plugins]) => plugins.some((plugin) => state.parts.includes(plugin)));
  open(pageOf(location.hash) ? location.hash : first ? first[0] : "scalars");
  follow(version);
}, (error) => replace($("page"), empty("The server did not answer as hoped", error.message)));
