// Which line under the text each window of the batch is drawn on: windows that overlap lie on lines of their own.

type LabelName =
  | "strip"
  | "strip_title"
  | "strip_value"
  | "back"
  | "text"
  | "elsewhere"
  | "token"
  | "windows"
  | "in_dropped"
  | "input"
  | "target"
  | "not_in_batch"
  | "lanes"
  | "legend_batch"
  | "legend_0"
  | "legend_1"
  | "legend_2"
  | "legend_3"
  | "legend_dropped"
  | "legend_ticks"
  | "legend_pin";
/** The payload from Python; window_text() there documents each entry. */
export interface Data {
  tokens: string[]; // of the stretch in sight
  first: number;
  n_ids: number;
  coverage: number[];
  dropped: number[];
  starts: number[];
  max_length: number;
  max_lanes: number;
  before: number;
  chosen: number | null;
  chosen_label: string | null;
  turn: number;
  labels: Record<LabelName, string>;
}
export interface Lanes {
  count: number; // of the lines that are needed
  lanes: number[]; // of each sample of the batch, -1 where more overlap than there are lines
  deepest: number; // how many overlap somewhere, drawn or not
}

export function windowLanes({
  starts,
  max_length: length,
  max_lanes: most,
}: Pick<Data, "starts" | "max_length" | "max_lanes">): Lanes {
  const order = starts
    .map((start, sample) => ({ start, sample }))
    .sort((a, b) => a.start - b.start || a.sample - b.sample);
  const ends: number[] = []; // of each line so far
  const lanes = starts.map(() => -1);
  let deepest = 0;
  const open: number[] = []; // ends of the windows that overlap here
  for (const { start, sample } of order) {
    let lane = ends.findIndex((end) => end <= start);
    if (lane < 0 && ends.length < most) lane = ends.length;
    if (lane >= 0) {
      ends[lane] = start + length;
      lanes[sample] = lane;
    }
    while (open.length && open[0] <= start) open.shift();
    open.push(start + length);
    deepest = Math.max(deepest, open.length);
  }
  return { count: ends.length, lanes, deepest };
}

/** The batch's samples that have a token as input, and where; {sample, position} each. */
export function samplesWith(data: Pick<Data, "starts" | "max_length">, place: number) {
  return data.starts.flatMap((start, sample) => {
    const position = place - start;
    return position >= 0 && position < data.max_length ? [{ sample, position }] : [];
  });
}

/** The batch's samples that a token is the last target of, without being one of their inputs. */
export function samplesEndingWith(data: Pick<Data, "starts" | "max_length">, place: number) {
  return data.starts.flatMap((start, sample) => (place === start + data.max_length ? [{ sample }] : []));
}

/**
 * Tokens that a key moves the visible part of the text by: arrows a quarter of it, page keys all of it; else null.
 * @param count of tokens in sight
 */
export function sliderStep(key: string, count: number) {
  const quarter = Math.max(1, Math.round(count / 4));
  const steps: Record<string, number> = {
    ArrowLeft: -quarter,
    ArrowDown: -quarter,
    ArrowRight: quarter,
    ArrowUp: quarter,
    PageUp: -count,
    PageDown: count,
  };
  return Object.hasOwn(steps, key) ? steps[key] : null;
}
