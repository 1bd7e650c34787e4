/**
 * Formats a ratio of 0–1 as a percentage. A change never rounds to 0%, and nearly all never rounds to 100%.
 */
export function percent(ratio: number): string {
  const value = ratio * 100;
  if (value === 0) return "0%";
  if (value < 0.01) return "<0.01%";
  if (value < 1) return `${Number(value.toFixed(2))}%`;
  if (value < 100) return `${Math.min(99.9, Number(value.toFixed(1)))}%`;
  return "100%";
}

/** Formats a threshold of 0–1 as a percentage without rounding: `1.25%` isn't `1.3%`. */
export function formatThreshold(threshold: number): string {
  return `${Number((threshold * 100).toPrecision(6))}%`;
}

/**
 * Formats a ratio of 0–1 as a percentage, with more digits if it would otherwise appear on the wrong side of
 * the threshold.
 */
export function percentBeside(ratio: number, threshold: number): string {
  const least = ratio < 0.01 ? 2 : 1;
  for (let digits = least; digits <= 6; digits += 1) {
    const shown = Number((ratio * 100).toFixed(digits));
    const isTrue = shown > threshold * 100 === ratio > threshold;
    if (isTrue) return digits === least ? percent(ratio) : `${shown}%`;
  }
  return percent(ratio);
}

/** Formats as `1 region` or `3 regions`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${figure(n)} ${n === 1 ? one : many}`;
}

/** Formats a number as `2,000`. */
export function figure(n: number): string {
  return n.toLocaleString("en-US");
}

/** Formats a list as `a`, `a and b`, or `a, b, and c`. */
export function listed(items: readonly string[]): string {
  return new Intl.ListFormat("en-US").format(items);
}

/** Formats the time between two ISO dates as `4 min 12 s`; null for invalid dates. */
export function elapsed(from: string, to: string): string | null {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!Number.isFinite(seconds) || seconds < 0) return null;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Returns a number of bytes: `12 kB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  return bytes < 1_000_000 ? `${figure(Math.ceil(bytes / 1000))} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
