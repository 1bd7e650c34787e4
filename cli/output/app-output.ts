import { stripVTControlCharacters } from "node:util";
import { visible } from "../../shared/text/visible-text.ts";

/** Longer lines are broken: an application that never ends one must not fill the memory. */
const LINE_CHARS = 8_000;

/** Stands before each line, so that none is taken for one of ours, or for a command of a CI service. */
const LABEL = "[app] ";

/** Hands on text as whole lines. Of a line that is rewritten with carriage returns, as progress bars do, it keeps the last state. */
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

  /** Hands on what has no line break at its end. */
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

/** Colors and weights of text, which neither move a cursor nor change anything but how text looks. */
const ESCAPE = "\u001b";
const SGR = new RegExp(`(${ESCAPE}\\[[\\d;:]*m)`);
const RESET = `${ESCAPE}[0m`;

/** Returns a line of the application as it can be printed: of escape sequences only colors are left, and only if wanted. */
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
