// The legend of a colour scale: a bar of its colours with the numbers at its ends under it.
//
//     const legend = colourLegend("sum-colours");
//     legend.fill(scale.stops, ["−0.4", "0", "0.4"]);

import { makeElement } from "./elements.ts";

export function colourLegend(testid?: string) {
  const bar = makeElement("div", { className: "legend-bar" });
  const ends = makeElement("div", { className: "legend-ends" });
  const root = makeElement("div", { className: "colour-legend", testid }, bar, ends);
  return {
    root,
    /**
     * @param stops colours, evenly spaced
     * @param texts spread evenly from the first colour to the last: two ends, or ends and middle
     */
    fill(stops: readonly string[], texts: readonly string[]) {
      bar.style.background = `linear-gradient(to right, ${stops.join(", ")})`;
      ends.replaceChildren(...texts.map((text) => makeElement("span", { text })));
    },
  };
}
