import { useMemo } from "react";
import { STATUS_NAMES } from "../../../shared/report/texts.ts";
import { type Screenshot, uniqueEnvironments, uniqueWidths } from "../../api/screenshot.ts";
import { hasSelection, NO_SELECTION, type SelectedValues } from "../../run/screenshot-filters.ts";
import { SelectionChips, type SelectionChipsProps } from "../../run/selection-chips.tsx";
import { commonTexts } from "../../texts/common.ts";
import { reviewTexts } from "../../texts/review.ts";
import { tallyForReview } from "./queue.ts";

interface QueueFilterProps extends Pick<SelectionChipsProps, "selected" | "onSelect"> {
  /** All of the run's screenshots. */
  shots: readonly Screenshot[];
}

/** Shows the filters of the queue on request. The selected ones are always visible. */
export function QueueFilter({ shots, selected, onSelect }: QueueFilterProps) {
  const offered = useMemo(
    () => ({
      standings: tallyForReview(shots).standings,
      widths: uniqueWidths(shots),
      environments: uniqueEnvironments(shots),
    }),
    [shots],
  );
  const text = reviewTexts.filter(namesOf(selected));
  return (
    <>
      <details className="queue-filter">
        <summary title={text}>{text}</summary>
        <SelectionChips {...offered} selected={selected} onSelect={onSelect} />
      </details>
      {hasSelection(selected) && (
        <button type="button" className="text-button" onClick={() => onSelect(NO_SELECTION)}>
          {reviewTexts.clearFilter}
        </button>
      )}
    </>
  );
}

/** The most telling first: the end may be cut. */
function namesOf({ standing, environment, viewport }: SelectedValues): string[] {
  return [
    viewport === null ? null : commonTexts.px(viewport),
    standing === null ? null : STATUS_NAMES[standing],
    environment,
  ].filter(name => name !== null);
}
