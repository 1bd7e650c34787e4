/**
 * Finds the files without which a difference vanishes, in about log₂ n tests. The most likely file comes first, and is
 * tried alone.
 * @param vanishes returns whether the difference vanishes without the change of these files
 * @returns the smallest set that was seen to explain the difference; null if all files together don't
 */
export async function findCause<F>(
  files: readonly F[],
  vanishes: (files: readonly F[]) => Promise<boolean>,
): Promise<F[] | null> {
  const first = files.slice(0, 1);
  if (files.length > 1 && (await vanishes(first))) return first;
  if (files.length === 0 || !(await vanishes(files))) return null;
  let proven: readonly F[] = files;
  let suspects: readonly F[] = files;
  while (suspects.length > 1) {
    const half = suspects.slice(0, Math.ceil(suspects.length / 2));
    if (await vanishes(half)) {
      proven = half;
      suspects = half;
    } else {
      // If one file is the cause, it is among the others. The last test shows whether it is.
      suspects = suspects.slice(half.length);
    }
  }
  const isTested = proven.length === suspects.length;
  return isTested || !(await vanishes(suspects)) ? [...proven] : [...suspects];
}
