import { DISPLAY_STATUSES } from "../../shared/report/display-status.ts";
import type { Tally } from "../../shared/report/tally.ts";
import { STATUS_NAMES } from "../../shared/report/texts.ts";
import { number } from "../texts/format.ts";
import { runTexts } from "../texts/runs/run.ts";
import { EnvironmentChips, WidthChips } from "../ui/filter-chips.tsx";
import { Status } from "../ui/status.tsx";
import type { SelectedValues } from "./screenshot-filters.ts";

export interface SelectionChipsProps {
  /** Counts of all of the run's screenshots. */
  standings: Tally["standings"];
  widths: readonly number[];
  environments: readonly string[];
  selected: SelectedValues;
  onSelect: (selected: SelectedValues) => void;
}

/** Shows the statuses, widths and environments to filter by. */
export function SelectionChips({ standings, widths, environments, selected, onSelect }: SelectionChipsProps) {
  const { standing: chosen, environment, viewport } = selected;
  // The selected status stays available even without matching screenshots, so that it can be removed.
  const offered = DISPLAY_STATUSES.filter(standing => standing === chosen || (standings[standing] ?? 0) > 0);
  return (
    <>
      <fieldset className="chips">
        <legend className="hidden">{runTexts.status}</legend>
        {offered.map(standing => (
          <button
            key={standing}
            type="button"
            aria-pressed={standing === chosen}
            onClick={() => onSelect({ ...selected, standing: standing === chosen ? null : standing })}
          >
            <Status name={standing} word={STATUS_NAMES[standing]} /> {number(standings[standing] ?? 0)}
          </button>
        ))}
      </fieldset>
      <WidthChips
        widths={widths}
        chosen={viewport}
        onChoose={width => onSelect({ ...selected, viewport: width })}
      />
      <EnvironmentChips
        environments={environments}
        chosen={environment}
        onChoose={name => onSelect({ ...selected, environment: name })}
      />
    </>
  );
}
