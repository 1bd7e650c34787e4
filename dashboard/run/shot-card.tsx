import { difference } from "../../shared/report/describe-screenshot.ts";
import { standingOf } from "../../shared/report/standing.ts";
import { Link } from "../location.tsx";
import { commonTexts } from "../texts/common.ts";
import { runTexts } from "../texts/run.ts";
import { Status, statusOf } from "../ui/status.tsx";
import { Flaky } from "./flaky.tsx";
import type { Cell } from "./grid-rows.ts";
import { Remarks } from "./remarks.tsx";
import { Thumbnail } from "./thumbnail.tsx";

interface ShotCardProps {
  runId: string;
  cell: Cell;
  onToggle: (key: string) => void;
}

/** Shows a screenshot in the grid, or a group of identical changes. */
export function ShotCard({ runId, cell: { shot, stack, key, isUnfolded }, onToggle }: ShotCardProps) {
  const others = stack.length - 1;
  return (
    <article className="stack card" data-standing={standingOf(shot)}>
      <Link className="card-open" to={{ page: "review", id: runId, shot: shot.id }}>
        <Thumbnail shot={shot} />
        <h3 className="route">{shot.route}</h3>
        <p className="card-line">
          <Status {...statusOf(shot)} />
          <span>{commonTexts.px(shot.viewport)}</span>
          <span>{difference(shot)}</span>
          <Flaky shot={shot} />
        </p>
      </Link>
      {others > 0 && (
        <>
          <span className="times" aria-hidden="true">
            {runTexts.times(stack.length)}
          </span>
          <button
            type="button"
            className="text-button"
            aria-expanded={isUnfolded}
            onClick={() => onToggle(key)}
          >
            {isUnfolded ? runTexts.hideSame(others) : runTexts.showSame(others)}
          </button>
        </>
      )}
      <Remarks shot={shot} />
    </article>
  );
}
