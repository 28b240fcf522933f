// The shift by one: an arrow from a target to the input that is the same token, and the targets laid on the inputs.

const GLIDE_MS = 900;

function svgElement(tag, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function shiftArrows() {
  const svg = svgElement("svg", { class: "arrows", "aria-hidden": "true" });
  svg.dataset.testid = "pairs-arrows";
  return svg;
}

// An arrow for each pair of cells [target, input]; two strokes, the lower one so that it shows on every ground.
function drawArrows(svg, stage, pairs, stacked) {
  svg.replaceChildren();
  if (!pairs.length) return;
  svg.setAttribute("width", stage.scrollWidth);
  svg.setAttribute("height", stage.scrollHeight);
  for (const [target, input] of pairs) {
    const [a, b] = [boxIn(stage, target), boxIn(stage, input)];
    for (const layer of ["under", "over"]) svg.append(svgElement("path", { class: layer, d: stacked ? arrowUp(a, b) : arrowOver(a, b) }));
  }
}

// From above one cell to above the other.
function arrowOver(a, b) {
  const [from, to] = [[a.left + a.width / 2, a.top], [b.left + b.width / 2, b.top]];
  return `M${from}C${from[0]} ${from[1] - 34} ${to[0]} ${to[1] - 34} ${to}M${to[0] - 7} ${to[1] - 11}L${to}L${to[0] + 7} ${to[1] - 11}`;
}

// Across the gap to the line above.
function arrowUp(a, b) {
  const [from, to] = [[a.left + a.width * 0.72, a.top + 4], [b.left + b.width * 0.28, b.top + b.height - 2]];
  return `M${from}L${to}M${to[0] - 11} ${to[1] + 1}L${to}L${to[0] - 2} ${to[1] + 11}`;
}

function boxIn(stage, element) {
  const [box, frame] = [element.getBoundingClientRect(), stage.getBoundingClientRect()];
  return { left: box.left - frame.left + stage.scrollLeft, top: box.top - frame.top + stage.scrollTop, width: box.width, height: box.height };
}

// A copy of the targets that glides over the inputs, one place to the right, and back. It is seen and pointed at, but
// what is read out and stepped through stays the tables.
function shiftedCopy(stage, inputs, targets) {
  const copy = makeElement("table", { className: "copy", "aria-hidden": "true", testid: "pairs-copy" }, targets.body.cloneNode(true));
  for (const cell of copy.querySelectorAll(".cell")) {
    for (const name of ["tabindex", "role", "aria-selected", "data-testid"]) cell.removeAttribute(name);
  }
  for (const row of copy.querySelectorAll("tr")) row.lastChild.classList.add("new");
  stage.append(copy);
  const corner = (part) => boxIn(stage, part.body.querySelector("th"));
  const [from, to] = [corner(targets), corner(inputs)];
  const cell = boxIn(stage, inputs.body.querySelector(".cell")).width;
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px` });
  const home = "translate(0, 0)";
  const away = `translate(${to.left - from.left + cell}px, ${to.top - from.top}px)`;
  const glide = (start, end) => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    return copy.animate([{ transform: start }, { transform: end }], { duration: still ? 0 : GLIDE_MS, easing: "ease-in-out", fill: "both" });
  };
  return {
    lay: () => glide(home, away),
    rest: () => (copy.style.transform = away),
    back: () => {
      copy.style.transform = "";
      glide(away, home).finished.then(() => copy.remove(), () => copy.remove());
    },
    remove: () => copy.remove(),
  };
}
