/** A note on at least this many screenshots is shown once for the run. */
const LEAST_SHARED = 3;

/** A note that many screenshots of a run have. */
export interface SharedNote {
  note: string;
  screenshots: number;
}

/** Returns the notes that many screenshots have, the most frequent first. They are shown once, not on each. */
export function sharedNotes(screenshots: readonly { notes: readonly string[] }[]): SharedNote[] {
  const counts = new Map<string, number>();
  for (const { notes } of screenshots) {
    for (const note of new Set(notes)) counts.set(note, (counts.get(note) ?? 0) + 1);
  }
  return [...counts]
    .map(([note, count]) => ({ note, screenshots: count }))
    .filter(shared => shared.screenshots >= LEAST_SHARED)
    .toSorted((one, other) => other.screenshots - one.screenshots);
}
