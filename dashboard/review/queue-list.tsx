import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useMemo, useRef } from "react";
import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { percent } from "../../shared/text/format.ts";
import type { Screenshot } from "../api/screenshot.ts";
import type { QueueOrder } from "../app-location.ts";
import { hasSelection, type SelectedValues } from "../run/screenshot-filters.ts";
import { commentTexts } from "../texts/comments.ts";
import { commonTexts } from "../texts/common.ts";
import { number } from "../texts/format.ts";
import { reviewTexts } from "../texts/review.ts";
import { Icon } from "../ui/icon.tsx";
import { statusOf } from "../ui/status.tsx";
import { PageName } from "../ui/text/page-name.tsx";
import { isUndecided } from "./decisions/decision.ts";
import type { Section } from "./queue.ts";
import { QueueFilter } from "./queue-filter.tsx";
import { QueueOrderSelect } from "./queue-order-select.tsx";

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

type Row = { key: string; section: Section } | { key: string; shot: Screenshot };

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
  const rows = useMemo(
    () =>
      sections.flatMap((section): Row[] => [
        { key: section.key, section },
        ...section.shots.map(shot => ({ key: shot.id, shot })),
      ]),
    [sections],
  );
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: index => rows[index]?.key ?? index,
    overscan: 8,
  });
  const at = rows.findIndex(row => row.key === currentId);
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
                {"section" in row ? (
                  <SectionRow section={row.section} onApprove={onApprove} />
                ) : (
                  <ScreenshotRow
                    shot={row.shot}
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

interface SectionRowProps extends Pick<QueueListProps, "onApprove"> {
  section: Section;
}

function SectionRow({ section: { title, shots, isGroup }, onApprove }: SectionRowProps) {
  const left = shots.filter(isUndecided).length;
  return (
    <div className="queue-section">
      <h2>
        <span className="cut-end" title={title}>
          {title}
        </span>{" "}
        <span className="count">
          {left > 0 && left < shots.length ? reviewTexts.partOf(left, shots.length) : number(shots.length)}
        </span>
      </h2>
      {onApprove && isGroup && left > 0 && (
        <button type="button" className="text-button" aria-keyshortcuts="G" onClick={() => onApprove(shots)}>
          {reviewTexts.approveGroup}
          <span className="hidden"> {title}</span>
        </button>
      )}
    </div>
  );
}

interface ScreenshotRowProps {
  shot: Screenshot;
  /** Number of open threads. */
  threads: number;
  isCurrent: boolean;
  onOpen: (shot: Screenshot) => void;
}

function ScreenshotRow({ shot, threads, isCurrent, onOpen }: ScreenshotRowProps) {
  const { name, word } = statusOf(shot);
  return (
    <button
      type="button"
      className="queue-shot"
      aria-current={isCurrent}
      data-standing={name}
      data-decided={shot.review !== null && !isUndecided(shot)}
      onClick={() => onOpen(shot)}
    >
      <span className="status">
        <Icon name={name} />
        <span className="hidden">{word}</span>
      </span>
      <span className="queue-route" title={pageName(shot)}>
        <PageName page={shot} />
      </span>
      {threads > 0 && (
        <span className="queue-comments" title={commentTexts.openThreads(threads)}>
          <Icon name="comment" /> {number(threads)}
        </span>
      )}
      <span className="queue-width">{shot.viewport}</span>
      <span className="queue-ratio">
        {shot.diffRatio !== null && (shot.status === "changed" || shot.minor) && percent(shot.diffRatio)}
      </span>
    </button>
  );
}
