import type { Tally } from "../../shared/report/tally.ts";
import { figure, STANDINGS, type Standing, standingOf } from "../../shared/report/words.ts";
import type { Shot } from "../api/shot.ts";
import { Icon } from "../ui/icon.tsx";
import { Status } from "../ui/status.tsx";

export interface ShotFilters {
  /** A part of the route. */
  text: string;
  standing: Standing | null;
  /** Width, px. */
  viewport: number | null;
}

/** The screenshots that match all of what is asked for. */
export function shotsMatching(shots: readonly Shot[], { text, standing, viewport }: ShotFilters): Shot[] {
  const wanted = text.trim().toLowerCase();
  return shots.filter(
    shot =>
      shot.route.toLowerCase().includes(wanted) &&
      (standing === null || standingOf(shot) === standing) &&
      (viewport === null || shot.viewport === viewport),
  );
}

interface ShotFilterProps {
  /** Of all of the run's screenshots. */
  standings: Tally["standings"];
  widths: readonly number[];
  filters: ShotFilters;
  onChange: (filters: ShotFilters) => void;
}

/** The widths that there are, px. */
export function widthsOf(shots: readonly Shot[]): number[] {
  return [...new Set(shots.map(shot => shot.viewport))].sort((one, other) => one - other);
}

export function ShotFilter({ standings, widths, filters, onChange }: ShotFilterProps) {
  return (
    <search className="filters" aria-label="Screenshots">
      <label className="find">
        <Icon name="search" />
        <span className="hidden">Find a route</span>
        <input
          type="search"
          placeholder="Find a route"
          autoComplete="off"
          value={filters.text}
          onChange={event => onChange({ ...filters, text: event.currentTarget.value })}
        />
      </label>
      <fieldset className="chips">
        <legend className="hidden">Status</legend>
        {STANDINGS.filter(standing => (standings[standing] ?? 0) > 0).map(standing => (
          <button
            key={standing}
            type="button"
            aria-pressed={filters.standing === standing}
            onClick={() =>
              onChange({ ...filters, standing: filters.standing === standing ? null : standing })
            }
          >
            <Status name={standing} /> {figure(standings[standing] ?? 0)}
          </button>
        ))}
      </fieldset>
      {widths.length > 1 && (
        <fieldset className="chips">
          <legend className="hidden">Width</legend>
          {widths.map(width => (
            <button
              key={width}
              type="button"
              aria-pressed={filters.viewport === width}
              onClick={() => onChange({ ...filters, viewport: filters.viewport === width ? null : width })}
            >
              {width} px
            </button>
          ))}
        </fieldset>
      )}
    </search>
  );
}
