import { type Dispatch, type SetStateAction, useCallback, useState } from "react";
import type { Region } from "../../../shared/compare/comparison.ts";

/** What was written and not sent. */
export interface Draft {
  text: string;
  region: Region | null;
  isAboutRun: boolean;
}

/** Drafts by the id of their screenshot, or of the thread that they reply to. */
export interface Drafts {
  byId: ReadonlyMap<string, Draft>;
  setById: Dispatch<SetStateAction<ReadonlyMap<string, Draft>>>;
}

const NO_DRAFTS: ReadonlyMap<string, Draft> = new Map();
const EMPTY: Draft = { text: "", region: null, isAboutRun: false };

/** Returns drafts that outlast their forms. */
export function useDrafts(): Drafts {
  const [byId, setById] = useState(NO_DRAFTS);
  return { byId, setById };
}

/** Returns one of the drafts, with functions that change and discard it. */
export function useDraft(
  { byId, setById }: Drafts,
  id: string,
): [draft: Draft, change: (change: Partial<Draft>) => void, discard: () => void] {
  const change = useCallback(
    (part: Partial<Draft>) =>
      setById(before => new Map(before).set(id, { ...(before.get(id) ?? EMPTY), ...part })),
    [setById, id],
  );
  return [byId.get(id) ?? EMPTY, change, () => change(EMPTY)];
}
