import type { Comparison, Figures, Measure } from "./figures.ts";
import { amount, barWords, isKept, machineWords, ratioWords, shortfalls, spread } from "./words.ts";

const INTRODUCTION = `# Benchmarks

The figures last taken, worst cases included. \`npm run bench\` takes all of them anew, in about an hour, and writes
this page; \`npm run bench -- compare fleet\` takes those two, and \`--quick\` takes fewer rounds, to see that a bench
works. It ends with exit code 1 when a bench fails or a bar is missed. Leave the machine alone meanwhile: only figures of
one bench on one machine are to be compared. Run \`npm test\` once before: it sets up what the benches need, such as
Node 24, NATS and PostgreSQL.

- Whatever is compared takes turns, each round begun by another one, after rounds that warm up and do not count.
- A value is the median of its rounds, with the least and the most in brackets. A ratio is the median of the ratios of
  the rounds, not the ratio of the medians.
- Memory is the most that was resident at once, of a side's processes together, with those of its browser; what
  processes share counts for each of them.
- A bar is what this project holds itself to.
`;

/** The whole page. */
export function benchmarksPage(all: Figures[]): string {
  return [INTRODUCTION, summary(all), ...all.map(section)].join("\n");
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

/** Of the comparisons, that in which we are least ahead. */
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
  const said = (mb: number | null) => (mb === null ? "–" : amount(Math.round(mb)));
  return ours.peakMb === null && other.peakMb === null ? "" : `${said(ours.peakMb)} / ${said(other.peakMb)}`;
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

function barCell(one: Comparison | Measure): string {
  return isKept(one) ? barWords(one.bar) : `**${barWords(one.bar)}: missed**`;
}

/** Seven of each curve's values are enough to see whether it is flat. */
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

/** As the code host makes them of headings. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, "")
    .replace(/\s/g, "-");
}
