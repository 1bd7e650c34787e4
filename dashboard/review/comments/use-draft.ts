import { useCallback, useState } from "react";
import type { Region } from "../../../shared/compare/comparison.ts";

/** What was written and not sent. */
export interface Draft {
  text: string;
  region: Region | null;
  isAboutRun: boolean;
}

/** Drafts by the id of their screenshot, or of the thread that they reply to. */
export type Drafts = Map<string, Draft>;

const EMPTY: Draft = { text: "", region: null, isAboutRun: false };

/** Returns a draft that outlasts its form, with functions that change and discard it. */
export function useDraft(
  drafts: Drafts,
  id: string,
): [draft: Draft, change: (change: Partial<Draft>) => void, discard: () => void] {
  const [draft, setDraft] = useState(drafts.get(id) ?? EMPTY);
  const change = useCallback(
    (part: Partial<Draft>) => {
      const changed = { ...(drafts.get(id) ?? EMPTY), ...part };
      drafts.set(id, changed);
      setDraft(changed);
    },
    [drafts, id],
  );
  const discard = useCallback(() => {
    drafts.delete(id);
    setDraft(EMPTY);
  }, [drafts, id]);
  return [draft, change, discard];
}
