import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import type { MonitorFilters } from "../location-filters.ts";
import { navigate } from "../navigation.tsx";
import { monitorsTexts } from "../texts/monitors/monitors.ts";
import { useFollowedText } from "../ui/hooks/use-field-text.ts";
import { Icon } from "../ui/icon.tsx";

interface MonitorFilterProps {
  filters: MonitorFilters;
  /** The shown monitors, whose tags are offered. */
  monitors: readonly MonitorView[];
}

/** Filters the list of monitors by a text and by tags. */
export function MonitorFilter({ filters: { find = "", tag }, monitors }: MonitorFilterProps) {
  const [text, setText] = useFollowedText(find, wanted =>
    navigate({ page: "monitors", ...(wanted && { find: wanted }), ...(tag && { tag }) }, "replace"),
  );
  const tags = [...new Set([...(tag ? [tag] : []), ...monitors.flatMap(monitor => monitor.tags)])].toSorted();
  return (
    <div className="monitor-filter">
      <label className="find">
        <Icon name="search" />
        <span className="hidden">{monitorsTexts.find}</span>
        <input
          type="search"
          placeholder={monitorsTexts.find}
          autoComplete="off"
          maxLength={200}
          value={text}
          onChange={event => setText(event.currentTarget.value)}
        />
      </label>
      {tags.length > 0 && (
        <fieldset className="chips">
          <legend className="hidden">{monitorsTexts.filterTags}</legend>
          {tags.map(name => (
            <button
              key={name}
              type="button"
              aria-pressed={name === tag}
              onClick={() =>
                navigate(
                  { page: "monitors", ...(find && { find }), ...(name !== tag && { tag: name }) },
                  "replace",
                )
              }
            >
              {monitorsTexts.tag(name)}
            </button>
          ))}
        </fieldset>
      )}
    </div>
  );
}
