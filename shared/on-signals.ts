/** npm passes on a Ctrl-C that the terminal has sent to everybody already: that is not a second one. */
const SAME_WITHIN_MS = 1_000;

interface Listener<S> {
  first(signal: S): void;
  /** For whoever does not want to wait. */
  again(signal: S): void;
}

/** Has the process's first of these signals heard, and those after it. The default of none of them is done any more. */
export function onSignals<S extends NodeJS.Signals>(
  process: NodeJS.Process,
  signals: readonly S[],
  { first, again }: Listener<S>,
): void {
  let heard: { signal: S; atMs: number } | null = null;
  for (const signal of signals) {
    process.on(signal, () => {
      if (heard?.signal === signal && Date.now() - heard.atMs < SAME_WITHIN_MS) return;
      const isFirst = heard === null;
      heard ??= { signal, atMs: Date.now() };
      if (isFirst) first(signal);
      else again(signal);
    });
  }
}
