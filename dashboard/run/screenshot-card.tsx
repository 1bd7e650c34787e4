import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { thumbnailOf } from "../../shared/report/crop.ts";
import { displayStatusOf } from "../../shared/report/display-status.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { Link } from "../navigation.tsx";
import { isDecidable } from "../review/decisions/decision.ts";
import { commonTexts } from "../texts/common.ts";
import { runTexts } from "../texts/runs/run.ts";
import { PageThumbnail } from "../ui/screenshots/page-thumbnail.tsx";
import { Status, statusOf } from "../ui/status.tsx";
import { PageName } from "../ui/text/page-name.tsx";
import type { Cell } from "./grid-rows.ts";
import { Difference, Flaky, Remarks } from "./remarks.tsx";
import { filterQuery, type ScreenshotFilters } from "./screenshot-filters.ts";
import type { Selection } from "./use-selection.ts";

interface ScreenshotCardProps {
  runId: string;
  cell: Cell;
  /** Filters of the page, which the review keeps. */
  filters: ScreenshotFilters;
  /** Notes that the page shows once for all cards. */
  shownNotes: ReadonlySet<string>;
  onToggle: (key: string) => void;
  /** Selects screenshots to decide on; null if the reader may not. */
  selection: Selection | null;
}

/** Shows a screenshot in the grid, or a group of identical changes. */
export function ScreenshotCard({
  runId,
  cell: { shot, stack, key, isUnfolded },
  filters,
  shownNotes,
  onToggle,
  selection,
}: ScreenshotCardProps) {
  const others = stack.length - 1;
  const selectable = isUnfolded ? [shot] : stack;
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
          <Difference shot={shot} />
          <Flaky shot={shot} />
        </p>
      </Link>
      {selection && isDecidable(shot, "rejected") && (
        <label className="card-select">
          <input
            type="checkbox"
            checked={selection.ids.has(shot.id)}
            aria-label={runTexts.select(commonTexts.pageAt(shot), selectable.length - 1)}
            onChange={({ nativeEvent }) =>
              selection.toggle(
                selectable.map(({ id }) => id),
                "shiftKey" in nativeEvent && nativeEvent.shiftKey === true,
              )
            }
          />
        </label>
      )}
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
