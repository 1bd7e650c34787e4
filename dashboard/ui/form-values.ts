/** What is written in a field, without the spaces around it; empty where there is no such field. */
export function textIn(form: FormData, name: string): string {
  return String(form.get(name) ?? "").trim();
}

/** The lines of a text but for empty ones. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map(line => line.trim())
    .filter(line => line !== "");
}

/** Returns the number of a text; NaN if it has none. */
export function numberIn(text: string): number {
  return text === "" ? Number.NaN : Number(text);
}

/** Returns a percentage as a share, 0–1; NaN if it is not a number. */
export function shareIn(percent: string): number {
  // In tenths of thousandths, so that 0.3% is not 0.0029999.
  return Math.round(numberIn(percent.replace(",", ".")) * 10_000) / 1_000_000;
}

/** Widths in px as people write several; NaN for what is none. */
export function widthsIn(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter(width => width !== "")
    .map(Number);
}
