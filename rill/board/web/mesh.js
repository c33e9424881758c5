// The page of meshes and point clouds.
import * as api from "./api.js";
import {el, empty, replace} from "./dom.js";
import {Cards} from "./scalars.js";
import {Space} from "./space.js";
import {state, themeColor} from "./state.js";
import {StepSlider, cardHead, runLine} from "./tagged.js";

const VERTEX = 1, FACE = 2, COLOR = 3;  // kinds of content, and bits of "components"

function makeCard(one) {
  const space = new Space({height: "300px"}), problem = el("div", {class: "small warn"});
  let faces = null, colors = null;
  const colorAt = (i, shade) => {
    const [r, g, b] = colors ? [colors[3 * i], colors[3 * i + 1], colors[3 * i + 2]] : [90, 150, 230];
    return `rgb(${r * shade | 0}, ${g * shade | 0}, ${b * shade | 0})`;
  };
  space.paint = (screen, c) => {
    if (faces) {
      const order = Array.from({length: faces.length / 3}, (_, i) => i);
      const depth = order.map((f) => screen[3 * faces[3 * f] + 2] + screen[3 * faces[3 * f + 1] + 2] + screen[3 * faces[3 * f + 2] + 2]);
      order.sort((a, b) => depth[a] - depth[b]);
      for (const f of order) {
        const [i, j, k] = [faces[3 * f], faces[3 * f + 1], faces[3 * f + 2]].map((v) => 3 * v);
        const area = (screen[j] - screen[i]) * (screen[k + 1] - screen[i + 1]) - (screen[k] - screen[i]) * (screen[j + 1] - screen[i + 1]);
        const slope = Math.abs(area) / (Math.hypot(screen[j] - screen[i], screen[j + 1] - screen[i + 1]) * Math.hypot(screen[k] - screen[i], screen[k + 1] - screen[i + 1]) || 1);
        c.fillStyle = c.strokeStyle = colorAt(i / 3, 0.45 + 0.55 * Math.min(slope, 1));
        c.beginPath();
        c.moveTo(screen[i], screen[i + 1]);
        c.lineTo(screen[j], screen[j + 1]);
        c.lineTo(screen[k], screen[k + 1]);
        c.closePath();
        c.fill();
        c.stroke();
      }
      return;
    }
    const order = Array.from({length: screen.length / 3}, (_, i) => i).sort((a, b) => screen[3 * a + 2] - screen[3 * b + 2]);
    for (const i of order) {
      c.fillStyle = colors ? colorAt(i, 1) : themeColor("--accent");
      c.fillRect(screen[3 * i] - 1.2, screen[3 * i + 1] - 1.2, 2.4, 2.4);
    }
  };
  const part = (step, content_type) => api.buffer("data/plugin/mesh/data", {run: one.run, tag: one.tag, step, content_type, sample: 0});
  const slider = new StepSlider(async (value) => {
    try {
      const positions = new Float32Array(await part(value.step, "VERTEX"));
      faces = value.components & 1 << FACE ? new Int32Array(await part(value.step, "FACE")) : null;
      colors = value.components & 1 << COLOR ? new Uint8Array(await part(value.step, "COLOR")) : null;
      if (colors?.length !== positions.length) colors = null;
      if (faces?.length === 0) faces = null;
      if (faces && faces.some((v) => v < 0 || v >= positions.length / 3)) faces = null;
      space.set(positions);
      space.draw();
    } catch (error) {
      problem.textContent = error.message;
    }
  });
  const load = async () => {
    try {
      const all = await api.get("data/plugin/mesh/meshes", {run: one.run, tag: one.tag});
      slider.show(all.filter((entry) => entry.content_type === VERTEX));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return {node: el("article", {class: "card"}, cardHead(one), runLine(one), slider.node, space.node, problem), load, close: () => space.observer.disconnect()};
}

export function open(host, side) {
  const body = el("div"), cards = new Cards(body, makeCard);
  let tags = {};
  replace(host, body);
  replace(side);
  const page = {
    arrange() {
      const list = Object.entries(tags).filter(([run]) => state.isShown(run)).flatMap(([run, names]) => Object.keys(names).map((tag) => ({run, tag, key: `${tag}\0${run}`})));
      if (list.length === 0) replace(body, empty("No meshes to show", "tensorboard.plugins.mesh writes some."));
      else cards.show(new Map([["meshes", list]]));
    },
    async refresh() {
      tags = await api.get("data/plugin/mesh/tags");
      page.arrange();
      cards.stale();
    },
    runsChanged: () => page.arrange(),
    close: () => cards.close(),
  };
  return page;
}
