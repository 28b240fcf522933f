// The elements of window_text.js: the strip of the whole text, the readout, the tokens in sight, the legend.

const MOST_ROWS_SAID = 4;

function windowTextParts() {
  const strip = makeElement("canvas", { testid: "window-strip", role: "slider", tabindex: "0", "aria-valuemin": "0" });
  const place = makeElement("p", { className: "place", testid: "window-place" });
  const readout = makeElement("p", { className: "readout", testid: "window-readout", role: "status", "aria-live": "off" });
  const list = makeElement("div", { className: "tokens", testid: "window-tokens", role: "listbox" });
  const legend = makeElement("ul", { className: "legend", testid: "window-legend" });
  const notice = makeElement("p", { className: "place" });
  const root = makeElement("div", { className: "windows", testid: "window-text" }, strip, place, readout, list, legend, notice);
  return { root, strip, place, readout, list, legend, notice };
}

function labelWindowText(parts, { labels, tokens, n_ids }, layout) {
  parts.strip.setAttribute("aria-label", labels.strip);
  parts.strip.setAttribute("aria-valuemax", String(Math.max(0, n_ids - tokens.length)));
  parts.strip.title = labels.strip_hint;
  parts.list.setAttribute("aria-label", labels.text);
  const entry = (className, text) => makeElement("li", {}, makeElement("span", { className, "aria-hidden": "true" }), makeElement("span", { text }));
  const batch = entry("swatch lane-swatch", labels.legend_batch);
  batch.firstChild.append(makeElement("b", { text: "0" }));
  parts.legend.replaceChildren(batch, ...[0, 1, 2, 3].map((count) => entry(`swatch over${count}`, labels[`legend_${count}`])));
  const hidden = layout.lanes.includes(-1);
  parts.notice.textContent = hidden ? fillLabel(labels.lanes, { count: layout.deepest, shown: layout.count }) : "";
  parts.notice.hidden = !hidden;
}

// One option per token, as wide as its text, with its windows' bars under it.
function tokenOption(data, layout, index) {
  const position = data.first + index;
  const text = makeElement("bdi", { className: `text over${Math.min(3, data.coverage[index])}`, text: data.tokens[index] });
  const lanes = laneBars(data, layout, position);
  const option = makeElement("div", { className: "token", testid: "window-token", role: "option", "aria-selected": "false", tabindex: "-1" }, text, lanes);
  option.setAttribute("aria-label", `${data.tokens[index]} · ${tokenFacts(data, position).slice(1).join(" · ")}`);
  option.dataset.position = position;
  return option;
}

function tokenFacts(data, position) {
  const { labels, first, tokens, coverage } = data;
  const count = coverage[position - first];
  const facts = [
    fillLabel(labels.token, { position: position.toLocaleString("en"), label: tokens[position - first] }),
    count < 2 ? labels[count ? "in_one" : "in_none"] : fillLabel(labels.in_many, { count }),
  ];
  const rows = rowsWith(data, position);
  facts.push(...rows.slice(0, MOST_ROWS_SAID).map((at) => fillLabel(labels.rows, at)));
  if (rows.length > MOST_ROWS_SAID) facts.push("…");
  else facts.push(...rowsEndingWith(data, position).slice(0, 1).map((at) => fillLabel(labels.next, at)));
  if (facts.length === 2) facts.push(labels.not_in_batch);
  return facts;
}
