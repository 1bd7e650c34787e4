import { environmentLabel, pageName } from "../../shared/contracts/runs/screenshot-key.ts";
import { DISPLAY_STATUSES, type DisplayStatus, displayStatusOf } from "../../shared/report/display-status.ts";
import type { Tally } from "../../shared/report/tally.ts";
import { STATUS_NAMES } from "../../shared/report/texts.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { commonTexts } from "../texts/common.ts";
import { number } from "../texts/format.ts";
import { runTexts } from "../texts/run.ts";
import { EnvironmentChips, WidthChips } from "../ui/filter-chips.tsx";
import { Icon } from "../ui/icon.tsx";
import { Status } from "../ui/status.tsx";

export interface ScreenshotFilters {
  /** Part of the route. */
  text: string;
  standing: DisplayStatus | null;
  /** Name of the environment. */
  environment: string | null;
  /** Width, px. */
  viewport: number | null;
}

/** Returns the screenshots that match all filters. */
export function matchingScreenshots(
  shots: readonly Screenshot[],
  { text, standing, environment, viewport }: ScreenshotFilters,
): Screenshot[] {
  const wanted = text.trim().toLowerCase();
  return shots.filter(
    shot =>
      pageName(shot).toLowerCase().includes(wanted) &&
      (standing === null || displayStatusOf(shot) === standing) &&
      (environment === null || environmentLabel(shot.environment) === environment) &&
      (viewport === null || shot.viewport === viewport),
  );
}

interface ScreenshotFilterProps {
  /** Counts of all of the run's screenshots. */
  standings: Tally["standings"];
  widths: readonly number[];
  environments: readonly string[];
  filters: ScreenshotFilters;
  onFind: (text: string) => void;
  onNarrow: (to: Omit<ScreenshotFilters, "text">) => void;
}

export function ScreenshotFilter({
  standings,
  widths,
  environments,
  filters,
  onFind,
  onNarrow,
}: ScreenshotFilterProps) {
  const { text, standing: chosen, environment, viewport } = filters;
  // The selected status stays available even without matching screenshots, so that it can be removed.
  const offered = DISPLAY_STATUSES.filter(standing => standing === chosen || (standings[standing] ?? 0) > 0);
  return (
    <search className="filters" aria-label={runTexts.filter}>
      <label className="find">
        <Icon name="search" />
        <span className="hidden">{commonTexts.findRoute}</span>
        <input
          type="search"
          placeholder={commonTexts.findRoute}
          autoComplete="off"
          value={text}
          onChange={event => onFind(event.currentTarget.value)}
        />
      </label>
      <fieldset className="chips">
        <legend className="hidden">{runTexts.status}</legend>
        {offered.map(standing => (
          <button
            key={standing}
            type="button"
            aria-pressed={standing === chosen}
            onClick={() =>
              onNarrow({ standing: standing === chosen ? null : standing, environment, viewport })
            }
          >
            <Status name={standing} word={STATUS_NAMES[standing]} /> {number(standings[standing] ?? 0)}
          </button>
        ))}
      </fieldset>
      <WidthChips
        widths={widths}
        chosen={viewport}
        onChoose={width => onNarrow({ standing: chosen, environment, viewport: width })}
      />
      <EnvironmentChips
        environments={environments}
        chosen={environment}
        onChoose={name => onNarrow({ standing: chosen, environment: name, viewport })}
      />
    </search>
  );
}
