// The visible part of a text, its windows under it, and a slider over the whole text above it.

import { clamp } from "../_shared/canvas.ts";
import { debounce } from "../_shared/debounce.ts";
import { keyListener } from "../_shared/keys.ts";
import type { Change } from "../_shared/link.ts";
import { countText } from "../_shared/numbers.ts";
import { fillLabel, labelsDirection } from "../_shared/text.ts";
import { chosenToken, listenToTokens, markTokens, scrollToToken, setTabStop, type View } from "../_shared/tokens.ts";
import { explainOnHover } from "../_shared/tooltip.ts";
import {
  preactComponent,
  useComputed,
  useEffect,
  useLayoutEffect,
  useLink,
  useMemo,
  useRef,
  useState,
} from "../_shared/view.ts";
import { type Data, sliderStep, windowLanes } from "./lanes.ts";
import { Legend, TokenOption, tokenFacts, tokenName } from "./token.tsx";

const SEND_AFTER = 120; // ms without a move before Python is asked for another part of the text

export default preactComponent<Data>(({ data, page }) => {
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const link = useLink();
  const view = useMemo<View>(
    () => ({
      list: null as unknown as HTMLElement,
      link,
      chips: new Map(),
      tabStop: null,
      lit: { hovered: undefined, chosen: undefined },
    }),
    [],
  );
  const choice = useMemo(() => chosenToken(link), []);
  /** Where the part in sight is to begin, until Python has sent it. */
  const [wished, setWished] = useState<number | null>(null);
  const first = wished ?? data.first;
  const lastFirst = data.n_ids - data.tokens.length;

  const { chosen: _, chosen_label: __, turn: ___, ...looks } = data;
  const { layout, along, options } = useComputed(looks, () => {
    const layout = windowLanes(data);
    const along = labelsDirection(data.tokens);
    const options = data.tokens.map((_, index) => (
      <TokenOption key={data.first + index} data={data} layout={layout} index={index} along={along} />
    ));
    return { layout, along, options };
  });

  const moves = useRef(0);
  /** Asked for twice, the same place is news the second time: the page may have gone elsewhere in between. */
  const send = (place: number) => {
    moves.current += 1;
    page.setStateValue("place", { first: clamp(Math.round(place), 0, lastFirst), turn: moves.current });
  };
  const latest = useRef({ data, send });
  latest.current = { data, send };
  const sendLater = useMemo(() => debounce((place: number) => latest.current.send(place), SEND_AFTER), []);
  const move = (place: number) => {
    setWished(clamp(place, 0, lastFirst));
    sendLater(clamp(place, 0, lastFirst));
  };

  useEffect(() => {
    const element = list.current as HTMLDivElement;
    view.list = element;
    listenToTokens(view, ".token");
    const facts = (token: HTMLElement) => tokenFacts(latest.current.data, Number(token.dataset.position));
    const tooltip = explainOnHover(root.current as HTMLDivElement, ".token", facts, { testid: "window-readout" });
    const unsubscribe = link.subscribe(({ hovered, chosen, cause }: Change) => {
      const { data, send } = latest.current;
      if (!view.acting) scrollToToken(view, cause === "hover" ? hovered : chosen);
      // A token out of sight is brought into the first third.
      const isOutside = chosen !== null && !view.chips.has(chosen);
      if (cause === "choose" && choice.report(chosen) && isOutside) send(chosen - Math.floor(data.tokens.length / 3));
    });
    return () => {
      unsubscribe();
      sendLater.cancel();
      tooltip.hide();
      link.hover(null);
    };
  }, []);

  const shown = useRef<Data | null>(null);
  const shadow = list.current?.getRootNode() as ShadowRoot | undefined;
  const hadFocus = list.current?.contains(shadow?.activeElement ?? null);
  useLayoutEffect(() => {
    const element = list.current as HTMLDivElement;
    const before = shown.current;
    shown.current = data;
    view.list = element;
    const tokens = [...element.querySelectorAll<HTMLElement>(".token")];
    view.chips = new Map(tokens.map((option, index) => [data.first + index, { option }]));
    const isMoved = before !== null && before.first !== data.first;
    if (isMoved) element.scrollTop = 0;
    if (!isMoved || wished === data.first) setWished(null);
    const stop = view.tabStop ?? data.first;
    setTabStop(view, view.chips.has(stop) ? stop : data.first);
    if (hadFocus && isMoved) view.chips.get(view.tabStop ?? -1)?.option.focus({ preventScroll: true });
    if (String(before?.starts) !== String(data.starts)) {
      // Of a new batch, the first window in this part of the text is in sight.
      const start = view.chips.get(Math.min(...data.starts.filter((each) => view.chips.has(each))))?.option;
      if (start) element.scrollTop += start.getBoundingClientRect().top - element.getBoundingClientRect().top - 4;
    }
    choice.receive(data, page);
    if (isMoved) scrollToToken(view, link.chosen);
  }, [data]);
  useLayoutEffect(() => markTokens(view));

  const onKeyDown = keyListener((key) => {
    const step = sliderStep(key, data.tokens.length);
    if (step === null) return false; // Home and End are the slider's own
    move(first + step);
  });

  const { labels, chosen, chosen_label: chosenLabel, n_ids: total } = data;
  const stop = first + data.tokens.length;
  const numbers = { first: countText(first), last: countText(stop - 1), total: countText(total) };
  const place = fillLabel(labels.strip_value, numbers);
  const hasWindow = data.starts.some((start) => start < stop && start + data.max_length > first);
  const isElsewhere = chosenLabel !== null && chosen !== null && link.chosen === chosen;
  const drawn = layout.lanes.filter((lane) => lane >= 0).length;
  const share = (count: number) => `${(100 * count) / total}%`;
  return (
    <div className={layout.count > 2 ? "windows many" : "windows"} data-testid="window-text" ref={root}>
      {lastFirst > 0 && (
        <div>
          <div className="strip-head">
            <span className="strip-title" aria-hidden="true">
              {labels.strip_title}
            </span>
            <button
              type="button"
              className={hasWindow ? "button back" : "button back needed"}
              disabled={hasWindow}
              data-testid="window-back"
              onClick={() => send(data.starts[0] - data.before)}
            >
              {labels.back}
            </button>
          </div>
          <div className="strip" style={{ "--share": data.tokens.length / total }}>
            {data.starts.map((start, sample) => (
              <i key={sample} style={{ left: share(start), width: share(data.max_length) }} />
            ))}
            {[link.chosen, link.hovered].map(
              (position, index) =>
                position !== null &&
                position < total && <i key={`pin ${index}`} className="pin" style={{ left: share(position + 0.5) }} />,
            )}
            <input
              type="range"
              min={0}
              max={lastFirst}
              value={first}
              aria-label={labels.strip}
              aria-valuetext={place}
              data-testid="window-strip"
              onInput={(event) => move(Number(event.currentTarget.value))}
              onKeyDown={onKeyDown}
            />
          </div>
          <p className="place">
            <span data-testid="window-place">{place}</span>
            {isElsewhere && (
              <span data-testid="window-elsewhere">
                {` · ${tokenName(data, chosen, chosenLabel)} · ${labels.elsewhere}`}
              </span>
            )}
          </p>
        </div>
      )}
      <div
        className="tokens"
        role="listbox"
        aria-label={labels.text}
        dir={along}
        data-testid="window-tokens"
        ref={list}
      >
        {options}
      </div>
      {drawn < data.starts.length && (
        <p className="place" data-testid="window-notice">
          {fillLabel(labels.lanes, { count: data.starts.length, shown: drawn, deepest: layout.deepest })}
        </p>
      )}
      <Legend data={data} />
    </div>
  );
});
