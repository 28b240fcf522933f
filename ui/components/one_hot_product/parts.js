// The elements around the canvas: the steps' controls, the readout, the dimensions' slider, the sentences below.

import { fitCanvas, makeElement } from "../_shared/elements.js";
import { iconButton, nameButton, setIcon } from "../_shared/icons.js";
import { savePng } from "../_shared/save.js";
import { decimalText, fillLabel } from "../_shared/text.js";
import { STEP_COUNT } from "./steps.js";

export function productParts() {
  const [back, play, forward] = [
    ["product-back", "back"],
    ["product-play", "play"],
    ["product-forward", "forward"],
  ].map((args) => iconButton(...args));
  play.className = "play";
  const range = makeElement("input", {
    testid: "product-step",
    type: "range",
    min: "0",
    max: String(STEP_COUNT - 1),
    step: "0.01",
  });
  const ticks = makeElement("ol", { className: "ticks", "aria-hidden": "true" });
  for (let step = 0; step < STEP_COUNT; step += 1) ticks.append(makeElement("li", { testid: `product-step-${step}` }));
  const stepName = makeElement("b", { testid: "product-step-name" });
  const stepText = makeElement("span");
  const readout = makeElement("div", {
    className: "readout",
    testid: "product-readout",
    role: "status",
    "aria-live": "polite",
  });
  const canvas = makeElement("canvas", {
    className: "figure",
    testid: "product-canvas",
    role: "application",
    tabindex: "0",
  });
  const box = makeElement("div", { className: "box" }, canvas);
  const windowText = makeElement("span", { className: "range-text" });
  const windowRange = makeElement("input", { testid: "product-dimensions", type: "range", min: "0", step: "1" });
  const save = iconButton("product-save", "save");
  const saveText = makeElement("span");
  save.append(saveText);
  const verdict = makeElement("p", { className: "verdict", testid: "product-equal" });
  const root = makeElement(
    "div",
    { className: "product", testid: "one-hot-product" },
    makeElement(
      "div",
      { className: "bar" },
      makeElement("div", { className: "buttons" }, back, play, forward),
      makeElement("div", { className: "timeline" }, range, ticks),
    ),
    makeElement("p", { className: "step" }, stepName, stepText),
    readout,
    box,
    verdict,
    makeElement("div", { className: "window" }, windowText, windowRange, save),
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
    box,
    windowText,
    windowRange,
    save,
    saveText,
    verdict,
  };
}

export function labelParts(parts, model) {
  const { labels } = model;
  for (const name of ["back", "forward"]) nameButton(parts[name], labels[name]);
  parts.saveText.textContent = labels.save;
  parts.range.setAttribute("aria-label", labels.timeline);
  parts.windowRange.setAttribute("aria-label", labels.scroll_dimensions);
  [...parts.ticks.children].forEach((tick, step) => (tick.textContent = labels[`step_${step}`]));
  const sizes = { tokens: model.n, vocab_size: model.vocab_size.toLocaleString(), d_model: model.d_model };
  parts.canvas.setAttribute("aria-label", fillLabel(labels.figure, sizes));
  const count = model.n * model.k;
  const equal = model.equalRows.reduce((sum, row) => sum + row, 0);
  const products = model.n * model.vocab_size * model.d_model;
  const counts = {
    tokens: model.n,
    vocab_size: model.vocab_size,
    d_model: model.d_model,
    copied: model.n * model.d_model,
    products,
    count,
    equal,
  };
  const written = Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, value.toLocaleString()]));
  parts.verdict.textContent = fillLabel(labels[equal === count ? "equal" : "unequal"], written);
}

export function showStep(parts, model, player) {
  const { labels } = model;
  const step = Math.ceil(player.time - 1e-6); // on the way to a step its name is shown already
  const title = fillLabel(labels.step, { number: step + 1, count: STEP_COUNT, name: labels[`step_${step}`] });
  if (parts.stepName.textContent !== title) {
    parts.stepName.textContent = title;
    parts.stepText.textContent = labels[`step_${step}_text`];
    parts.range.setAttribute("aria-valuetext", title);
    [...parts.ticks.children].forEach((tick, index) => tick.classList.toggle("now", index === step));
  }
  if (document.activeElement !== parts.range || Number(parts.range.value) !== player.time)
    parts.range.value = String(player.time);
  parts.verdict.style.visibility = player.time > STEP_COUNT - 2 ? "visible" : "hidden"; // not before the last step says it
  parts.back.disabled = player.time <= 0;
  parts.forward.disabled = player.time >= STEP_COUNT - 1;
  parts.root.dataset.step = String(Math.round(player.time * 1000) / 1000);
}

export function showPlaying(parts, model, playing) {
  setIcon(parts.play, playing ? "pause" : "play");
  nameButton(parts.play, model.labels[playing ? "pause" : "play"]);
  parts.root.dataset.playing = String(playing);
}

export function showWindow(parts, model, layout) {
  const { labels, rows, vocab_size, d_model } = model;
  const all = layout.shown === d_model;
  const texts = [
    fillLabel(labels[all ? "all_dimensions" : "dimensions_shown"], {
      first: layout.first,
      last: layout.first + layout.shown - 1,
      d_model,
    }),
    fillLabel(labels[rows.length === vocab_size ? "all_rows" : "rows_shown"], {
      shown: rows.length,
      vocab_size: vocab_size.toLocaleString(),
    }),
  ];
  parts.windowText.textContent = texts.join(" · ");
  parts.windowRange.hidden = layout.shown === model.k;
  parts.windowRange.max = String(model.k - layout.shown);
  parts.windowRange.value = String(layout.first);
  parts.windowRange.setAttribute("aria-valuetext", texts[0]);
}

// What is under the pointer, in words.
export function readoutText(model, cell) {
  const { labels, k } = model;
  if (!cell) return labels.readout_hint;
  const number = (value) => (value < 0 ? `(${decimalText(value, 4)})` : decimalText(value, 4));
  if (cell.part === "hot") {
    if (cell.index === null) return labels.readout_hint;
    const values = { label: model.tokens[cell.row], id: model.ids[cell.row], row: model.rows[cell.index] };
    return fillLabel(labels[values.id === values.row ? "readout_one" : "readout_zero"], values);
  }
  if (cell.column === null) return labels.readout_hint;
  if (cell.part === "table") {
    const value = decimalText(model.table[cell.index * k + cell.column], 4);
    return fillLabel(labels.readout_table, { row: model.rows[cell.index], dimension: cell.column, value });
  }
  const value = model.product[cell.row * k + cell.column];
  const factor = number(model.table[model.drawnAt[cell.row] * k + cell.column]);
  return fillLabel(labels.readout_result, {
    label: model.tokens[cell.row],
    dimension: cell.column,
    factor,
    value: decimalText(value, 4),
  });
}

export function saveImage(canvas, model, layout, theme) {
  const image = document.createElement("canvas");
  const margin = 24;
  const context = fitCanvas(image, layout.width + 2 * margin, layout.height + 2 * margin);
  context.fillStyle = theme.ground;
  context.fillRect(0, 0, layout.width + 2 * margin, layout.height + 2 * margin);
  context.drawImage(canvas, margin, margin, layout.width, layout.height);
  savePng(image, model.labels.file_name);
}
