import type { NoiseView } from "../../shared/contracts/noise/noise.ts";
import { noiseTexts } from "../texts/noise.ts";

type Day = NoiseView["pages"][number]["history"][number];

const BAR = 4;
const GAP = 2;
const HEIGHT = 32;
/** Minimum score for the full height, so that little noise doesn't look like much. */
const MIN_TOP = 0.1;

/** Draws a page's flake score by day. Days with noise have the color of unstable screenshots. */
export function ScoreChart({ history }: { history: readonly Day[] }) {
  const top = Math.max(MIN_TOP, ...history.map(({ score }) => score));
  const width = history.length * (BAR + GAP) - GAP;
  const highest = Math.max(...history.map(({ score }) => score));
  return (
    <svg
      className="score-chart"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      width={width}
      height={HEIGHT}
      role="img"
      aria-label={noiseTexts.scores(history.length, highest)}
    >
      {history.map(({ day, score, captures, noisy }, index) => {
        const height = Math.max(1, (score / top) * HEIGHT);
        return (
          <rect
            key={day}
            data-standing={noisy > 0 ? "unstable" : undefined}
            x={index * (BAR + GAP)}
            y={HEIGHT - height}
            width={BAR}
            height={height}
          >
            <title>{noiseTexts.scoreOf(day, score, noisy, captures)}</title>
          </rect>
        );
      })}
    </svg>
  );
}
