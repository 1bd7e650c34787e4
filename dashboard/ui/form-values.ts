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

/** Widths in px as people write several; NaN for what is none. */
export function widthsIn(text: string): number[] {
  return text
    .split(/[\s,;]+/)
    .filter(width => width !== "")
    .map(Number);
}
