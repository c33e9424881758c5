// The page of texts.
import * as api from "./api.js";
import {check, el, prose, replace} from "./dom.js";
import {StepSlider, cardHead, runLine, taggedPage} from "./tagged.js";

let isMarkdown = true;

function makeCard(one) {
  const text = el("div"), problem = el("div", {class: "small warn"});
  const slider = new StepSlider((value) => replace(text, prose(value.text)));
  const load = async () => {
    try {
      slider.show(await api.get("data/plugin/text/text", {run: one.run, tag: one.tag, markdown: isMarkdown ? "true" : "false"}));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  return {node: el("article", {class: "card"}, cardHead(one), runLine(one), slider.node, text, problem), load};
}

export function open(host, side) {
  return taggedPage(host, side, {plugin: "text", nothing: ["No texts yet", "tf.summary.text writes some."], makeCard,
    settings: (page) => el("fieldset", {}, el("legend", {}, "Text"), check("Markdown", isMarkdown, (value) => {
      isMarkdown = value;
      page.restyle();
    }))});
}
