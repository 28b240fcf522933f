// The elements of index.js and what they look like.

const SHOWN_BYTES = 16; // in the line below the chips; the tooltip has them all

export function drawUnit(view, { group, chips }) {
  const options = chips.map(drawChip.bind(null, view));
  if (group === null) return options[0];
  const { character, parts } = chips[0];
  const whole = element("div", "whole");
  whole.setAttribute("aria-hidden", "true");
  whole.append(element("bdi", "", character));
  const members = element("div", "members");
  members.setAttribute("role", "presentation");
  members.append(...options);
  const box = element("div", "group");
  box.setAttribute("role", "group");
  box.setAttribute("aria-label", fill(view.labels.group, { character, parts }));
  box.title = box.ariaLabel;
  box.append(whole, members);
  return box;
}

function drawChip(view, chip) {
  const option = element("div", chip.known ? "chip" : "chip unknown");
  option.setAttribute("role", "option");
  option.setAttribute("aria-label", `${chip.label} ${idOf(chip)}`);
  option.setAttribute("aria-selected", "false");
  option.dataset.testid = "token-chip";
  option.tabIndex = -1;
  option.title = [`${view.labels.bytes}: ${chip.bytes}`, partOf(view, chip)].filter(Boolean).join("\n");
  option.append(element("bdi", "", chip.label), element("small", "", idOf(chip)));
  return option;
}

// A word that the table does not have.
function idOf(chip) {
  return chip.known ? String(chip.id) : "—";
}

function partOf(view, chip) {
  return chip.group === null ? "" : fill(view.labels.part_of, chip);
}

export function paint(view) {
  for (const name of ["hovered", "chosen"]) {
    const option = view.chips.get(view.link[name])?.option;
    if (option !== view[name]) {
      view[name]?.classList.remove(name);
      if (name === "chosen") view[name]?.setAttribute("aria-selected", "false");
      view[name] = option;
    }
    option?.classList.add(name);
    if (name === "chosen") option?.setAttribute("aria-selected", "true");
  }
  drawDetail(view, view.chips.get(view.link.hovered) ?? view.chips.get(view.link.chosen));
}

function drawDetail(view, chip) {
  const { labels } = view;
  if (!chip) {
    view.detail.replaceChildren(element("p", "", view.chips.size ? labels.hint : labels.empty));
    return;
  }
  const bytes = chip.bytes.split(" ");
  const count = bytes.length - SHOWN_BYTES;
  if (count > 0) bytes.splice(SHOWN_BYTES, count, fill(labels.more_bytes, { count }));
  const facts = [
    [labels.text, chip.label],
    [labels.id, idOf(chip)],
    [labels.position, chip.position],
    [labels.bytes, bytes.join(" ")],
  ];
  if (chip.group !== null) facts.push([labels.part, partOf(view, chip)]);
  const list = element("dl");
  for (const [name, value] of facts) {
    const pair = element("div");
    const dd = element("dd");
    dd.append(element("bdi", "", String(value)));
    pair.append(element("dt", "", name), dd);
    list.append(pair);
  }
  view.detail.replaceChildren(list);
}

function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  if (text) made.textContent = text;
  return made;
}

function fill(pattern, values) {
  return pattern.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}
