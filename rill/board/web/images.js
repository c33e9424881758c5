// The page of pictures.
import * as api from "./api.js";
import {check, el, replace} from "./dom.js";
import {StepSlider, cardHead, runLine, taggedPage} from "./tagged.js";

let isPlain = true, light = 1, contrast = 1;

function dress(image) {
  image.style.imageRendering = isPlain ? "pixelated" : "auto";
  image.style.filter = `brightness(${light}) contrast(${contrast})`;
}

function makeCard(one) {
  const samples = Math.min(Math.max(one.samples, 1), 64);
  const pictures = el("div", {class: "media"});
  const problem = el("div", {class: "small warn"});
  let sample = 0;
  const slider = new StepSlider((value) => {
    const image = el("img", {alt: `${one.tag} at step ${value.step}`, loading: "lazy"});
    dress(image);
    image.onerror = () => { problem.textContent = "This picture cannot be shown."; };
    image.onload = () => { problem.textContent = `${image.naturalWidth} × ${image.naturalHeight}`; problem.className = "small muted"; };
    image.src = `data/plugin/images/individualImage?${value.query}`;
    image.addEventListener("click", () => {
      const dialog = document.getElementById("dialog");
      const large = el("img", {src: image.src, alt: image.alt, style: {minWidth: "min(480px, 80vw)", maxWidth: "88vw", maxHeight: "80vh"}});
      dress(large);
      replace(dialog, el("h2", {}, `${one.tag} · ${one.run} · step ${value.step}`), large, el("p", {}, el("button", {onclick: () => dialog.close()}, "Close")));
      dialog.showModal();
    });
    replace(pictures, image);
  });
  const load = async () => {
    try {
      slider.show(await api.get("data/plugin/images/images", {run: one.run, tag: one.tag, sample}));
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  const which = samples > 1 ? el("input", {type: "number", min: 1, max: samples, value: 1, title: "Which of the pictures of a step", "aria-label": "Sample", onchange: (event) => {
    sample = Math.min(Math.max(Number(event.target.value) - 1 || 0, 0), samples - 1);
    load();
  }}) : null;
  return {node: el("article", {class: "card"}, cardHead(one, which), runLine(one), slider.node, pictures, problem), load};
}

export function open(host, side) {
  return taggedPage(host, side, {plugin: "images", nothing: ["No pictures yet", "tf.summary.image writes some."], makeCard,
    settings: (page) => {
      const slider = (text, change) => el("label", {class: "row"}, text, el("input", {type: "range", min: 0, max: 2, step: 0.05, value: 1,
        oninput: (event) => { change(Number(event.target.value)); host.querySelectorAll("img").forEach(dress); }}));
      return el("fieldset", {}, el("legend", {}, "Pictures"),
        slider("Brightness", (value) => { light = value; }), slider("Contrast", (value) => { contrast = value; }),
        check("Show pixels as they are", isPlain, (value) => { isPlain = value; page.restyle(); }));
    }});
}
