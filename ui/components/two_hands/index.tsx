// Rotary positions as two hands of a clock: the query's and the key's. Moving both by the same number of positions leaves
// the angle between them, and so their product, as it was.

import { useEffect, useRef, useState } from "preact/hooks";
import { decimalText } from "../_shared/numbers.ts";
import { fillLabel } from "../_shared/text.ts";
import { preactComponent } from "../_shared/view.ts";
import { registerViewState } from "../_shared/view_state.ts";
import { Clock } from "./clock.tsx";
import { dotProduct, handAngle, type Pair, rotate, UNIT } from "./hands.ts";

type LabelName =
  | "figure"
  | "query"
  | "key"
  | "position"
  | "together"
  | "start"
  | "start_same"
  | "start_tokens"
  | "start_tokens_note"
  | "query_rotation"
  | "key_rotation"
  | "between"
  | "rotation"
  | "rotation_from"
  | "product"
  | "score"
  | "pair"
  | "pairs"
  | "opening"
  | "opening_apart"
  | "stays"
  | "changed"
  | "mirrored"
  | "unnoticed";

/** The payload from Python. */
interface Data {
  frequencies: number[]; // radians per position, of each pair
  amplitude: number; // factor of both rotated vectors
  columns: [number, number][]; // dimensions of each pair
  n_positions: number;
  tokens: string[]; // of the reader's text, at the first positions
  rows: Pair[][]; // of these tokens, by pair; none for tokens without a row
  seed: number; // of the rows
  query: number; // position at first
  key: number; // position at first
  labels: Record<LabelName, string>;
}
/** What the reader can change; in links it is written in this order. */
interface State {
  query: number;
  key: number;
  together: number; // 0 or 1
  pair: number;
  fromTokens: number; // 0: both hands start at the right; 1: at the rows of two tokens
  queryToken: number;
  keyToken: number;
}

const ORDER = ["query", "key", "together", "pair", "fromTokens", "queryToken", "keyToken"] as const;
const radians = (angle: number) => decimalText(angle, 2);
const clamp = (value: number, least: number, most: number) => Math.min(most, Math.max(least, Math.round(value)));

const openingState = (data: Data): State => ({
  query: data.query,
  key: data.key,
  together: 1,
  pair: Math.min(2, data.frequencies.length - 1),
  fromTokens: 0,
  queryToken: Math.min(data.query, Math.max(0, data.rows.length - 1)),
  keyToken: Math.min(data.key, Math.max(0, data.rows.length - 1)),
});

function validState(state: State, data: Data): State {
  const [last, lastToken] = [data.n_positions - 1, Math.max(0, data.rows.length - 1)];
  return {
    query: clamp(state.query, 0, last),
    key: clamp(state.key, 0, last),
    together: clamp(state.together, 0, 1),
    pair: clamp(state.pair, 0, data.frequencies.length - 1),
    fromTokens: data.rows.length ? clamp(state.fromTokens, 0, 1) : 0,
    queryToken: clamp(state.queryToken, 0, lastToken),
    keyToken: clamp(state.keyToken, 0, lastToken),
  };
}

/** Hands, angles and products of one pair of dimensions. */
function handsOf(data: Data, state: State, pair: number) {
  const start = (token: number) => (state.fromTokens ? data.rows[token][pair] : UNIT);
  const [queryStart, keyStart] = [start(state.queryToken), start(state.keyToken)];
  const frequency = data.frequencies[pair];
  const queryHand = rotate(queryStart, state.query * frequency);
  const keyHand = rotate(keyStart, state.key * frequency);
  return {
    frequency,
    queryHand,
    keyHand,
    between: (state.query - state.key) * frequency + handAngle(queryStart) - handAngle(keyStart),
    product: data.amplitude ** 2 * dotProduct(queryHand, keyHand),
  };
}

export default preactComponent<Data>(({ data }) => {
  const { labels, frequencies, n_positions } = data;
  const root = useRef<HTMLDivElement>(null);
  const [kept, setState] = useState(() => openingState(data));
  const state = validState(kept, data);
  const [start, setStart] = useState(() => [state.query, state.key]);
  const viewState = useRef<ReturnType<typeof registerViewState> | null>(null);

  useEffect(() => {
    if (!root.current) return;
    viewState.current = registerViewState(root.current, "hands", (numbers) =>
      setState((before) => ({
        ...before,
        ...Object.fromEntries(numbers.map((number, index) => [ORDER[index], number])),
      })),
    );
    viewState.current.restore();
  }, []);

  const change = (changes: Partial<State>) => {
    const next = validState({ ...state, ...changes }, data);
    setState(next);
    if (!("query" in changes || "key" in changes)) setStart([next.query, next.key]);
    viewState.current?.setValue(ORDER.map((name) => next[name]));
  };

  /** Move the query's hand to the position that the page follows, and the key's with it where both move together. */
  const previousQuery = useRef(data.query);
  useEffect(() => {
    const shift = state.together ? data.query - state.query : 0;
    if (previousQuery.current !== data.query) change({ query: data.query, key: state.key + shift });
    previousQuery.current = data.query;
  }, [data.query]);

  /** Move one hand to a position, and the other one with it where both move together, as far as there are positions. */
  const move = (hand: "query" | "key", position: number) => {
    const other = hand === "query" ? "key" : "query";
    if (!state.together) return change({ [hand]: position });
    const wished = position - state[hand];
    const shift = Math.min(n_positions - 1 - state[other], Math.max(-state[other], wished));
    return change({ [hand]: state[hand] + shift, [other]: state[other] + shift });
  };

  const hands = frequencies.map((_, pair) => handsOf(data, state, pair));
  const chosen = hands[state.pair];
  const score = hands.reduce((sum, { product }) => sum + product, 0);
  const distance = state.query - state.key;
  const shift = state.query - start[0];
  const values = {
    shift: Math.abs(shift),
    distance: decimalText(distance, 0),
    turned: radians(Math.abs(shift * chosen.frequency)),
    angle: radians(chosen.between),
    product: decimalText(chosen.product, 2),
    score: decimalText(score, 2),
  };
  const isMoved = shift !== 0 || state.key !== start[1];
  const isSameDistance = distance === start[0] - start[1];
  const opening = state.together ? labels.opening : labels.opening_apart;
  const startProduct = handsOf(data, { ...state, query: start[0], key: start[1] }, state.pair).product;
  const changedSentence =
    decimalText(startProduct, 2) !== values.product
      ? labels.changed
      : !state.fromTokens && distance === start[1] - start[0]
        ? labels.mirrored
        : labels.unnoticed;
  const outcome = !isMoved ? opening : isSameDistance ? labels.stays : changedSentence;
  const sentence = fillLabel(outcome, values);
  const rotation = (positions: number, start = 0) =>
    fillLabel(state.fromTokens && start ? labels.rotation_from : labels.rotation, {
      start: radians(start),
      positions: decimalText(positions, 0),
      frequency: decimalText(chosen.frequency, 4),
      angle: radians(start + positions * chosen.frequency),
    });
  const tokenOf = (hand: "query" | "key") => data.tokens[state.fromTokens ? state[`${hand}Token`] : state[hand]] ?? "";

  return (
    <div class="two-hands" ref={root} data-testid="two-hands">
      <div class="stage">
        <Clock {...chosen} label={fillLabel(labels.figure, values)} names={[labels.query, labels.key]} />
        <div class="controls">
          {(["query", "key"] as const).map((hand) => (
            <label class={`hand ${hand}`} key={hand}>
              <span>
                <b>{labels[hand]}</b> {fillLabel(labels.position, { position: state[hand] })}
                {tokenOf(hand) && (
                  <>
                    {" "}
                    (<bdi>{tokenOf(hand)}</bdi>)
                  </>
                )}
              </span>
              <input
                type="range"
                min={0}
                max={n_positions - 1}
                value={state[hand]}
                onInput={(event) => move(hand, Number(event.currentTarget.value))}
              />
            </label>
          ))}
          <label class="together">
            <input
              type="checkbox"
              checked={state.together === 1}
              onChange={(event) => change({ together: Number(event.currentTarget.checked) })}
            />
            {labels.together}
          </label>
          <p class="outcome" role="status" data-testid="two-hands-outcome">
            {sentence}
          </p>
          <dl>
            <Fact name={labels.query_rotation} value={rotation(state.query)} />
            <Fact name={labels.key_rotation} value={rotation(state.key)} />
            <Fact
              name={labels.between}
              value={rotation(distance, chosen.between - distance * chosen.frequency)}
              isFixed={isMoved && isSameDistance}
            />
            <Fact
              name={fillLabel(labels.product, {
                first: data.columns[state.pair][0],
                second: data.columns[state.pair][1],
              })}
              value={values.product}
              isFixed={isMoved && isSameDistance}
            />
            <Fact
              name={fillLabel(labels.score, { count: frequencies.length })}
              value={values.score}
              isFixed={isMoved && isSameDistance}
            />
          </dl>
          {data.rows.length > 0 && <Start data={data} state={state} change={change} />}
        </div>
      </div>
      <fieldset class="pairs">
        <legend>{labels.pairs}</legend>
        {hands.map((hand, pair) => (
          <button type="button" key={pair} aria-pressed={pair === state.pair} onClick={() => change({ pair })}>
            <Clock {...hand} />
            <span>{fillLabel(labels.pair, { first: data.columns[pair][0], second: data.columns[pair][1] })}</span>
            <b>{decimalText(hand.product, 2)}</b>
          </button>
        ))}
      </fieldset>
    </div>
  );
});

function Fact({ name, value, isFixed = false }: { name: string; value: string; isFixed?: boolean }) {
  return (
    <div class={isFixed ? "fixed" : ""}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The choice of where the hands start. */
function Start({ data, state, change }: { data: Data; state: State; change: (changes: Partial<State>) => void }) {
  const { labels, tokens } = data;
  return (
    <fieldset>
      <legend>{labels.start}</legend>
      {[labels.start_same, labels.start_tokens].map((name, fromTokens) => (
        <label key={name}>
          <input
            type="radio"
            name="two-hands-start"
            checked={state.fromTokens === fromTokens}
            onChange={() => change({ fromTokens })}
          />
          {name}
        </label>
      ))}
      {state.fromTokens === 1 && (
        <>
          {(["query", "key"] as const).map((hand) => (
            <label key={hand} class={hand}>
              <b>{labels[hand]}</b>{" "}
              <select
                value={state[`${hand}Token`]}
                onChange={(event) => change({ [`${hand}Token`]: Number(event.currentTarget.value) })}
              >
                {data.rows.map((_, index) => (
                  <option value={index} key={index}>
                    {tokens[index]}
                  </option>
                ))}
              </select>
            </label>
          ))}
          <small>{fillLabel(labels.start_tokens_note, { seed: data.seed })}</small>
        </>
      )}
    </fieldset>
  );
}
