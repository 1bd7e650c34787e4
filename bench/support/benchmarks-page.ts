import type { Breakdown, Comparison, Count, Figures, Measure } from "./figures.ts";
import {
  amount,
  barWords,
  isMet,
  machineWords,
  ratioWords,
  shareBarWords,
  shareWords,
  shortfalls,
  spread,
} from "./format.ts";

const INTRODUCTION = `# Benchmarks

This page lists how fast and how reliable vrs is beside its peers, worst cases included.

\`npm run bench\` measures everything again and writes this page. That takes about an hour, another four for
\`real-pages\`, and another three for \`monitor-day\`. \`npm run bench -- compare fleet\` runs those two. \`--quick\` runs fewer
rounds, to see that a bench works. The exit code is 1 if a bench fails or misses a bar. Leave the machine idle, because
only results of one bench on one machine are comparable. Run \`npm test\` once before: it installs Node 24, NATS and
PostgreSQL.

- Contestants alternate. Each round starts with another one, after warm-up rounds that don't count.
- A value is the median of its rounds, with the minimum and maximum in brackets. A ratio is the median of the rounds'
  ratios, not the ratio of the medians.
- Memory is the peak resident memory of a side's processes together, including its browser. Shared memory counts for each
  process.
- A bar is a limit that this project sets itself.
`;

const ERROR_RATES = `## How error rates are measured

\`npm run bench -- real-pages\` counts errors on pages that nobody in this project wrote. They come from npm packages of
other projects: templates, demos, charts and documentation. \`bench/real-pages\` lists them. It also lists pages that are
left out, each with the reason: most show the current time or random data, or need other hosts.

**False changes.** Every page is captured at 375, 768 and 1280 px, as a first run does. These captures are the baselines.
Then all pages are captured again and again in drawn orders, two at once, as later runs do. Half of the captures are in a
context that served other pages before, half in a fresh one. No page changes, so a capture with one changed pixel is an
error. Half of the rounds run while two other processes keep two cores busy.

**Missed changes.** A seed draws an element of a page and one of nine kinds of change, such as another text color, one more
pixel of padding or a broken image. A bare browser holds the page still and takes a screenshot before and after the change.
The change counts if a color channel of a pixel differs by 16 of 255 or more. Fainter changes are counted apart. Then the
change is made in the served page, and vrs captures it. The change is missed if the capture has no changed pixel.

**False alerts.** \`npm run bench -- monitor-day\` watches the same pages with monitors for a simulated day: a check that
makes the baselines, then 24 hourly checks while two other processes keep two cores busy. The clock of the pages is an
hour later in each check. The alert threshold is 0. No page changes, so every alert is an error. A change that the second
capture of a check doesn't confirm is counted apart, as dismissed.

The same seed draws the same orders and changes. \`node bench/benchmarks/real-pages-unchanged.ts --keep images\` keeps the images of
every false change, and \`node bench/benchmarks/real-pages-changes.ts --keep images\` those of every miss.
`;

/** Returns the whole page. */
export function benchmarksPage(all: Figures[]): string {
  return [INTRODUCTION, summary(all), ERROR_RATES, ...all.map(section)].join("\n");
}

function summary(all: Figures[]): string {
  const behind = all.flatMap(figures =>
    shortfalls(figures).map(sentence => `- [${figures.title}](#${anchorOf(figures.title)}): ${sentence}`),
  );
  const words = behind.length === 0 ? ["Nothing: every bar is kept, and nothing compared is ahead."] : behind;
  return `## Where it falls short\n\n${words.join("\n")}\n`;
}

function section(figures: Figures): string {
  const parts = [
    `## ${figures.title}\n`,
    `${figures.how}\n`,
    ...(figures.quick ? ["**Taken in a quick run, with too few rounds to quote.**\n"] : []),
    comparisonTable(figures.comparisons),
    measureTable(figures.measures),
    countTable(figures.counts),
    ...figures.breakdowns.map(breakdownTable),
    curveTable(figures.curves),
    figures.notes.map(note => `- ${note}\n`).join(""),
    worst(figures),
    `\`npm run bench -- ${figures.name}\` · ${machineWords(figures.machine)}\n`,
  ];
  return parts.filter(part => part !== "").join("\n");
}

function worst(figures: Figures): string {
  const sentences = shortfalls(figures);
  if (sentences.length > 0)
    return `Where it falls short:\n\n${sentences.map(sentence => `- ${sentence}\n`).join("")}`;
  const weakest = weakestOf(figures.comparisons);
  return weakest
    ? `The weakest: ${weakest.title} against ${weakest.other.name}, ${ratioWords(weakest)}.\n`
    : "";
}

/** Returns the comparison in which vrs is least ahead. */
function weakestOf(comparisons: Comparison[]): Comparison | undefined {
  const lead = ({ ratio, ratioIs }: Comparison) =>
    ratioIs === "of its time" ? 1 / ratio.median : ratio.median;
  return comparisons.toSorted((a, b) => lead(a) - lead(b))[0];
}

function comparisonTable(comparisons: Comparison[]): string {
  return table(
    ["", "ours", "beside", "ratio", "bar", "pairs", "memory, MB"],
    comparisons.map(one => [
      one.title,
      `${one.ours.name}: ${spread(one.ours.value, one.unit)}`,
      `${one.other.name}: ${spread(one.other.value, one.unit)}`,
      ratioWords(one),
      barCell(one),
      String(one.pairs),
      memoryCell(one),
    ]),
  );
}

function memoryCell({ ours, other }: Comparison): string {
  const megabytes = (mb: number | null) => (mb === null ? "–" : amount(Math.round(mb)));
  return ours.peakMb === null && other.peakMb === null
    ? ""
    : `${megabytes(ours.peakMb)} / ${megabytes(other.peakMb)}`;
}

function measureTable(measures: Measure[]): string {
  return table(
    ["", "value", "bar", "rounds", "memory, MB"],
    measures.map(one => [
      one.title,
      spread(one.value, one.unit),
      barCell(one),
      String(one.rounds),
      one.peakMb === null ? "" : amount(Math.round(one.peakMb)),
    ]),
  );
}

function countTable(counts: Count[]): string {
  return table(
    ["", "share", "bar"],
    counts.map(one => [one.title, shareWords(one), barText(one, shareBarWords(one.bar))]),
  );
}

function breakdownTable({ title, columns, rows }: Breakdown): string {
  return table(
    [title, ...columns],
    rows.map(({ name, values }) => [name, ...values.map(value => (value === null ? "–" : amount(value)))]),
  );
}

function barCell(one: Comparison | Measure): string {
  return barText(one, barWords(one.bar));
}

function barText(one: Comparison | Measure | Count, bar: string): string {
  return isMet(one) ? bar : `**${bar}: missed**`;
}

/** Seven values of each curve are enough to show whether it is flat. */
const POINTS = 7;

function curveTable(curves: Figures["curves"]): string {
  return table(
    ["over the time", "from the first value to the last", "second quarter", "last quarter", ""],
    curves.map(({ title, unit, values, everySeconds, early, late, grows }) => [
      `${title}, ${unit}`,
      `${pointsOf(values)
        .map(value => amount(value))
        .join(" · ")} (in ${values.length * everySeconds} s)`,
      amount(early),
      amount(late),
      grows ? "**grows**" : "flat",
    ]),
  );
}

function pointsOf(values: number[]): number[] {
  if (values.length <= POINTS) return values;
  return Array.from(
    { length: POINTS },
    (_, index) => values[Math.round((index * (values.length - 1)) / (POINTS - 1))] ?? 0,
  );
}

function table(heads: string[], rows: string[][]): string {
  if (rows.length === 0) return "";
  const line = (cells: string[]) => `| ${cells.join(" | ")} |\n`;
  return line(heads) + line(heads.map(() => "---")) + rows.map(line).join("");
}

/** Returns the anchor that the code host makes of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replace(/\s/g, "-");
}
