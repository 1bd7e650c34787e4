import { visibleLine } from "../../shared/text/visible-text.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { loadConfig } from "../config/load-config.ts";
import type { Terminal } from "../terminal.ts";
import { type ApprovalOutcome, type Approved, approve } from "./approve.ts";

/** What the command's options say. */
export interface ApproveOptions {
  config?: string;
  width?: number[];
  group?: string;
  minor?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

/** Approves what the command line asks for, and says what was done. @throws CommandError */
export async function approveWithOptions(
  terminal: Terminal,
  { json, quiet }: GlobalOptions,
  routes: string[],
  { config, width: widths, group, minor, dryRun, force }: ApproveOptions,
): Promise<void> {
  const configuration = await loadConfig(terminal, config);
  const { signal } = terminal;
  const outcome = await approve({
    ...configuration,
    filter: { routes, widths, group, minor },
    dryRun,
    force,
    signal,
  });
  if (json) terminal.out(`${JSON.stringify(outcome, null, 2)}\n`);
  else if (!quiet) terminal.out(wordsOf(outcome));
}

function wordsOf({ approved, failed, dryRun }: ApprovalOutcome): string {
  const lines = approved.map(lineOf);
  for (const { route, viewport } of failed)
    lines.push(`left alone  ${visibleLine(route)} at ${viewport} px: it failed`);
  const many = `${approved.length} ${approved.length === 1 ? "baseline" : "baselines"}`;
  if (approved.length === 0) lines.push("Nothing waits for approval.");
  else
    lines.push(
      dryRun ? `${many} would change. Nothing was written.` : `${many} changed. Commit them with git.`,
    );
  return `${lines.join("\n")}\n`;
}

function lineOf({ did, route, viewport, from, file }: Approved): string {
  const origin = from === null ? "" : ` from ${visibleLine(from)}`;
  return `${did}  ${visibleLine(route)} at ${viewport} px${origin}  ${visibleLine(file)}`;
}
