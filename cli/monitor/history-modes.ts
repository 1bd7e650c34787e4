import { relative } from "node:path";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { CommandContext } from "../commands/command.ts";
import type { Configuration } from "../config/load-config.ts";
import { painter } from "../output/paint.ts";
import { monitorOptionsOf } from "../plugins/monitor-plugin.ts";
import { EXIT, type ExitCode } from "../terminal.ts";
import { listHistory, listWatched, pruneHistory } from "./list-history.ts";
import { historyDirOf, type MonitorFlags, readUrls } from "./monitor-plan.ts";
import type { Keeps } from "./prune-rule.ts";
import { historyLines } from "./tell-run.ts";

/** Prints the newest entries, of the URLs that are named or of all. */
export async function printHistory(
  { terminal, options }: CommandContext,
  flags: MonitorFlags,
  loaded: Configuration | null,
  limit: number,
): Promise<ExitCode> {
  const { historyDir, urls } = whose(flags, loaded, terminal.cwd);
  const list = await listHistory(historyDir, urls, limit);
  if (options.json) {
    terminal.out(`${JSON.stringify({ historyDir, ...list }, null, 2)}\n`);
    return EXIT.ok;
  }
  const lines = historyLines(list, painter(terminal));
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
  if (options.quiet) return EXIT.ok;
  const watched = urls === null ? [] : await listWatched(historyDir);
  const missing = urls?.filter(url => !watched.includes(url)) ?? [];
  if (watched.length > 0 && missing.length > 0)
    terminal.err(
      `There is no history of ${inShort(missing)} in ${historyDir}, which has that of ${inShort(watched)}.\n`,
    );
  else if (lines.length === 0)
    terminal.err(`There is no history in ${historyDir} yet: \`vrs monitor\` begins it.\n`);
  return EXIT.ok;
}

/** URLs named in a sentence. */
const NAMED = 5;

function inShort(urls: string[]): string {
  const more = urls.length - NAMED;
  return `${urls.slice(0, NAMED).map(visibleLine).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Drops what is not kept of the history. */
export async function pruneOnce(
  { terminal, options }: CommandContext,
  flags: MonitorFlags,
  loaded: Configuration | null,
  keeps: Keeps,
): Promise<ExitCode> {
  const { historyDir, urls } = whose(flags, loaded, terminal.cwd);
  const removed = await pruneHistory(historyDir, urls, keeps);
  if (options.json) terminal.out(`${JSON.stringify({ historyDir, removed }, null, 2)}\n`);
  else if (!options.quiet)
    terminal.out(`${removed} ${removed === 1 ? "entry" : "entries"} removed from ${historyDir}.\n`);
  return EXIT.ok;
}

function whose(
  flags: MonitorFlags,
  loaded: Configuration | null,
  cwd: string,
): { historyDir: string; urls: string[] | null } {
  const plugin = loaded && monitorOptionsOf(loaded.config.plugins, relative(cwd, loaded.file));
  return {
    historyDir: historyDirOf(flags, plugin, loaded, cwd),
    urls: flags.url === undefined ? null : readUrls(flags.url),
  };
}
