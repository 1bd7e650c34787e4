import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { thumbnailOf } from "../../shared/report/crop.ts";
import { describeDifference } from "../../shared/report/describe-screenshot.ts";
import { displayStatusOf } from "../../shared/report/display-status.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { commonTexts } from "../texts/common.ts";
import { runTexts } from "../texts/run.ts";
import { PageName } from "../ui/page-name.tsx";
import { PageThumbnail } from "../ui/page-thumbnail.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import type { Cell } from "./grid-rows.ts";
import { Flaky, Remarks } from "./remarks.tsx";
import { filterQuery, type ScreenshotFilters } from "./screenshot-filters.ts";

interface ScreenshotCardProps {
  runId: string;
  cell: Cell;
  /** Filters of the page, which the review keeps. */
  filters: ScreenshotFilters;
  /** Notes that the page shows once for all cards. */
  shownNotes: ReadonlySet<string>;
  onToggle: (key: string) => void;
}

/** Shows a screenshot in the grid, or a group of identical changes. */
export function ScreenshotCard({
  runId,
  cell: { shot, stack, key, isUnfolded },
  filters,
  shownNotes,
  onToggle,
}: ScreenshotCardProps) {
  const others = stack.length - 1;
  return (
    <article className="stack card" data-standing={displayStatusOf(shot)}>
      <Link className="card-open" to={{ page: "review", id: runId, shot: shot.id, ...filterQuery(filters) }}>
        <Thumbnail shot={shot} />
        <h3 className="route" title={pageName(shot)}>
          <PageName page={shot} />
        </h3>
        <p className="card-line">
          <Status {...statusOf(shot)} />
          <span>{commonTexts.px(shot.viewport)}</span>
          <span>{describeDifference(shot)}</span>
          <Flaky shot={shot} />
        </p>
      </Link>
      {others > 0 && (
        <button
          type="button"
          className="text-button"
          aria-expanded={isUnfolded}
          onClick={() => onToggle(key)}
        >
          <span className="times" aria-hidden="true">
            {runTexts.times(stack.length)}
          </span>{" "}
          {isUnfolded ? runTexts.hideSame(others) : runTexts.showSame(others)}
        </button>
      )}
      <Remarks shot={{ ...shot, notes: shot.notes.filter(note => !shownNotes.has(note)) }} hasDiagnostics />
    </article>
  );
}

/** Width of a card's crop in most windows, CSS px. */
const SHOWN_PX = 320;

/** Shows a page cropped around its first change, and the whole page as a sliver. */
function Thumbnail({ shot }: { shot: Screenshot }) {
  const thumbnail = thumbnailOf(shot);
  if (thumbnail === null) return null;
  const { side, ...part } = thumbnail;
  return <PageThumbnail {...part} image={shot.images[side]} regions={shot.regions} shownPx={SHOWN_PX} />;
}
