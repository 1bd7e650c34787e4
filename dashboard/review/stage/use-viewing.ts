import { useEffect, useMemo, useState } from "react";
import type { Mode } from "../../../shared/report/page/modes.js";
import type { Screenshot } from "../../api/screenshot.ts";
import type { AppLocation } from "../../app-location.ts";
import { navigate } from "../../navigation.tsx";
import { isUndecided } from "../decisions/decision.ts";
import { firstMinor, queueOf, type Section, sectionsMatching } from "../queue.ts";

/** The URL follows the selection with a delay, since browsers limit the rate of URL changes. */
const ADDRESS_MS = 150;

export interface Viewing {
  sections: readonly Section[];
  /** The screenshots of all sections in order. */
  queue: readonly Screenshot[];
  /** Null if the run has none. */
  shot: Screenshot | null;
  open: (shot: Screenshot) => void;
  find: string;
  setFind: (text: string) => void;
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
  const [find, setFind] = useState("");
  const [allWanted, setAllWanted] = useState<boolean | null>(null);

  // A link to a minor change also shows the others.
  const [hasMinor, setHasMinor] = useState(() =>
    shots.some(({ id, minor }) => minor && id === location.shot),
  );

  const inQuestion = useMemo(() => queueOf(shots, hasMinor ? "minor" : "question"), [shots, hasMinor]);
  const isNamed = inQuestion.some(section => section.shots.some(({ id }) => id === shotId));
  // The queue includes everything if a link names a screenshot without review, or if the run has nothing
  // else.
  const isAll =
    allWanted ??
    (inQuestion.length === 0 || (location.shot !== undefined && shotId === location.shot && !isNamed));
  const sections = useMemo(
    () => sectionsMatching(isAll ? queueOf(shots, "all") : inQuestion, find),
    [shots, isAll, inQuestion, find],
  );
  const queue = useMemo(() => sections.flatMap(section => section.shots), [sections]);
  const shot = shots.find(({ id }) => id === shotId) ?? queue.find(isUndecided) ?? queue[0] ?? null;

  // The first screenshot stays open when it is decided.
  useEffect(() => {
    if (shot && shotId !== shot.id) setShotId(shot.id);
  }, [shot, shotId]);

  return {
    sections,
    queue,
    shot,
    open: next => setShotId(next.id),
    find,
    setFind,
    isAll,
    toggleAll: () => setAllWanted(!isAll),
    hasMinor,
    showMinor() {
      const first = firstMinor(shots);
      if (!first) return false;
      setHasMinor(true);
      setAllWanted(false);
      setFind("");
      setShotId(first.id);
      return true;
    },
  };
}

/** Puts the selected screenshot and mode into the URL. @param id the run's id */
export function useAddress(id: string, shot: Screenshot | null, mode: Mode): void {
  const shotId = shot?.id;
  useEffect(() => {
    if (shotId === undefined) return;
    const timer = setTimeout(
      () => navigate({ page: "review", id, shot: shotId, mode }, "replace"),
      ADDRESS_MS,
    );
    return () => clearTimeout(timer);
  }, [id, shotId, mode]);
}
