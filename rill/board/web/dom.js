// Elements and texts. Whatever comes from a log is set as text: nothing here makes markup of it.

// el("a", {href, onclick, class, ...}, child, "text", ...)
export function el(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(node, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(node.style, value);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "open") node[name] = value;
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function replace(node, ...children) {
  node.replaceChildren(...children.flat(4).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

const ALLOWED = new Set(["P", "H1", "H2", "H3", "H4", "H5", "H6", "UL", "OL", "LI", "PRE", "CODE", "BLOCKQUOTE", "HR", "BR",
  "STRONG", "EM", "A", "IMG", "TABLE", "THEAD", "TBODY", "TR", "TH", "TD"]);

// The server makes HTML of Markdown; of that only plain elements come into the page, and of their
// attributes only addresses that lead to other pages.
export function prose(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html");
  const copy = (from, to) => {
    for (const node of from.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) to.append(node.data);
      if (node.nodeType !== Node.ELEMENT_NODE) continue;
      if (!ALLOWED.has(node.tagName)) {
        copy(node, to);
        continue;
      }
      const made = document.createElement(node.tagName);
      const href = node.getAttribute("href");
      if (node.tagName === "A" && href && /^(https?:|mailto:)/i.test(href)) {
        made.href = href;
        made.target = "_blank";
        made.rel = "noopener noreferrer";
      }
      if (node.tagName === "IMG") made.append(node.getAttribute("alt") || "");
      copy(node, made);
      to.append(made);
    }
    return to;
  };
  return copy(parsed.body, el("div", {class: "prose"}));
}

export function number(value, digits = 4) {
  if (typeof value !== "number") return value === null || value === undefined ? "" : String(value);
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) return value.toExponential(digits - 2).replace(/\.?0+e/, "e");
  return String(Number(value.toPrecision(Math.max(digits, Math.ceil(Math.log10(size + 1))))));
}

export function bytes(count) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let unit = 0;
  while (count >= 1024 && unit < units.length - 1) {
    count /= 1024;
    ++unit;
  }
  return `${number(count, 3)} ${units[unit]}`;
}

export function micros(count) {
  return count < 1000 ? `${number(count, 3)} µs` : count < 1e6 ? `${number(count / 1e3, 3)} ms` : `${number(count / 1e6, 3)} s`;
}

export function duration(seconds) {
  const sign = seconds < 0 ? "-" : "";
  seconds = Math.abs(seconds);
  if (seconds < 60) return `${sign}${number(seconds, 3)} s`;
  if (seconds < 3600) return `${sign}${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86400) return `${sign}${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${sign}${Math.floor(seconds / 86400)} d ${Math.floor((seconds % 86400) / 3600)} h`;
}

export function clock(seconds) {
  return new Date(seconds * 1000).toLocaleString(undefined, {dateStyle: "medium", timeStyle: "medium"});
}

export function download(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
  const link = el("a", {href: url, download: name});
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

export function later(action, millis) {
  let timer = 0;
  return (...words) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...words), millis);
  };
}

// Names as people sort them: a2 before a10.
export const byName = new Intl.Collator(undefined, {numeric: true}).compare;

export function choice(label, options, value, changed) {
  const buttons = options.map(([key, text]) => el("button", {
    type: "button", "aria-pressed": String(key === value), onclick: () => {
      for (const [i, [other]] of options.entries()) buttons[i].setAttribute("aria-pressed", String(other === key));
      changed(key);
    }}, text));
  return el("div", {class: "choice", role: "group", "aria-label": label}, buttons);
}

export function check(text, value, changed) {
  return el("label", {class: "row"}, el("input", {type: "checkbox", checked: value, onchange: (event) => changed(event.target.checked)}), text);
}

export function select(label, options, value, changed) {
  const node = el("select", {"aria-label": label, onchange: () => changed(node.value)},
    options.map(([key, text]) => el("option", {value: key}, text)));
  node.value = value;
  return node;
}

export function empty(title, text) {
  return el("div", {class: "empty"}, el("b", {}, title), text);
}

const ICONS = {
  pin: "M9.5 1.5l5 5-1.4.6-2.6 2.6.2 3-1.2 1.2-3.2-3.2-4 4-.8-.2-.2-.8 4-4L2.1 6.5l1.2-1.2 3 .2 2.6-2.6z",
  wide: "M2 6V2h4v1.5H3.5V6zm8-4h4v4h-1.5V3.5H10zM2 10h1.5v2.5H6V14H2zm10.5 0H14v4h-4v-1.5h2.5z",
  save: "M7.2 1.5h1.6v7l2.6-2.6 1.1 1.1L8 11.5 3.5 7l1.1-1.1 2.6 2.6zM2 12.5h12V14H2z",
};

export function iconButton(name, title, onclick, properties = {}) {
  return el("button", {class: "plain icon", title, "aria-label": title, onclick, ...properties},
    svg("svg", {viewBox: "0 0 16 16", width: 15, height: 15, "aria-hidden": "true"}, svg("path", {d: ICONS[name], fill: "currentColor"})));
}
