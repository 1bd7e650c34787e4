import { useEffect, useMemo, useState } from "react";
import type { Mode } from "../../../shared/report/page/modes.js";
import type { Shot } from "../../api/shot.ts";
import { goTo } from "../../location.tsx";
import type { Place } from "../../place.ts";
import { isUndecided } from "../decisions/decision.ts";
import { firstMinor, queueOf, type Section, sectionsMatching } from "../queue.ts";

/** The address follows what is looked at, but not each of many presses of a key: browsers let no page do that. */
const ADDRESS_MS = 150;

export interface Viewing {
  sections: readonly Section[];
  /** The sections' screenshots, one after another. */
  queue: readonly Shot[];
  /** Null when the run has none. */
  shot: Shot | null;
  open: (shot: Shot) => void;
  find: string;
  setFind: (text: string) => void;
  isAll: boolean;
  toggleAll: () => void;
  /** Whether the queue has the minor changes beside what needs review. */
  hasMinor: boolean;
  /** Adds the minor changes to the queue and opens the first. Returns whether there are any. */
  showMinor: () => boolean;
}

/** What is looked at, of which queue. An address can say so. */
export function useViewing(shots: readonly Shot[], place: Extract<Place, { page: "review" }>): Viewing {
  const [shotId, setShotId] = useState(place.shot ?? null);
  const [find, setFind] = useState("");
  const [allWanted, setAllWanted] = useState<boolean | null>(null);

  // A link that leads to a minor change leads on to the others.
  const [hasMinor, setHasMinor] = useState(() => shots.some(({ id, minor }) => minor && id === place.shot));

  const inQuestion = useMemo(() => queueOf(shots, hasMinor ? "minor" : "question"), [shots, hasMinor]);
  const isNamed = inQuestion.some(section => section.shots.some(({ id }) => id === shotId));
  // A link to a screenshot without review shows it all the same, and so does a run with nothing else.
  const isAll =
    allWanted ?? (inQuestion.length === 0 || (place.shot !== undefined && shotId === place.shot && !isNamed));
  const sections = useMemo(
    () => sectionsMatching(isAll ? queueOf(shots, "all") : inQuestion, find),
    [shots, isAll, inQuestion, find],
  );
  const queue = useMemo(() => sections.flatMap(section => section.shots), [sections]);
  const shot = shots.find(({ id }) => id === shotId) ?? queue.find(isUndecided) ?? queue[0] ?? null;

  // What was opened without being named stays open when it is decided.
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

/** Has the address say what is looked at, and how. @param id the run's */
export function useAddress(id: string, shot: Shot | null, mode: Mode): void {
  const shotId = shot?.id;
  useEffect(() => {
    if (shotId === undefined) return;
    const timer = setTimeout(() => goTo({ page: "review", id, shot: shotId, mode }, "replace"), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [id, shotId, mode]);
}
