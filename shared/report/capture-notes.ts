/** What a capture says of itself beside its pixels. */
interface CaptureFacts {
  /** Of the image, px. */
  height: number | null;
  /** Height of the page before it was cut at the bound, px; null when it was not cut. */
  cutFromHeight: number | null;
  /** What the page asked for and did not get, as `/app.css (404)`. */
  missing: string[];
}

/** What a reviewer should know of how a screenshot was taken, in sentences. */
export function captureNotes({ height, cutFromHeight, missing }: CaptureFacts): string[] {
  const notes = [];
  if (missing.length > 0) notes.push(`The page did not get ${missing.join(", ")}.`);
  if (cutFromHeight !== null)
    notes.push(
      `The page is ${thousands(cutFromHeight)} px high; the screenshot ends at ${thousands(height ?? 0)} px.`,
    );
  return notes;
}

function thousands(number: number): string {
  return number.toLocaleString("en-US");
}
