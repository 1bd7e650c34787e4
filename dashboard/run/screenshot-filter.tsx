import { commonTexts } from "../texts/common.ts";
import { runTexts } from "../texts/runs/run.ts";
import { Icon } from "../ui/icon.tsx";
import type { ScreenshotFilters } from "./screenshot-filters.ts";
import { SelectionChips, type SelectionChipsProps } from "./selection-chips.tsx";

interface ScreenshotFilterProps extends Omit<SelectionChipsProps, "selected" | "onSelect"> {
  filters: ScreenshotFilters;
  onFind: (text: string) => void;
  onNarrow: SelectionChipsProps["onSelect"];
}

/** Shows the filters of a run's screenshots. */
export function ScreenshotFilter({ filters, onFind, onNarrow, ...offered }: ScreenshotFilterProps) {
  const { text, ...selected } = filters;
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
      <SelectionChips {...offered} selected={selected} onSelect={onNarrow} />
    </search>
  );
}
