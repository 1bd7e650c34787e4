import { useEffect, useMemo, useState } from "react";
import type { Mode } from "../../../shared/report/page/modes.js";
import type { Screenshot } from "../../api/screenshot.ts";
import type { AppLocation } from "../../app-location.ts";
import type { QueueOrder } from "../../location-filters.ts";
import { navigate } from "../../navigation.tsx";
import {
  filterQuery,
  filtersIn,
  hasSelection,
  NO_SELECTION,
  type ScreenshotFilters,
  type SelectedValues,
} from "../../run/screenshot-filters.ts";
import { isUndecided } from "../decisions/decision.ts";
import {
  firstMinor,
  hasName,
  queueOf,
  type Section,
  sectionsMatching,
  sectionsOf,
  selectedForReview,
} from "../queue/queue.ts";
import { orderSections } from "../queue/queue-order.rule.ts";

/** The URL follows the selection with a delay, since browsers limit the rate of URL changes. */
const ADDRESS_MS = 150;

export interface Viewing {
  sections: readonly Section[];
  /** The screenshots of all sections in order. */
  queue: readonly Screenshot[];
  /** Null if the run or the selection has none. */
  shot: Screenshot | null;
  /** The run's screenshots with the selected values. Only these can be opened. */
  inSelection: readonly Screenshot[];
  selected: SelectedValues;
  select: (selected: SelectedValues) => void;
  open: (shot: Screenshot) => void;
  find: string;
  setFind: (text: string) => void;
  /** Opens the first screenshot of the queue to decide on, or its first one. */
  openFirst: () => void;
  /** Whether the open screenshot matches all filters. Others are shown, but not decided. */
  isMatch: boolean;
  order: QueueOrder;
  setOrder: (order: QueueOrder) => void;
  isAll: boolean;
  toggleAll: () => void;
  /** Whether the queue includes minor changes. */
  hasMinor: boolean;
  /** Adds the minor changes to the queue and opens the first one. Returns whether there are any. */
  showMinor: () => boolean;
}

/** Returns the selected screenshot and its queue. The URL may name both. */
export function useViewing(
  shots: readonly Screenshot[],
  location: Extract<AppLocation, { page: "review" }>,
): Viewing {
  const [shotId, setShotId] = useState(location.shot ?? null);
  const [{ text: find, ...selected }, setFilters] = useState(() => filtersIn(location));
  const { standing, environment, viewport } = selected;
  const setFind = (text: string) => setFilters(before => ({ ...before, text }));
  const [order, setOrder] = useState<QueueOrder>(location.order ?? "change");
  const [allWanted, setAllWanted] = useState<boolean | null>(null);

  // A link to a minor change also shows the others.
  const [hasMinor, setHasMinor] = useState(() =>
    shots.some(({ id, minor }) => minor && id === location.shot),
  );

  const inSelection = useMemo(
    () => selectedForReview(shots, { standing, environment, viewport }),
    [shots, standing, environment, viewport],
  );
  const questions = useMemo(() => queueOf(shots, hasMinor ? "minor" : "question"), [shots, hasMinor]);
  const inQuestion = useMemo(() => sectionsOf(questions, inSelection), [questions, inSelection]);
  const isNamed = questions.some(section => section.shots.some(({ id }) => id === shotId));
  // The queue includes everything if a link names a screenshot without review, or if the selection has
  // nothing else.
  const isAll =
    allWanted ??
    (inQuestion.length === 0 || (location.shot !== undefined && shotId === location.shot && !isNamed));
  const sections = useMemo(() => {
    const all = () => sectionsMatching(sectionsOf(queueOf(shots, "all"), inSelection), find);
    if (isAll) return orderSections(all(), order);
    const matching = sectionsMatching(inQuestion, find);
    // A route without anything to review is still found.
    return orderSections(matching.length > 0 || allWanted === false ? matching : all(), order);
  }, [shots, isAll, allWanted, inQuestion, inSelection, find, order]);
  const queue = useMemo(() => sections.flatMap(section => section.shots), [sections]);
  const shot = inSelection.find(({ id }) => id === shotId) ?? queue.find(isUndecided) ?? queue[0] ?? null;

  // A link in this page names another screenshot, which may be outside of the filters.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new URL opens its screenshot
  useEffect(() => {
    const linked = shots.find(({ id }) => id === location.shot);
    if (!linked || linked.id === shotId) return;
    setShotId(linked.id);
    if (linked.minor) setHasMinor(true);
    if (!inSelection.includes(linked)) setFilters(filtersIn(location));
  }, [location]);

  // The first screenshot stays open when it is decided.
  useEffect(() => {
    if (shot && shotId !== shot.id) setShotId(shot.id);
  }, [shot, shotId]);

  return {
    sections,
    queue,
    shot,
    inSelection,
    selected,
    select(next) {
      setFilters({ text: find, ...next });
      // Otherwise, a status without anything to review would show an empty queue.
      setAllWanted(null);
    },
    openFirst() {
      const first = queue.find(isUndecided) ?? queue[0];
      if (first) setShotId(first.id);
    },
    isMatch: shot !== null && hasName(shot, find),
    order,
    setOrder,
    open: next => setShotId(next.id),
    find,
    setFind,
    isAll,
    toggleAll: () => setAllWanted(!isAll),
    hasMinor,
    showMinor() {
      const selectedFirst = firstMinor(inSelection);
      const first = selectedFirst ?? firstMinor(shots);
      if (!first) return false;
      setHasMinor(true);
      setAllWanted(false);
      setFilters({ text: "", ...(selectedFirst ? selected : NO_SELECTION) });
      setShotId(first.id);
      return true;
    },
  };
}

/** Puts the open screenshot, the mode and the filters into the URL. @param id the run's id */
export function useAddress(id: string, { shot, find, selected, order }: Viewing, mode: Mode): void {
  const shotId = shot?.id;
  const { standing, environment, viewport } = selected;
  useEffect(() => {
    const filters: ScreenshotFilters = { text: find, standing, environment, viewport };
    if (shotId === undefined && !hasSelection(filters)) return;
    const timer = setTimeout(
      () =>
        navigate(
          {
            page: "review",
            id,
            ...(shotId && { shot: shotId }),
            mode,
            ...(order !== "change" && { order }),
            ...filterQuery(filters),
          },
          "replace",
        ),
      ADDRESS_MS,
    );
    return () => clearTimeout(timer);
  }, [id, shotId, mode, order, find, standing, environment, viewport]);
}
