import { stripVTControlCharacters } from "node:util";
import { visible } from "../../shared/text/visible-text.ts";

/** Longer lines are broken. Output without line breaks must not fill the memory. */
const LINE_CHARS = 8_000;

/** Starts each line, so that none looks like a line of vrs or a command of a CI service. */
const LABEL = "[app] ";

/**
 * Splits text into lines. For a line that is rewritten with carriage returns, like a progress bar, keeps the
 * last state.
 */
export class LineReader {
  readonly #use: (line: string) => void;
  #rest = "";

  constructor(use: (line: string) => void) {
    this.#use = use;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split(/\r?\n/);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#hand(line);
    while (this.#rest.length > LINE_CHARS) {
      this.#use(this.#rest.slice(0, LINE_CHARS));
      this.#rest = this.#rest.slice(LINE_CHARS);
    }
  }

  /** Passes on a last line without a line break. */
  end(): void {
    if (this.#rest !== "") this.#hand(this.#rest);
    this.#rest = "";
  }

  #hand(line: string): void {
    const last = line.split("\r").findLast(part => part !== "") ?? "";
    for (let at = 0; at === 0 || at < last.length; at += LINE_CHARS)
      this.#use(last.slice(at, at + LINE_CHARS));
  }
}

/** Colors and weights of text. These sequences don't move the cursor. */
const ESCAPE = "\u001b";
const SGR = new RegExp(`(${ESCAPE}\\[[\\d;:]*m)`);
const RESET = `${ESCAPE}[0m`;

/**
 * Returns a line of the application that is safe to print. Only color sequences remain, and only if wanted.
 */
export function shownAppLine(line: string, { hasColor }: { hasColor: boolean }): string {
  const plain = (text: string) => visible(stripVTControlCharacters(text));
  if (!hasColor) return LABEL + plain(line);
  const parts = line.split(SGR);
  const shown = parts.map((part, index) => (index % 2 === 1 ? part : plain(part))).join("");
  return LABEL + shown + (parts.length > 1 ? RESET : "");
}

/** Returns the end of an application's output for an error. */
export function shownAppOutput(text: string): string {
  const lines: string[] = [];
  const reader = new LineReader(line => lines.push(shownAppLine(line, { hasColor: false })));
  reader.add(text.trimEnd());
  reader.end();
  return lines.join("\n");
}
