import {
  type Bar,
  type Breakdown,
  type Comparison,
  type Count,
  type Figures,
  type Measure,
  meetsBar,
  type Spread,
} from "./figures.ts";

/** Formats a number with three significant digits, and its unit if it has one. */
export function amount(value: number, unit = ""): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  const text = value.toLocaleString("en-GB", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return (Number.isInteger(value) ? value.toLocaleString("en-GB") : text) + (unit && ` ${unit}`);
}

/** Formats a spread as `12.3 ms (11.0–14.1)`: the median, the minimum and the maximum. */
export function spread({ median, min, max }: Spread, unit = ""): string {
  return `${amount(median, unit)} (${amount(min)}–${amount(max)})`;
}

export function barWords(bar: Bar | null): string {
  return bar ? `${bar.is} ${amount(bar.value)}` : "";
}

export function ratioWords({ ratio, ratioIs }: Comparison): string {
  return `${amount(ratio.median)} × ${ratioIs} (${ratio.min.toFixed(2)}–${ratio.max.toFixed(2)})`;
}

/** Formats a share as `3 of 10,584 (0.03 %)`. Only none and all become 0 and 100 %. */
export function shareWords({ count, total }: Count): string {
  const percent = (100 * count) / total;
  const shown = Number.isInteger(percent) ? percent : Math.min(99.99, Math.max(0.01, percent));
  return `${amount(count)} of ${amount(total)} (${Number(shown.toFixed(2))} %)`;
}

/** Formats the bar of a share in percent, as `at least 99.5 %`. */
export function shareBarWords(bar: Bar | null): string {
  return bar ? `${bar.is} ${Number((bar.value * 100).toFixed(3))} %` : "";
}

export function isMet(one: Comparison | Measure | Count): boolean {
  if ("count" in one) return meetsBar(one.count / one.total, one.bar);
  return meetsBar("ratio" in one ? one.ratio.median : one.value.median, one.bar);
}

function isBehind({ ratio, ratioIs }: Comparison): boolean {
  return ratioIs === "of its time" ? ratio.median > 1 : ratio.median < 1;
}

/** Returns how many bars the figures miss. A growing curve misses one. */
export function missedBars({ comparisons, measures, counts, curves }: Figures): number {
  return (
    [...comparisons, ...measures, ...counts].filter(one => !isMet(one)).length +
    curves.filter(({ grows }) => grows).length
  );
}

/** Returns a sentence for each missed bar, for each tool that is ahead, and for each growing curve. */
export function shortfalls({ comparisons, measures, counts, curves }: Figures): string[] {
  return [
    ...comparisons.filter(one => !isMet(one) || isBehind(one)).map(comparisonInWords),
    ...measures
      .filter(one => !isMet(one))
      .map(({ title, value, unit, bar }) => `${title}: ${spread(value, unit)}; ${missed(barWords(bar))}.`),
    ...counts
      .filter(one => !isMet(one))
      .map(one => `${one.title}: ${shareWords(one)}; ${missed(shareBarWords(one.bar))}.`),
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
  const text = {
    "of its time": `${ours.name} takes ${times} the time of ${other.name}`,
    "as fast": `${ours.name} is ${times} as fast as ${other.name}`,
    "of its rate": `${ours.name} has ${times} the rate of ${other.name}`,
  }[ratioIs];
  const limit = bar && (isMet(one) ? `within the bar of ${barWords(bar)}` : missed(barWords(bar)));
  return `${title}: ${text}${limit ? `; ${limit}` : ""}.`;
}

function missed(bar: string): string {
  return `the bar of ${bar} is missed`;
}

/** Formats figures for the terminal. */
export function linesOf(figures: Figures): string[] {
  const { title, comparisons, measures, counts, breakdowns, curves, notes, machine } = figures;
  const memory = (mb: number | null) => (mb === null ? "" : `, ${amount(mb, "MB")}`);
  return [
    title,
    ...comparisons.flatMap(one => [
      `  ${one.title}: ${ratioWords(one)}${one.bar ? `, bar ${barWords(one.bar)}` : ""}${isMet(one) ? "" : " MISSED"}`,
      ...[one.ours, one.other].map(
        ({ name, value, peakMb }) => `      ${name.padEnd(34)} ${spread(value, one.unit)}${memory(peakMb)}`,
      ),
    ]),
    ...measures.map(
      one =>
        `  ${one.title}: ${spread(one.value, one.unit)}${memory(one.peakMb)}${one.bar ? `, bar ${barWords(one.bar)}` : ""}${isMet(one) ? "" : " MISSED"}`,
    ),
    ...counts.map(
      one =>
        `  ${one.title}: ${shareWords(one)}${one.bar ? `, bar ${shareBarWords(one.bar)}` : ""}${isMet(one) ? "" : " MISSED"}`,
    ),
    ...breakdowns.flatMap(breakdownLines),
    ...curves.map(
      ({ title: what, values, unit, grows }) =>
        `  ${what}, ${unit}: ${values.join(" ")}${grows ? " GROWS" : ""}`,
    ),
    ...notes.map(note => `  ${note}`),
    `  ${machineWords(machine)}`,
  ];
}

function breakdownLines({ title, columns, rows }: Breakdown): string[] {
  const names = rows.map(({ name }) => name.length);
  const nameWidth = Math.max(title.length, ...names);
  const line = (name: string, cells: string[]) =>
    `  ${name.padEnd(nameWidth)}  ${cells.map((cell, index) => cell.padStart(columns[index]?.length ?? 0)).join("  ")}`;
  return [
    line(title, columns),
    ...rows.map(({ name, values }) =>
      line(
        name,
        values.map(value => (value === null ? "–" : amount(value))),
      ),
    ),
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
