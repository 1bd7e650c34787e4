import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useMemo, useRef, useState } from "react";
import type { RunKind } from "../../shared/contracts/runs/runs.ts";
import { type GroupName, headingOf } from "../../shared/report/group-screenshots.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { number } from "../texts/format.ts";
import { runTexts } from "../texts/runs/run.ts";
import { useBox } from "../ui/hooks/use-box.ts";
import { Icon } from "../ui/icon.tsx";
import { type GridRow, gridRows } from "./grid-rows.ts";
import { saveToggled, toggledOf } from "./run-view-state.ts";
import { ScreenshotCard } from "./screenshot-card.tsx";
import type { ScreenshotFilters } from "./screenshot-filters.ts";
import type { Selection } from "./use-selection.ts";

const MIN_CARD_PX = 300;
const GAP_PX = 16;
/** Height of a card below its 16:9 thumbnail. */
const CARD_TEXT_PX = 80;
const HEADING_PX = 76;

interface ScreenshotGridProps {
  runId: string;
  kind: RunKind;
  shots: readonly Screenshot[];
  /** Whether these are all. Otherwise they are the first, and the last group may have more. */
  isWhole: boolean;
  /** Whether the reader filters by status. */
  isNarrowed: boolean;
  filters: ScreenshotFilters;
  /** Notes that the page shows once for all cards. */
  shownNotes: ReadonlySet<string>;
  /** Selects screenshots to decide on; null if the reader may not. */
  selection: Selection | null;
  /** Approves a whole group; null if the reader may not. */
  onApprove: ((shots: readonly Screenshot[]) => void) | null;
}

/** Shows all screenshots by group. Renders only the visible rows, so that 2,000 scroll like 20. */
export function ScreenshotGrid(props: ScreenshotGridProps) {
  const { runId, kind, shots, isWhole, isNarrowed, filters, shownNotes, selection, onApprove } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { width, top } = useBox(frame);
  const [toggled, setToggled] = useState(() => toggledOf(runId));
  const columns = Math.max(1, Math.floor((width + GAP_PX) / (MIN_CARD_PX + GAP_PX)));
  const rows = useMemo(
    () => gridRows(shots, columns, toggled, isNarrowed),
    [shots, columns, toggled, isNarrowed],
  );
  useEffect(() => {
    selection?.setOrder(
      rows.flatMap(row =>
        row.kind === "cells"
          ? row.cells.flatMap(({ shot, stack, isUnfolded }) =>
              (isUnfolded ? [shot] : stack).map(({ id }) => id),
            )
          : [],
      ),
    );
  }, [rows, selection]);
  const last = rows.findLast(row => row.kind === "heading");
  const cardWidth = (width - (columns - 1) * GAP_PX) / columns;
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: index =>
      rows[index]?.kind === "heading" ? HEADING_PX : (cardWidth * 9) / 16 + CARD_TEXT_PX,
    getItemKey: index => `${columns} ${rows[index]?.key}`,
    overscan: 2,
    scrollMargin: top,
  });
  const toggle = (key: string) => {
    const after = new Set(toggled);
    if (!after.delete(key)) after.add(key);
    saveToggled(runId, after);
    setToggled(after);
  };
  return (
    <div ref={frame} className="grid-frame" style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const row = rows[index];
        if (!row) return null;
        return (
          <div
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            className="grid-row"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {row.kind === "heading" ? (
              <GroupHeading
                row={row}
                kind={kind}
                isWhole={isWhole}
                hasMore={!isWhole && row === last}
                onToggle={toggle}
                onApprove={onApprove}
              />
            ) : (
              <div className="cells" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
                {row.cells.map(cell => (
                  <ScreenshotCard
                    key={cell.shot.id}
                    runId={runId}
                    cell={cell}
                    filters={filters}
                    shownNotes={shownNotes}
                    onToggle={toggle}
                    selection={selection}
                  />
                ))}
              </div>
            )}
          </div>
        );
      })}
    </div>
  );
}

const APPROVABLE: ReadonlySet<GroupName> = new Set(["review", "new", "removed", "minor"]);

function approveLabel(name: GroupName, open: number, hasMore: boolean): string {
  if (hasMore) return runTexts.approveUncounted;
  return name === "minor" ? runTexts.approveMinor(open) : runTexts.approveSome(open);
}

interface GroupHeadingProps extends Pick<ScreenshotGridProps, "kind" | "isWhole" | "onApprove"> {
  row: Extract<GridRow, { kind: "heading" }>;
  /** Whether the group may have more screenshots. */
  hasMore: boolean;
  onToggle: (key: string) => void;
}

function GroupHeading({ row, kind, isWhole, hasMore, onToggle, onApprove }: GroupHeadingProps) {
  const { key, name, count, isFolded, open } = row;
  const { title, about } = headingOf(name, kind);
  const canApprove = onApprove && APPROVABLE.has(name) && open.length > 0;
  return (
    <div className="group-head">
      <h2>
        <button type="button" className="fold" aria-expanded={!isFolded} onClick={() => onToggle(key)}>
          <Icon name={isFolded ? "right" : "down"} />
          {title} <span className="count">{hasMore ? runTexts.atLeast(count) : number(count)}</span>
        </button>
      </h2>
      <p className="about">{about}</p>
      {canApprove && (
        <button type="button" disabled={!isWhole} onClick={() => onApprove(open)}>
          {approveLabel(name, open.length, hasMore)}
        </button>
      )}
    </div>
  );
}
