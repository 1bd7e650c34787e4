import type { OverviewView } from "../../shared/contracts/runs/overview.ts";
import { percent } from "../../shared/text/format.ts";
import { number } from "../texts/format.ts";
import { overviewTexts } from "../texts/runs/overview.ts";
import { shownDays } from "./shown-days.rule.ts";

type Day = OverviewView["days"][number];

/** A part of a day's bar, from the bottom. */
interface Part {
  value: number;
  standing?: "changed" | "failed" | "unstable";
}

interface Trend {
  title: string;
  partsOf: (day: Day) => Part[];
  show: (value: number) => string;
  describe: (day: Day) => string;
}

const { trends, ofDay, time } = overviewTexts;

const TRENDS: Trend[] = [
  {
    title: trends.runs,
    partsOf: ({ runs, changed, failed }) => [
      { value: failed, standing: "failed" },
      { value: changed, standing: "changed" },
      { value: Math.max(0, runs - changed - failed) },
    ],
    show: number,
    describe: ({ runs, changed, failed }) => ofDay.runs(runs, changed, failed),
  },
  {
    title: trends.screenshots,
    partsOf: ({ changedScreenshots }) => [{ value: changedScreenshots, standing: "changed" }],
    show: number,
    describe: ({ changedScreenshots, screenshots }) => ofDay.screenshots(changedScreenshots, screenshots),
  },
  {
    title: trends.time,
    partsOf: ({ medianMs }) => [{ value: medianMs ?? 0 }],
    show: time,
    describe: ({ medianMs }) => time(medianMs),
  },
  {
    title: trends.flaky,
    partsOf: ({ noisyCaptures, captures }) => [
      { value: captures === 0 ? 0 : noisyCaptures / captures, standing: "unstable" },
    ],
    show: percent,
    describe: ({ noisyCaptures, captures }) => ofDay.flaky(noisyCaptures, captures),
  },
];

const STEP = 10;
const BAR = 8;
const HEIGHT = 80;

/** Draws a project's figures by day, and lists them in a table for those who don't see the drawing. */
export function Trends({ overview: { days } }: { overview: OverviewView }) {
  return (
    <>
      <div className="trends">
        {TRENDS.map(trend => (
          <Chart key={trend.title} trend={trend} days={days} />
        ))}
      </div>
      <details className="trend-table">
        <summary>{overviewTexts.asTable}</summary>
        <div className="table-scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">{overviewTexts.day}</th>
                {TRENDS.map(({ title }) => (
                  <th key={title} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shownDays(days).map(day => (
                <tr key={day.day}>
                  <th scope="row">{day.day}</th>
                  {TRENDS.map(({ title, describe }) => (
                    <td key={title}>{describe(day)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function Chart({ trend: { title, partsOf, show, describe }, days }: { trend: Trend; days: readonly Day[] }) {
  const total = (day: Day) => partsOf(day).reduce((sum, { value }) => sum + value, 0);
  const highest = Math.max(...days.map(total));
  const width = days.length * STEP;
  return (
    <figure>
      <figcaption>
        {title} <span className="quiet">{overviewTexts.highest(show(highest))}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}. ${overviewTexts.highest(show(highest))}`}
      >
        {days.map((day, index) => (
          <g key={day.day}>
            <title>{`${day.day}: ${describe(day)}`}</title>
            <rect className="trend-ground" x={index * STEP} y={0} width={STEP} height={HEIGHT} />
            {stacked(partsOf(day), highest).map(({ y, height, standing }) => (
              <rect
                key={standing ?? "other"}
                data-standing={standing}
                x={index * STEP + (STEP - BAR) / 2}
                y={y}
                width={BAR}
                height={height}
              />
            ))}
          </g>
        ))}
      </svg>
    </figure>
  );
}

/** Returns the parts of a bar from the bottom up. */
function stacked(parts: Part[], highest: number) {
  let top = HEIGHT;
  return parts
    .filter(({ value }) => value > 0)
    .map(({ value, standing }) => {
      const height = (value / highest) * HEIGHT;
      top -= height;
      return { y: top, height, standing };
    });
}
