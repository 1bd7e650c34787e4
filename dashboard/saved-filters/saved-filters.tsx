import { useEffect, useRef, useState } from "react";
import { parseAddress, urlOf } from "../app-location.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { commonTexts } from "../texts/common.ts";
import { savedFilterTexts as texts } from "../texts/saved-filters.ts";
import { textIn } from "../ui/form-values.ts";
import "./saved-filters.css";
import {
  FILTER_BOUNDS,
  type FilteredList,
  removeFilter,
  type SavedFilter,
  saveFilter,
  useSavedFilters,
} from "./stored-filters.ts";

interface SavedFiltersProps {
  /** The list with its filters. */
  location: FilteredList;
  isFiltered: boolean;
  /** A name for the filters, which the reader can change. */
  suggestion: string;
}

/** Lists the reader's saved filters of a list, and saves the current one. */
export function SavedFilters({ location, isFiltered, suggestion }: SavedFiltersProps) {
  const { session } = useMe();
  const teamId = session.team?.id ?? "";
  const address = urlOf(location);
  const saved = useSavedFilters(teamId).filter(filter => parseAddress(filter.address).page === location.page);
  const isSaved = saved.some(filter => filter.address === address);
  const [naming, setNaming] = useState<string | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [savedNow, setSavedNow] = useState("");
  useEffect(() => {
    if (naming !== null) frame.current?.querySelector("input")?.focus();
  }, [naming]);
  // The form that had the focus is gone.
  useEffect(() => {
    if (savedNow !== "") frame.current?.querySelector<HTMLElement>("[aria-current]")?.focus();
  }, [savedNow]);
  if (saved.length === 0 && !isFiltered) return null;
  return (
    <div className="saved-filters" ref={frame}>
      {saved.length > 0 && (
        <ul aria-label={texts.title}>
          {saved.map(filter => (
            <SavedFilterItem
              key={filter.address}
              filter={filter}
              isCurrent={filter.address === address}
              onRemove={() => removeFilter(teamId, filter)}
            />
          ))}
        </ul>
      )}
      {isFiltered && !isSaved && naming !== address && (
        <button type="button" onClick={() => setNaming(address)}>
          {texts.save}
        </button>
      )}
      {isFiltered && !isSaved && naming === address && (
        <form
          onSubmit={event => {
            event.preventDefault();
            const name = textIn(new FormData(event.currentTarget), "name").trim();
            if (name === "") return;
            saveFilter(teamId, { name, address });
            setNaming(null);
            setSavedNow(address);
          }}
        >
          <label>
            <span className="field-label">{texts.name}</span>
            <input
              name="name"
              required
              autoComplete="off"
              maxLength={FILTER_BOUNDS.nameChars}
              defaultValue={suggestion.slice(0, FILTER_BOUNDS.nameChars)}
            />
          </label>
          <button type="submit" className="primary">
            {texts.save}
          </button>
          <button type="button" onClick={() => setNaming(null)}>
            {commonTexts.cancel}
          </button>
        </form>
      )}
    </div>
  );
}

function SavedFilterItem({
  filter,
  isCurrent,
  onRemove,
}: {
  filter: SavedFilter;
  isCurrent: boolean;
  onRemove: () => void;
}) {
  return (
    <li>
      <Link to={parseAddress(filter.address)} aria-current={isCurrent || undefined}>
        {filter.name}
      </Link>
      <button
        type="button"
        aria-label={texts.remove(filter.name)}
        title={texts.remove(filter.name)}
        onClick={onRemove}
      >
        <span aria-hidden="true">×</span>
      </button>
    </li>
  );
}
