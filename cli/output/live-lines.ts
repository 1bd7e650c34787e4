import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";
import { widthOf } from "./text-width.ts";

const ERASE_DOWN = "\u001b[0J";
const up = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : "");

/**
 * Lines at the end of a terminal that are rewritten when their state changes. Each change is a single write,
 * which avoids flicker.
 */
export class LiveLines {
  readonly #terminal: Pick<Terminal, "err" | "columns">;
  #shown: string[] = [];

  constructor(terminal: Pick<Terminal, "err" | "columns" | "signal">) {
    this.#terminal = terminal;
    // The process then prints a message below the lines, which restart under it.
    terminal.signal.addEventListener("abort", () => {
      this.#shown = [];
    });
  }

  /** Replaces the lines. Each must be shorter than the terminal's width. */
  show(lines: string[]): void {
    if (lines.join("\n") === this.#shown.join("\n")) return;
    this.#terminal.err(`${this.#back()}${lines.map(line => `${line}\n`).join("")}`);
    this.#shown = lines;
  }

  /** Writes permanent text above the lines. */
  print(text: string): void {
    this.#terminal.err(`${this.#back()}${text}\n${this.#shown.map(line => `${line}\n`).join("")}`);
  }

  /** Removes the lines. */
  clear(): void {
    if (this.#shown.length > 0) this.#terminal.err(this.#back());
    this.#shown = [];
  }

  /** Moves to the first line. In a window that was made narrower, a line may take several rows. */
  #back(): string {
    const { columns } = this.#terminal;
    const rows = this.#shown.map(line =>
      Math.max(1, Math.ceil(widthOf(stripVTControlCharacters(line)) / columns)),
    );
    return `\r${up(rows.reduce((sum, each) => sum + each, 0))}${ERASE_DOWN}`;
  }
}
