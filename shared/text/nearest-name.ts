/**
 * Returns the name that was probably meant: it differs only in case, or in a few letters. Null if there is
 * none.
 */
export function nearestName(written: string, names: readonly string[]): string | null {
  const wanted = written.toLowerCase();
  // A long name can't be near. Comparing it would be slow.
  if (wanted.length > 40) return null;
  const allowed = Math.max(1, Math.floor(wanted.length / 3));
  const ranked = names
    .map(name => ({ name, distance: editDistance(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
}

/** Returns the distance in letters to insert, remove, change, or swap (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const changed = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(changed, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}
