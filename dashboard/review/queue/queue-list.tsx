import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import type { Screenshot } from "../../api/screenshot.ts";
import type { QueueOrder } from "../../location-filters.ts";
import { hasSelection, type SelectedValues } from "../../run/screenshot-filters.ts";
import { commonTexts } from "../../texts/common.ts";
import { reviewTexts } from "../../texts/review.ts";
import { Icon } from "../../ui/icon.tsx";
import { isUndecided } from "../decisions/decision.ts";
import type { Section } from "./queue.ts";
import { QueueFilter } from "./queue-filter.tsx";
import { QueueOrderSelect } from "./queue-order-select.tsx";
import { FolderRow, ScreenshotRow, SectionRow } from "./queue-rows.tsx";
import { queueRows, withoutParents } from "./queue-tree.rule.ts";

const ROW_PX = 32;

interface QueueListProps {
  /** All of the run's screenshots. */
  shots: readonly Screenshot[];
  /** Numbers of open threads, by screenshot. */
  commented: ReadonlyMap<string, number>;
  selected: SelectedValues;
  select: (selected: SelectedValues) => void;
  sections: readonly Section[];
  currentId: string;
  find: string;
  isAll: boolean;
  /** Whether minor changes are included. */
  hasMinor: boolean;
  /** The minor changes that match the filter, whether in the queue or not. */
  minor: readonly Screenshot[];
  findInput: RefObject<HTMLInputElement | null>;
  onFind: (text: string) => void;
  /** Opens the first match. */
  onFirst: () => void;
  onFilter: () => void;
  onMinor: () => void;
  onOpen: (shot: Screenshot) => void;
  order: QueueOrder;
  setOrder: (order: QueueOrder) => void;
  /** Approves a group of identical changes; null if the reader may not. */
  onApprove: ((shots: readonly Screenshot[]) => void) | null;
}

/** Lists what needs a decision, in order. Renders only the visible rows. */
export function QueueList({
  shots,
  commented,
  selected,
  select,
  sections,
  currentId,
  find,
  isAll,
  hasMinor,
  minor,
  findInput,
  onFind,
  onFirst,
  onFilter,
  onMinor,
  onOpen,
  order,
  setOrder,
  onApprove,
}: QueueListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const rows = useMemo(() => queueRows(sections, folded), [sections, folded]);
  const onFold = (key: string) => setFolded(before => before.symmetricDifference(new Set([key])));
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: index => rows[index]?.key ?? index,
    overscan: 8,
  });
  const at = rows.findIndex(row => row.key === currentId);
  const isOpenHidden = at < 0 && folded.size > 0;
  useEffect(() => {
    // The keys open screenshots of folded components, too. The queue shows where they are.
    if (isOpenHidden) setFolded(before => withoutParents(before, sections, currentId));
  }, [isOpenHidden, sections, currentId]);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: "auto" });
  }, [at, virtualizer]);
  return (
    <nav className="queue" aria-label={reviewTexts.queueLabel}>
      <div className="queue-head">
        <label className="find">
          <Icon name="search" />
          <span className="hidden">{commonTexts.findRoute}</span>
          <input
            ref={findInput}
            type="search"
            placeholder={commonTexts.findRoute}
            autoComplete="off"
            aria-keyshortcuts="/"
            value={find}
            onChange={event => onFind(event.currentTarget.value)}
            onKeyDown={event => {
              if (event.key !== "Escape" && event.key !== "Enter") return;
              if (event.key === "Enter") onFirst();
              event.currentTarget.blur();
            }}
          />
        </label>
        <button type="button" aria-pressed={isAll} aria-keyshortcuts="F" onClick={onFilter}>
          {reviewTexts.all}
        </button>
        <QueueOrderSelect order={order} onOrder={setOrder} />
        <QueueFilter shots={shots} selected={selected} onSelect={select} />
      </div>
      {rows.length === 0 && <p className="empty">{emptyText(find, selected)}</p>}
      <div className="queue-scroll" ref={scroller}>
        <div className="queue-rows" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (!row) return null;
            return (
              <div key={key} className="queue-row" style={{ transform: `translateY(${start}px)` }}>
                {"folder" in row ? (
                  <FolderRow {...row} onFold={() => onFold(row.key)} />
                ) : "section" in row ? (
                  <SectionRow
                    section={row.section}
                    depth={row.depth}
                    isFolded={row.isFolded}
                    onFold={() => onFold(row.key)}
                    onApprove={onApprove}
                  />
                ) : (
                  <ScreenshotRow
                    shot={row.shot}
                    depth={row.depth}
                    isStory={row.isStory}
                    threads={commented.get(row.key) ?? 0}
                    isCurrent={row.key === currentId}
                    onOpen={onOpen}
                  />
                )}
              </div>
            );
          })}
        </div>
      </div>
      {minor.length > 0 && (!hasMinor || isAll) && (
        <button type="button" className="queue-minor" aria-keyshortcuts="M" onClick={onMinor}>
          <kbd>M</kbd>
          {onApprove && minor.some(isUndecided)
            ? reviewTexts.reviewMinor(minor.length)
            : reviewTexts.showMinor(minor.length)}
        </button>
      )}
    </nav>
  );
}

function emptyText(find: string, selected: SelectedValues): string {
  if (find !== "") return reviewTexts.noRoute;
  return hasSelection(selected) ? reviewTexts.noMatch : reviewTexts.nothingToReview;
}
