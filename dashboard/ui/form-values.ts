/** Returns the trimmed text of a field; empty if there is no such field. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/** Returns the non-empty lines of a text. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "");
}

/** Returns the number in a text; NaN if there is none. */
export function numberIn(text: string): number {
  return text === "" ? Number.NaN : Number(text);
}

/** Returns a percentage as a ratio of 0–1; NaN if it isn't a number. */
export function shareIn(percent: string): number {
  // Rounded, so that 0.3% isn't 0.0029999.
  return Math.round(numberIn(percent.replace(",", ".")) * 10_000) / 1_000_000;
}

/** Returns widths in px from a list; NaN for invalid ones. */
export function widthsIn(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter(width => width !== "")
    .map(Number);
}
