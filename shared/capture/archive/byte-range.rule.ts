/** The bytes from `start` to `end`, both included. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Returns the part of a file that a `Range` header asks for. Null for the whole file: without a header, or if it has
 * several ranges, another unit or a wrong form (RFC 9110, section 14.2).
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | null | "unsatisfiable" {
  const [, from = "", to = ""] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  if (from === "") {
    const last = Math.min(Number(to), bytes);
    return last === 0 ? "unsatisfiable" : { start: bytes - last, end: bytes - 1 };
  }
  const start = Number(from);
  const end = to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== "" && Number(to) < start) return null;
  return start >= bytes ? "unsatisfiable" : { start, end };
}
