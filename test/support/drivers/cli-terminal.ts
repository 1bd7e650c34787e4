import { Readable } from "node:stream";
import type { Terminal } from "../../../cli/terminal.ts";

/** A terminal that keeps what was printed. */
export class KeptTerminal implements Terminal {
  printed = "";
  told = "";
  input: Readable = Readable.from([]);
  isInteractive = false;
  canPrompt = false;
  hasColor = false;
  columns = 80;
  cwd = process.cwd();
  env: Terminal["env"] = {};
  signal: AbortSignal = new AbortController().signal;

  constructor(parts: Partial<Terminal> = {}) {
    Object.assign(this, parts);
  }

  out = (text: string) => {
    this.printed += text;
  };
  err = (text: string) => {
    this.told += text;
  };
}
