// Messages one below the other, as the tokens that they become: what is special, what the format writes, what is said.

import { fillLabel, labelsDirection } from "../_shared/text.ts";
import { preactComponent } from "../_shared/view.ts";

/** What a token is for. */
type Kind = "special" | "frame" | "content";
type KindName = Kind | "typed";
type LineToken = [label: string, id: number, kind: Kind, whole: boolean];
/** The payload from Python. */
interface Chat {
  lines: [title: string, tokens: LineToken[]][];
  labels: Record<KindName | "figure" | "id", string>;
}

const KINDS: KindName[] = ["special", "typed", "frame", "content"];

export default preactComponent<Chat>(({ data: { lines, labels } }) => {
  const present = new Set(lines.flatMap(([, tokens]) => tokens.map(([, , kind, whole]) => nameOfKind(kind, whole))));
  return (
    <div className="line-root">
      <div className="key" aria-hidden="true">
        {KINDS.filter((name) => present.has(name)).map((name) => (
          <span key={name} className={`token-chip ${name}`}>
            {labels[name]}
          </span>
        ))}
      </div>
      <ul className="messages" data-testid="token-line" aria-label={labels.figure}>
        {lines.map(([title, tokens], index) => {
          const along = labelsDirection(tokens.map(([label]) => label));
          return (
            <li key={index} className="message">
              <b className="who">{title}</b>
              <ul className="chips" dir={along}>
                {tokens.map(([label, id, kind, whole], place) => {
                  const name = nameOfKind(kind, whole);
                  return (
                    <li
                      key={place}
                      className={`token-chip ${name}`}
                      aria-label={fillLabel(labels.id, { label, kind: labels[name], id })}
                    >
                      <bdi dir={along === "rtl" ? "auto" : along}>{label}</bdi>
                      <small>{id}</small>
                    </li>
                  );
                })}
              </ul>
            </li>
          );
        })}
      </ul>
    </div>
  );
});

/** A special token that is not one token here is a name that somebody typed. */
export function nameOfKind(kind: Kind, whole: boolean): KindName {
  return kind === "special" && !whole ? "typed" : kind;
}
