import { useEffect, useMemo, useState } from "react";
import { MODES, type Mode, modesOf } from "../../shared/report/page/modes.js";
import type { Shot } from "../api/shot.ts";
import { goTo } from "../location.tsx";
import type { Place } from "../place.ts";
import { isOpen } from "./decision.ts";
import { queueOf, type Section, sectionsMatching } from "./queue.ts";
import { sheetOf } from "./stage-view.tsx";

/** The address follows what is looked at, but not each of many presses of a key: browsers let no page do that. */
const ADDRESS_MS = 150;

export interface Viewing {
  sections: readonly Section[];
  /** The sections' screenshots, one after another. */
  queue: readonly Shot[];
  /** Null when the run has none. */
  shot: Shot | null;
  open: (shot: Shot) => void;
  mode: Mode;
  modes: readonly Mode[];
  setMode: (mode: Mode) => void;
  region: number;
  /** Goes round. */
  goToRegion: (region: number) => void;
  find: string;
  setFind: (text: string) => void;
  isAll: boolean;
  toggleAll: () => void;
}

/** What is looked at, of which queue, and how. An address can say so, and is kept to it. */
export function useViewing(shots: readonly Shot[], place: Extract<Place, { page: "review" }>): Viewing {
  const [shotId, setShotId] = useState(place.shot ?? null);
  const [wanted, setWanted] = useState<Mode>(MODES.find(mode => mode === place.mode) ?? "side");
  const [region, setRegion] = useState({ of: "", index: 0 });
  const [find, setFind] = useState("");
  const [allWanted, setAllWanted] = useState<boolean | null>(null);

  const inQuestion = useMemo(() => queueOf(shots, false), [shots]);
  const isNamed = inQuestion.some(section => section.shots.some(({ id }) => id === shotId));
  // A link to what nobody need decide on shows it all the same, and so does a run with nothing else.
  const isAll =
    allWanted ?? (inQuestion.length === 0 || (place.shot !== undefined && shotId === place.shot && !isNamed));
  const sections = useMemo(
    () => sectionsMatching(isAll ? queueOf(shots, true) : inQuestion, find),
    [shots, isAll, inQuestion, find],
  );
  const queue = useMemo(() => sections.flatMap(section => section.shots), [sections]);
  const shot = shots.find(({ id }) => id === shotId) ?? queue.find(isOpen) ?? queue[0] ?? null;
  const modes = shot ? modesOf(sheetOf(shot)) : [];
  const mode = modes.includes(wanted) ? wanted : (modes[0] ?? "new");
  const regions = shot?.regions.length ?? 0;

  useEffect(() => {
    if (!shot) return;
    const to = { page: "review", id: place.id, shot: shot.id, mode: wanted } as const;
    const timer = setTimeout(() => goTo(to, "replace"), ADDRESS_MS);
    return () => clearTimeout(timer);
  }, [place.id, shot, wanted]);

  // What was opened without being named stays open when it is decided.
  useEffect(() => {
    if (shot && shotId !== shot.id) setShotId(shot.id);
  }, [shot, shotId]);

  return {
    sections,
    queue,
    shot,
    open: next => setShotId(next.id),
    mode,
    modes,
    setMode: setWanted,
    region: region.of === shot?.id ? region.index : 0,
    goToRegion: index =>
      shot && regions > 0 && setRegion({ of: shot.id, index: (index + regions) % regions }),
    find,
    setFind,
    isAll,
    toggleAll: () => setAllWanted(!isAll),
  };
}
