// What the page remembers: runs and which of them are shown, colours, settings.
import {byName} from "./dom.js";

const PALETTE = ["#2f7ed8", "#f28e2b", "#3ba272", "#e15759", "#9a60b4", "#17a2b8", "#c79a00", "#ea6fa0", "#8c6d5a", "#7d8896",
  "#5b5bd6", "#86b300", "#d9480f", "#0b8a8a"];
const MOST_AT_FIRST = 40;

function stored(key, otherwise) {
  try {
    const text = localStorage.getItem(`rill.${key}`);
    return text === null ? otherwise : JSON.parse(text);
  } catch {
    return otherwise;
  }
}

function keep(key, value) {
  try {
    localStorage.setItem(`rill.${key}`, JSON.stringify(value));
  } catch { /* private windows keep nothing */ }
}

class State extends EventTarget {
  constructor() {
    super();
    this.runs = [];
    this.names = [];
    this.told = [];  // as the server orders them
    this.hidden = new Set();
    this.isTouched = false;
    this.pattern = "";
    this.parts = [];
    this.version = 0;
    this.settings = {smoothing: 0.6, axis: "step", logX: false, logY: false, outliers: true, theme: "", columns: "",
      pins: [], tagPattern: "", wide: [], closed: [], ...stored("settings", {})};
  }

  set(changes) {
    Object.assign(this.settings, changes);
    keep("settings", this.settings);
    this.dispatchEvent(new Event("settings"));
  }

  // Runs as the server told; those that are new are shown, unless there are too many.
  take(overview) {
    this.runs = overview.runs;
    this.parts = overview.parts;
    this.damages = overview.damages;
    this.logdir = overview.logdir;
    this.isLoaded = overview.loaded;
    const told = overview.runs.map((run) => run.name);
    const isSame = told.length === this.told.length && told.every((name, i) => name === this.told[i]);
    if (isSame) return;
    this.told = told;
    const names = [...told].sort(byName);
    const known = new Set(this.names);
    this.names = names;
    if (!this.isTouched && names.length > MOST_AT_FIRST) this.hidden = new Set(names.slice(MOST_AT_FIRST));
    else if (this.isTouched) names.forEach((name) => !known.has(name) && known.size > MOST_AT_FIRST && this.hidden.add(name));
    else this.hidden = new Set();
    this.order = new Map(names.map((name, i) => [name, i]));
    this.dispatchEvent(new Event("runs"));
  }

  color(run) {
    return PALETTE[(this.order?.get(run) ?? 0) % PALETTE.length];
  }

  isShown(run) {
    return !this.hidden.has(run);
  }

  shown() {
    return this.names.filter((name) => !this.hidden.has(name));
  }

  show(names) {
    const wanted = new Set(names);
    this.isTouched = true;
    this.hidden = new Set(this.names.filter((name) => !wanted.has(name)));
    this.dispatchEvent(new Event("runs"));
  }

  toggle(name) {
    this.isTouched = true;
    if (!this.hidden.delete(name)) this.hidden.add(name);
    this.dispatchEvent(new Event("runs"));
  }
}

export const state = new State();

// Words that make no pattern are looked for as they are.
export function matcher(text) {
  if (!text) return () => true;
  try {
    const pattern = new RegExp(text, "i");
    return (name) => pattern.test(name);
  } catch {
    return (name) => name.toLowerCase().includes(text.toLowerCase());
  }
}

export function themeColor(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
