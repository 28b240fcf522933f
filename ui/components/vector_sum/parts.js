// The elements around the canvas: the steps' controls, the readout, the window's controls, the colour bar.

import { fitCanvas, makeElement } from "../_shared/elements.js";
import { iconButton, nameButton, setIcon } from "../_shared/icons.js";
import { savePng } from "../_shared/save.js";
import { fillLabel } from "../_shared/text.js";
import { STEP_COUNT } from "./steps.js";

export function vectorSumParts() {
  const [back, play, forward] = [
    ["step-back", "back"],
    ["step-play", "play"],
    ["step-forward", "forward"],
  ].map((args) => iconButton(...args));
  play.className = "play";
  const range = makeElement("input", {
    testid: "step-range",
    type: "range",
    min: "0",
    max: String(STEP_COUNT - 1),
    step: "0.01",
  });
  const ticks = makeElement("ol", { className: "ticks", "aria-hidden": "true" });
  for (let step = 0; step < STEP_COUNT; step += 1) ticks.append(makeElement("li", { testid: `step-${step}` }));
  const stepName = makeElement("b", { testid: "step-name" });
  const stepText = makeElement("span", { testid: "step-text" });
  const readout = makeElement("div", {
    className: "readout",
    testid: "sum-readout",
    role: "status",
    "aria-live": "polite",
  });
  const canvas = makeElement("canvas", {
    className: "figure",
    testid: "sum-canvas",
    role: "application",
    tabindex: "0",
  });
  const spacer = makeElement("div", {}, canvas);
  const scroller = makeElement("div", { className: "scroller", testid: "sum-scroller" }, spacer);
  const windowRange = makeElement("input", { testid: "sum-dimensions", type: "range", min: "0", step: "1" });
  const windowText = makeElement("span", { className: "range-text", testid: "sum-window" });
  const [more, fewer, save] = [
    ["sum-more", "more"],
    ["sum-fewer", "fewer"],
    ["sum-save", "save"],
  ].map((args) => iconButton(...args));
  const saveText = makeElement("span");
  save.append(saveText);
  const gradient = makeElement("div", { className: "gradient" });
  const numbers = makeElement("div", { className: "numbers" });
  const scaleText = makeElement("p", { className: "scale-text", testid: "sum-scale" });
  const none = makeElement("p", { className: "none", testid: "sum-no-addition" });
  const root = makeElement(
    "div",
    { className: "sum", testid: "vector-sum" },
    makeElement(
      "div",
      { className: "bar" },
      makeElement("div", { className: "buttons" }, back, play, forward),
      makeElement("div", { className: "timeline" }, range, ticks),
    ),
    makeElement("p", { className: "step" }, stepName, stepText),
    none,
    readout,
    scroller,
    makeElement(
      "div",
      { className: "window" },
      windowText,
      windowRange,
      makeElement("div", { className: "buttons" }, more, fewer),
    ),
    makeElement(
      "div",
      { className: "legend" },
      makeElement("div", { className: "colours", testid: "sum-colours" }, gradient, numbers),
      scaleText,
      save,
    ),
  );
  return {
    root,
    back,
    play,
    forward,
    range,
    ticks,
    stepName,
    stepText,
    readout,
    canvas,
    spacer,
    scroller,
    windowRange,
    windowText,
    more,
    fewer,
    save,
    saveText,
    gradient,
    numbers,
    scaleText,
    none,
  };
}

export function labelParts(parts, model) {
  const { labels, scale } = model;
  for (const name of ["back", "forward"]) nameButton(parts[name], labels[name]);
  nameButton(parts.more, labels.more);
  nameButton(parts.fewer, labels.fewer);
  parts.saveText.textContent = labels.save;
  parts.range.setAttribute("aria-label", labels.timeline);
  parts.windowRange.setAttribute("aria-label", labels.scroll_dimensions);
  [...parts.ticks.children].forEach((tick, step) => (tick.textContent = labels[`step_${step}`]));
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, { rows: model.nRows, d_model: model.dModel }));
  parts.none.textContent = labels.no_addition;
  parts.none.hidden = model.adds;
  parts.gradient.style.background = `linear-gradient(to right, ${scale.stops.join(", ")})`;
  const limit = limitText(scale.limit);
  parts.numbers.replaceChildren(...[`−${limit}`, "0", limit].map((text) => makeElement("span", { text })));
  parts.scaleText.textContent = fillLabel(labels[model.beyond ? "scale" : "scale_all"], { limit });
}

function limitText(limit) {
  return limit >= 0.01 && limit < 1000 ? limit.toFixed(limit < 10 ? 2 : 1) : limit.toPrecision(3);
}

export function showStep(parts, model, player) {
  const { labels } = model;
  const step = Math.ceil(player.time - 1e-6); // on the way to a step its name is shown already
  const name = labels[`step_${step}`];
  const title = fillLabel(labels.step, { number: step + 1, count: STEP_COUNT, name });
  if (parts.stepName.textContent !== title) {
    parts.stepName.textContent = title;
    parts.stepText.textContent = labels[`step_${step}_text`];
    parts.range.setAttribute("aria-valuetext", title);
    [...parts.ticks.children].forEach((tick, index) => tick.classList.toggle("now", index === step));
  }
  if (document.activeElement !== parts.range || Number(parts.range.value) !== player.time)
    parts.range.value = String(player.time);
  parts.back.disabled = player.time <= 0;
  parts.forward.disabled = player.time >= STEP_COUNT - 1;
  parts.root.dataset.step = String(Math.round(player.time * 1000) / 1000);
}

export function showPlaying(parts, model, playing) {
  setIcon(parts.play, playing ? "pause" : "play");
  nameButton(parts.play, model.labels[playing ? "pause" : "play"]);
  parts.root.dataset.playing = String(playing);
}

export function windowTexts(model, layout) {
  const { labels, nRows, dModel, firstPosition, total } = model;
  const window_ = { first: layout.first, last: layout.first + layout.shown - 1, d_model: dModel };
  const rows = { first: firstPosition, last: firstPosition + nRows - 1, total };
  const texts = [
    fillLabel(labels[layout.shown === dModel ? "all_dimensions" : "dimensions_shown"], window_),
    fillLabel(labels[nRows === total ? "all_tokens" : "tokens_shown"], rows),
  ];
  const inSight = { first: firstPosition + layout.firstRow, last: firstPosition + layout.lastRow };
  if (layout.maxScroll > 0) texts.push(fillLabel(labels.in_sight, inSight));
  return texts.join(" · ");
}

// The figure with its window and its scale written under it, as a PNG.
export function saveImage(canvas, model, layout, theme) {
  const image = document.createElement("canvas");
  const margin = 24;
  const [width, height] = [layout.width + 2 * margin, layout.height + 120];
  const context = fitCanvas(image, width, height);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, width, height);
  context.drawImage(canvas, margin, margin, layout.width, layout.height);
  const top = margin + layout.height + 20;
  const gradient = context.createLinearGradient(margin, 0, margin + 240, 0);
  model.scale.stops.forEach((stop, index, { length }) => gradient.addColorStop(index / (length - 1), stop));
  context.fillStyle = gradient;
  context.fillRect(margin, top, 240, 16);
  context.fillStyle = theme.ink;
  context.font = `15px ${theme.font}`;
  const limit = limitText(model.scale.limit);
  [
    ["left", `−${limit}`, 0],
    ["center", "0", 120],
    ["right", limit, 240],
  ].forEach(([align, text, x]) => {
    context.textAlign = align;
    context.fillText(text, margin + x, top + 34);
  });
  context.textAlign = "left";
  const narrow = layout.width < 640;
  context.fillText(
    windowTexts(model, layout),
    margin + (narrow ? 0 : 270),
    top + (narrow ? 56 : 14),
    narrow ? layout.width : width - 2 * margin - 270,
  );
  if (!narrow)
    context.fillText(
      fillLabel(model.labels[model.beyond ? "scale" : "scale_all"], { limit }),
      margin + 270,
      top + 36,
      width - 2 * margin - 270,
    );
  savePng(image, model.labels.file_name);
}
