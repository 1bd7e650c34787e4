/** Bytes of a file, both ends included. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Reads a `Range` header of one range (RFC 9110, section 14.2). Returns null when the whole file is to be sent, without
 * a header or with another kind.
 */
export function readByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | null {
  const [whole, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header ?? "") ?? [];
  if (whole === undefined || (first === "" && last === "")) return null;
  const start = first === "" ? Math.max(0, sizeBytes - Number(last)) : Number(first);
  const end = first === "" || last === "" ? sizeBytes - 1 : Math.min(sizeBytes - 1, Number(last));
  return start < sizeBytes && start <= end ? { start, end } : "unsatisfiable";
}
