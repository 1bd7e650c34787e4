import type { SharedNote } from "../../shared/report/shared-notes.rule.ts";
import { SCREENSHOT_TEXTS } from "../../shared/report/texts.ts";
import { runTexts } from "../texts/runs/run.ts";

/** Shows the notes that many of the run's screenshots have. */
export function SharedNotes({ notes }: { notes: readonly SharedNote[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="stale" aria-label={runTexts.notes}>
      {notes.map(({ note, screenshots }) => (
        <li key={note}>{SCREENSHOT_TEXTS.sharedNote(note, screenshots)}</li>
      ))}
    </ul>
  );
}
