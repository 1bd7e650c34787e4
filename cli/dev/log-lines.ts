import { createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { z } from "zod";
import { parseJson } from "../../shared/json.ts";
import { paint } from "../demo/steps.ts";

/** Pino's number of the level `warn`. */
const WARN = 40;

const line = z.object({
  time: z.number(),
  level: z.number(),
  mod: z.string().default(""),
  msg: z.string().default(""),
  err: z.object({ stack: z.string().optional() }).optional(),
});

/** The destination of the service's output. */
export interface Log {
  path: string;
  write(chunk: Buffer): void;
  close(): Promise<void>;
}

/** Opens a log file for all output. Also prints warnings, errors and unstructured lines. */
export function openLog(path: string): Log {
  const file = createWriteStream(path);
  const lines = new PassThrough();
  createInterface({ input: lines }).on("line", text => {
    const shown = toShow(text);
    if (shown !== null) console.log(shown);
  });
  return {
    path,
    write(chunk) {
      file.write(chunk);
      lines.write(chunk);
    },
    close: () => new Promise(resolve => file.end(resolve)),
  };
}

/** Returns an output line for the terminal; null if only the log file takes it. */
export function toShow(text: string): string | null {
  const parsed = line.safeParse(parseJson(text));
  if (!parsed.success) return text.trim() === "" || text.includes("vrs is at") ? null : text;
  const { time, level, mod, msg, err } = parsed.data;
  if (level < WARN) return null;
  const at = new Date(time).toTimeString().slice(0, 8);
  const name = level > WARN ? paint("red", "error") : paint("yellow", "warn");
  return [`${at} ${name} ${mod}: ${msg}`, ...(err?.stack ? [err.stack] : [])].join("\n");
}
