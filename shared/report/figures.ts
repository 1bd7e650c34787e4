/** Returns a ratio of 0–1 as a percentage that never rounds a change to none, nor nearly all to all. */
export function percent(ratio: number): string {
  const value = ratio * 100;
  if (value === 0) return "0%";
  if (value < 0.01) return "<0.01%";
  if (value < 1) return `${Number(value.toFixed(2))}%`;
  if (value < 100) return `${Math.min(99.9, Number(value.toFixed(1)))}%`;
  return "100%";
}

/** Returns a threshold of 0–1 as a percentage, as it was written and not rounded: `1.25%` is not `1.3%`. */
export function limitInWords(threshold: number): string {
  return `${Number((threshold * 100).toPrecision(6))}%`;
}

/** Returns a ratio of 0–1 as a percentage, with more digits where it would otherwise read as on the other side of the threshold. */
export function percentBeside(ratio: number, threshold: number): string {
  const least = ratio < 0.01 ? 2 : 1;
  for (let digits = least; digits <= 6; digits += 1) {
    const shown = Number((ratio * 100).toFixed(digits));
    const isTrue = shown > threshold * 100 === ratio > threshold;
    if (isTrue) return digits === least ? percent(ratio) : `${shown}%`;
  }
  return percent(ratio);
}

/** Returns `1 region`, `3 regions`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${figure(n)} ${n === 1 ? one : many}`;
}

/** Returns a number as it is read: `2,000`. */
export function figure(n: number): string {
  return n.toLocaleString("en-US");
}

/** Returns a list as it is read: `a`, `a and b`, `a, b, and c`. */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat("en-US").format(items);
}

/** Returns the time between two ISO dates as `4 min 12 s`; null when either is not a date. */
export function elapsed(from: string, to: string): string | null {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
