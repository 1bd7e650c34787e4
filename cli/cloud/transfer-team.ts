import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream as NodeStream } from "node:stream/web";
import { visible } from "../../shared/text/visible-text.ts";
import { manifestHash } from "../../shared/transfers/manifest-entry.ts";
import type { CommandContext } from "../commands/command.ts";
import { CommandError, EXIT, type ExitCode, toJson } from "../terminal.ts";
import { TRANSFER_ERRORS as ERRORS, TRANSFER_TEXTS as TEXTS } from "../texts/cloud.ts";
import { readAccess } from "./access.ts";
import { openCounted } from "./send-archive.ts";
import { withServiceErrors } from "./service-errors.ts";
import { TransferClient } from "./transfer-client.ts";

/** `vrs export`: writes the data of a team into a file. @throws CommandError */
export async function exportTeam(
  { terminal, options }: CommandContext,
  file: string,
  flags: { team?: string; force: boolean },
): Promise<ExitCode> {
  const path = resolve(terminal.cwd, file);
  if (!flags.force && (await stat(path).catch(() => null)))
    throw new CommandError("usage", ERRORS.exists(file));
  const access = await readAccess(terminal);
  const client = new TransferClient(access, terminal.signal);
  const show = progressOf({ terminal, options });
  const team = flags.team ?? (await withServiceErrors(access, client.findTeam()));
  const view = await withServiceErrors(
    access,
    client.export(team, ({ progress: { done, total } }) => show(TEXTS.exporting(done, total ?? done))),
  );
  const draft = `${path}.part`;
  try {
    const stream = await withServiceErrors(access, client.open(team));
    // biome-ignore lint/plugin: the types of fetch and of Node differ, but it is the same class.
    const source = Readable.fromWeb(stream as NodeStream<Uint8Array>);
    await pipeline(source, createWriteStream(draft, { mode: 0o600 })).catch((error: unknown) => {
      throw new CommandError("unreachable", ERRORS.interrupted, error);
    });
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
  if (options.json) terminal.out(`${toJson(view)}\n`);
  else if (!options.quiet) {
    const rows = Object.values(view.counts).reduce((sum, counts) => sum + counts.rows, 0);
    terminal.out(visible(`${TEXTS.exported(file, rows, view.files)}\n${leftOutLines(view.leftOut)}`));
  }
  return EXIT.ok;
}

/** Options of `vrs import --from vrs`. */
export interface ImportFlags {
  team?: string;
  existing?: string;
  settings?: boolean;
  members?: boolean;
}

/** `vrs import --from vrs`: imports the file of an export into a team. @throws CommandError */
export async function importTeam(
  { terminal, options }: CommandContext,
  file: string,
  flags: ImportFlags,
): Promise<ExitCode> {
  const { existing = "refuse" } = flags;
  if (!["refuse", "rename", "skip"].includes(existing))
    throw new CommandError("usage", ERRORS.existing(existing));
  const path = resolve(terminal.cwd, file);
  const found = await stat(path).catch(() => null);
  if (!found?.isFile()) throw new CommandError("usage", ERRORS.noFile(file));
  const access = await readAccess(terminal);
  const client = new TransferClient(access, terminal.signal);
  const show = progressOf({ terminal, options });
  const team = flags.team ?? (await withServiceErrors(access, client.findTeam()));
  const query = new URLSearchParams({ existing });
  if (flags.settings) query.set("settings", "1");
  if (flags.members) query.set("members", "1");
  const exported = {
    bytes: found.size,
    manifest: await manifestHashOf(path),
    open: (from: number) => openCounted(path, bytes => show(TEXTS.sending(bytes, found.size)), from),
  };
  const view = await withServiceErrors(
    access,
    client.import(team, query, exported, ({ progress: { done, total } }) =>
      show(TEXTS.importing(done, total)),
    ),
  );
  // With `--json`, the error is the only document.
  if (view.status === "failed") throw new CommandError("invalid_request", ERRORS.failed(view.error ?? ""));
  if (options.json) terminal.out(`${toJson(view)}\n`);
  if (options.json || options.quiet) return EXIT.ok;
  const rows = Object.values(view.counts).reduce((sum, counts) => sum + (counts.new ?? 0), 0);
  const lines = view.projects.flatMap(({ name, importedAs }) => {
    if (importedAs === null) return [TEXTS.skipped(name)];
    return importedAs === name ? [] : [TEXTS.renamed(name, importedAs)];
  });
  terminal.out(
    visible(`${[TEXTS.imported(rows), ...lines, ...view.notes].join("\n")}\n${leftOutLines(view.leftOut)}`),
  );
  return EXIT.ok;
}

/** Returns what identifies the file of an export, or null for another file. */
async function manifestHashOf(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    return await manifestHash(async (from, to) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(to - from), 0, to - from, from);
      return buffer.slice(0, bytesRead).buffer;
    });
  } finally {
    await file.close();
  }
}

function leftOutLines(leftOut: readonly { kind: string; name: string }[]): string {
  if (leftOut.length === 0) return "";
  const lines = leftOut.map(({ kind, name }) => TEXTS.oneLeftOut(kind, name));
  return `${[TEXTS.leftOut(leftOut.length), ...lines].join("\n")}\n`;
}

/** Returns a function that shows a line of progress, updated in place on a terminal. */
function progressOf({ terminal, options }: CommandContext): (line: string) => void {
  let shown = "";
  return line => {
    if (options.quiet || options.json || !terminal.isInteractive || line === shown) return;
    shown = line;
    terminal.err(`\r\u001b[K${line}`);
  };
}
