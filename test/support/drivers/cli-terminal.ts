import { Readable } from "node:stream";
import type { Terminal } from "../../../cli/terminal.ts";

/** A terminal that records its output. */
export class RecordingTerminal implements Terminal {
  printed = "";
  errors = "";
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
    this.errors += text;
  };
}
