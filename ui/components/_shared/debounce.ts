// Calls that wait until nothing has happened for a while.
//
//     const send = debounce((text: string) => page.setStateValue("text", text), 150);
//     input.addEventListener("input", () => send(input.value));

/**
 * @param wait ms since the last call
 * @returns cancel: drops the call that waits; flush: makes it at once
 */
export function debounce<Arguments extends unknown[]>(call: (...given: Arguments) => void, wait: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: Arguments | null = null;
  const run = () => {
    clearTimeout(timer);
    const given = latest;
    latest = null;
    if (given) call(...given);
  };
  const debounced = (...given: Arguments) => {
    latest = given;
    clearTimeout(timer);
    timer = setTimeout(run, wait);
  };
  const cancel = () => {
    latest = null;
    clearTimeout(timer);
  };
  return Object.assign(debounced, { cancel, flush: run });
}
