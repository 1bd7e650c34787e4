import { pageName } from "../../shared/contracts/capture/screenshot-key.ts";
import { visibleLine } from "../../shared/text/visible-text.ts";
import { CheckFolder } from "../check/check-folder.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { type Configuration, loadConfig, loadConfigOrDefault } from "../config/load-config.ts";
import { type Terminal, toJson } from "../terminal.ts";
import { APPROVE_TEXTS as TEXTS } from "../texts/check.ts";
import { type ApprovalOutcome, type Approved, approve } from "./approve.ts";

/** The options of `vrs approve` as given on the command line. */
export interface ApproveOptions {
  config?: string;
  width?: number[];
  env?: string[];
  group?: string;
  minor?: boolean;
  dryRun?: boolean;
  force?: boolean;
}

/** Approves the screenshots that the command line selects, and prints what changed. @throws CommandError */
export async function approveWithOptions(
  terminal: Terminal,
  { json, quiet }: GlobalOptions,
  routes: string[],
  { config, width: widths, env: environments, group, minor, dryRun, force }: ApproveOptions,
): Promise<void> {
  const configuration = await configurationOfCheck(terminal, config);
  const { signal } = terminal;
  const outcome = await approve({
    ...configuration,
    filter: { routes, widths, environments, group, minor },
    dryRun,
    force,
    signal,
  });
  if (json) terminal.out(`${toJson(outcome)}\n`);
  else if (!quiet) terminal.out(describeApproval(outcome));
}

/** A check of screenshot files needs no configuration, so its approval doesn't either. */
export async function configurationOfCheck(
  terminal: Pick<Terminal, "cwd" | "env">,
  path: string | undefined,
): Promise<Configuration> {
  const found = await loadConfigOrDefault(terminal, path);
  if (found.file !== "") return found;
  const last = await new CheckFolder(found.root).last();
  return last?.source.screenshots ? found : await loadConfig(terminal, path);
}

/** Returns the approved screenshots as text for the terminal, one per line. */
export function describeApproval({ approved, failed, dryRun }: ApprovalOutcome): string {
  const lines = [
    ...approved.map(lineOf),
    ...failed.map(shot => TEXTS.skipped(visibleLine(pageName(shot)), shot.viewport)),
  ];
  const { length } = approved;
  if (length === 0) lines.push(TEXTS.nothing);
  else lines.push(dryRun ? TEXTS.wouldChange(length) : TEXTS.changed(length));
  return `${lines.join("\n")}\n`;
}

function lineOf({ did, from, file, ...page }: Approved): string {
  const shown = { page: visibleLine(pageName(page)), viewport: page.viewport, file: visibleLine(file) };
  return TEXTS.done(did, { ...shown, from: from === null ? null : visibleLine(from) });
}
