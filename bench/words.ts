import { type Bar, type Comparison, type Figures, keepsBar, type Measure, type Spread } from "./figures.ts";

/** A number with three figures that count, and its unit where it has one. */
export function amount(value: number, unit = ""): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString("en-GB", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (Number.isInteger(value) ? value.toLocaleString("en-GB") : text) + (unit && ` ${unit}`);
}

/** As `12.3 ms (11.0–14.1)`: the median, the least and the most. */
export function spread({ median, min, max }: Spread, unit = ""): string {
  return `${amount(median, unit)} (${amount(min)}–${amount(max)})`;
}

export function barWords(bar: Bar | null): string {
  return bar ? `${bar.is} ${amount(bar.value)}` : "";
}

export function ratioWords({ ratio, ratioIs }: Comparison): string {
  return `${amount(ratio.median)} × ${ratioIs} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`;
}

export function isKept(one: Comparison | Measure): boolean {
  return keepsBar("ratio" in one ? one.ratio.median : one.value.median, one.bar);
}

function isBehind({ ratio, ratioIs }: Comparison): boolean {
  return ratioIs === "of its time" ? ratio.median > 1 : ratio.median < 1;
}

/** How many bars the figures miss; something that grows misses one. */
export function missedBars({ comparisons, measures, curves }: Figures): number {
  return (
    [...comparisons, ...measures].filter(one => !isKept(one)).length +
    curves.filter(({ grows }) => grows).length
  );
}

/** In a sentence each: where a bar is missed, where another is ahead of us, and what grows. */
export function shortfalls({ comparisons, measures, curves }: Figures): string[] {
  return [
    ...comparisons.filter(one => !isKept(one) || isBehind(one)).map(comparisonInWords),
    ...measures
      .filter(one => !isKept(one))
      .map(({ title, value, unit, bar }) => `${title}: ${spread(value, unit)}; ${missed(bar)}.`),
    ...curves
      .filter(({ grows }) => grows)
      .map(
        ({ title, early, late, unit }) => `${title} grows, from ${amount(early)} to ${amount(late, unit)}.`,
      ),
  ];
}

function comparisonInWords(one: Comparison): string {
  const { title, ours, other, ratio, ratioIs, bar } = one;
  const times = `${amount(ratio.median)} ×`;
  const said = {
    "of its time": `${ours.name} takes ${times} the time of ${other.name}`,
    "as fast": `${ours.name} is ${times} as fast as ${other.name}`,
    "of its rate": `${ours.name} has ${times} the rate of ${other.name}`,
  }[ratioIs];
  const limit = bar && (isKept(one) ? `within the bar of ${barWords(bar)}` : missed(bar));
  return `${title}: ${said}${limit ? `; ${limit}` : ""}.`;
}

function missed(bar: Bar | null): string {
  return `the bar of ${barWords(bar)} is missed`;
}

/** For the terminal. */
export function linesOf(figures: Figures): string[] {
  const { title, comparisons, measures, curves, notes, machine } = figures;
  const memory = (mb: number | null) => (mb === null ? "" : `, ${amount(mb, "MB")}`);
  return [
    title,
    ...comparisons.flatMap(one => [
      `  ${one.title}: ${ratioWords(one)}${one.bar ? `, bar ${barWords(one.bar)}` : ""}${isKept(one) ? "" : " MISSED"}`,
      ...[one.ours, one.other].map(
        ({ name, value, peakMb }) => `      ${name.padEnd(34)} ${spread(value, one.unit)}${memory(peakMb)}`,
      ),
    ]),
    ...measures.map(
      one =>
        `  ${one.title}: ${spread(one.value, one.unit)}${memory(one.peakMb)}${one.bar ? `, bar ${barWords(one.bar)}` : ""}${isKept(one) ? "" : " MISSED"}`,
    ),
    ...curves.map(
      ({ title: what, values, unit, grows }) =>
        `  ${what}, ${unit}: ${values.join(" ")}${grows ? " GROWS" : ""}`,
    ),
    ...notes.map(note => `  ${note}`),
    `  ${machineWords(machine)}`,
  ];
}

export function machineWords({
  processor,
  cores,
  memoryGb,
  system,
  node,
  browser,
  date,
  commit,
}: Figures["machine"]): string {
  const parts = [
    `${processor}, ${cores} cores, ${memoryGb} GB`,
    system,
    `Node ${node}`,
    browser,
    date.slice(0, 10),
    `commit ${commit}`,
  ];
  return parts.filter(part => part !== null).join(" · ");
}
