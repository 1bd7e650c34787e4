import { relative } from "node:path";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { CommandContext } from "../commands/command.ts";
import type { Configuration } from "../config/load-config.ts";
import { monitorOptionsOf } from "../plugins/monitor-plugin.ts";
import { EXIT, type ExitCode, painter, toJson } from "../terminal.ts";
import { HISTORY_TEXTS } from "../texts/monitor.ts";
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
    terminal.out(`${toJson({ historyDir, ...list })}\n`);
    return EXIT.ok;
  }
  const lines = historyLines(list, painter(terminal));
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
  if (options.quiet) return EXIT.ok;
  const watched = urls === null ? [] : await listWatched(historyDir);
  const missing = urls?.filter(url => !watched.includes(url)) ?? [];
  if (watched.length > 0 && missing.length > 0)
    terminal.err(`${HISTORY_TEXTS.noneOf(inShort(missing), historyDir, inShort(watched))}\n`);
  else if (lines.length === 0) terminal.err(`${HISTORY_TEXTS.none(historyDir)}\n`);
  return EXIT.ok;
}

/** URLs named in a sentence. */
const NAMED = 5;

function inShort(urls: string[]): string {
  return HISTORY_TEXTS.more(urls.slice(0, NAMED).map(visibleLine).join(", "), urls.length - NAMED);
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
  if (options.json) terminal.out(`${toJson({ historyDir, removed })}\n`);
  else if (!options.quiet) terminal.out(`${HISTORY_TEXTS.removed(removed, historyDir)}\n`);
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
