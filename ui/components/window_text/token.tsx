// One token of the text with the batch's windows under it, its facts, and the legend.

import { countText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { type Data, type Lanes, samplesEndingWith, samplesWith } from "./lanes.ts";

const MOST_SAID = 4; // samples
const LANE = 23; // px, high enough for a sample's number and a gap

/** Class of a token by the number of windows that it is an input of. */
const coverageClass = (count: number, dropped: number) =>
  count === 0 && dropped ? "dropped" : `over${Math.min(3, count)}`;

/**
 * One option per token, as wide as its text, with its windows' bars under it.
 * @param index in the visible part of the text
 * @param along in which direction the tokens stand
 */
export function TokenOption({
  data,
  layout,
  index,
  along,
}: {
  data: Data;
  layout: Lanes;
  index: number;
  along: "rtl" | "ltr";
}) {
  const position = data.first + index;
  const label = data.tokens[index];
  return (
    <div
      className="token"
      role="option"
      aria-selected="false"
      aria-label={`${label} · ${tokenFacts(data, position).slice(1).join(" · ")}`}
      tabIndex={-1}
      data-position={position}
      data-testid="window-token"
    >
      <span className={`token-chip ${coverageClass(data.coverage[index], data.dropped[index])}`}>
        <bdi dir={along === "rtl" ? "auto" : along}>{label}</bdi>
      </span>
      <LaneBars data={data} layout={layout} position={position} />
    </div>
  );
}

/**
 * A bar for each sample that a token is in, joined to the next token's unless the sample ends. The number stands where
 * a sample begins, and at the first token in sight.
 */
function LaneBars({ data, layout, position }: { data: Data; layout: Lanes; position: number }) {
  const bars = samplesWith(data, position)
    .map((at) => ({ ...at, lane: layout.lanes[at.sample] }))
    .filter(({ lane }) => lane >= 0);
  const deepest = Math.max(-1, ...bars.map(({ lane }) => lane)); // no room for lines that no window here is on
  return (
    <span className="lanes" style={{ height: `${(deepest + 1) * LANE}px` }}>
      {bars.map(({ sample, position: place, lane }) => {
        const ends = `${place === 0 ? "first" : ""} ${place === data.max_length - 1 ? "last" : ""}`;
        return (
          <i key={sample} className={`lane ${ends}`} aria-hidden="true" style={{ top: `${lane * LANE}px` }}>
            {(place === 0 || position === data.first) && <b>{sample}</b>}
          </i>
        );
      })}
    </span>
  );
}

export function Legend({ data: { labels, tokens, n_ids, coverage, dropped } }: { data: Data }) {
  const isDropped = dropped.some((count, index) => count && !coverage[index]);
  const entries: [className: string, text: string][] = [
    ["lane-swatch", labels.legend_batch],
    ...([0, 1, 2, 3] as const).map((n): [string, string] => [`token-chip over${n}`, labels[`legend_${n}`]]),
    ...(isDropped ? [["token-chip dropped", labels.legend_dropped] as [string, string]] : []),
  ];
  if (tokens.length < n_ids) entries.push(["tick-swatch", labels.legend_ticks], ["pin-swatch", labels.legend_pin]);
  return (
    <ul className="legend" data-testid="window-legend">
      {entries.map(([className, text]) => (
        <li key={className}>
          <span className={`swatch ${className}`} aria-hidden="true">
            {className === "lane-swatch" && <b>0</b>}
          </span>
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/**
 * Facts about a token: its name, in how many windows it is, and where it stands in the batch.
 * @param place in the text
 */
export function tokenFacts(data: Data, place: number) {
  const { labels, first, tokens, coverage, dropped } = data;
  const [count, left] = [coverage[place - first], dropped[place - first]];
  const facts = [tokenName(data, place, tokens[place - first])];
  if (count || !left) facts.push(fillLabel(labels.windows, { count }));
  if (left) facts.push(fillLabel(labels.in_dropped, { count: left }));
  const inputs = samplesWith(data, place).map((at) => fillLabel(labels.input, at));
  const targets = samplesEndingWith(data, place).map((at) => fillLabel(labels.target, at));
  facts.push(...inputs.slice(0, MOST_SAID));
  if (inputs.length > MOST_SAID) facts.push("…");
  else facts.push(...targets.slice(0, 1));
  if (!inputs.length && !targets.length) facts.push(labels.not_in_batch);
  return facts;
}

export function tokenName({ labels }: Pick<Data, "labels">, place: number, label: string) {
  return fillLabel(labels.token, { position: countText(place), label });
}
