// The page of audio clips.
import * as api from "./api.js";
import {el, replace} from "./dom.js";
import {StepSlider, cardHead, runLine, taggedPage} from "./tagged.js";

function makeCard(one) {
  const player = el("div", {class: "media"}), problem = el("div", {class: "small warn"});
  const samples = Math.min(Math.max(one.samples, 1), 64);
  let sample = 0;
  const slider = new StepSlider((value) => replace(player,
    el("audio", {controls: true, preload: "metadata", src: `data/plugin/audio/individualAudio?${value.query}`})));
  const load = async () => {
    try {
      slider.show(await api.get("data/plugin/audio/audio", {run: one.run, tag: one.tag, sample}));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const which = samples > 1 ? el("input", {type: "number", min: 1, max: samples, value: 1, title: "Which of the clips of a step", "aria-label": "Sample", onchange: (event) => {
    sample = Math.min(Math.max(Number(event.target.value) - 1 || 0, 0), samples - 1);
    load();
  }}) : null;
  return {node: el("article", {class: "card"}, cardHead(one, which), runLine(one), slider.node, player, problem), load};
}

export function open(host, side) {
  return taggedPage(host, side, {plugin: "audio", nothing: ["No audio yet", "tf.summary.audio writes some."], makeCard});
}
