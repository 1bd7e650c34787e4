import { relative } from "node:path";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { CommandContext } from "../commands/command.ts";
import type { Configuration } from "../config/load-config.ts";
import { monitorOptionsOf } from "../plugins/monitor-plugin.ts";
import { EXIT, type ExitCode, painter, toJson } from "../terminal.ts";
import { HISTORY_TEXTS } from "../texts/monitor.ts";
import { historyLines } from "./format-run.ts";
import { listHistory, listMonitoredUrls, pruneHistory } from "./list-history.ts";
import { historyDirOf, type MonitorFlags, readUrls } from "./monitor-plan.ts";
import type { Keeps } from "./prune-rule.ts";

/** Prints the newest entries of the given URLs or of all URLs. */
export async function printHistory(
  { terminal, options }: CommandContext,
  flags: MonitorFlags,
  loaded: Configuration | null,
  limit: number,
): Promise<ExitCode> {
  const { historyDir, urls } = selectHistory(flags, loaded, terminal.cwd);
  const list = await listHistory(historyDir, urls, limit);
  if (options.json) {
    terminal.out(`${toJson({ historyDir, ...list })}\n`);
    return EXIT.ok;
  }
  const lines = historyLines(list, painter(terminal));
  if (lines.length > 0) terminal.out(`${lines.join("\n")}\n`);
  if (options.quiet) return EXIT.ok;
  const known = urls === null ? [] : await listMonitoredUrls(historyDir);
  const missing = urls?.filter(url => !known.includes(url)) ?? [];
  if (known.length > 0 && missing.length > 0)
    terminal.err(`${HISTORY_TEXTS.noneOf(shortList(missing), historyDir, shortList(known))}\n`);
  else if (lines.length === 0) terminal.err(`${HISTORY_TEXTS.none(historyDir)}\n`);
  return EXIT.ok;
}

/** URLs that a sentence names. */
const MAX_NAMED_URLS = 5;

function shortList(urls: string[]): string {
  return HISTORY_TEXTS.more(
    urls.slice(0, MAX_NAMED_URLS).map(visibleLine).join(", "),
    urls.length - MAX_NAMED_URLS,
  );
}

/** Deletes history entries that are not kept. */
export async function pruneOnce(
  { terminal, options }: CommandContext,
  flags: MonitorFlags,
  loaded: Configuration | null,
  keeps: Keeps,
): Promise<ExitCode> {
  const { historyDir, urls } = selectHistory(flags, loaded, terminal.cwd);
  const removed = await pruneHistory(historyDir, urls, keeps);
  if (options.json) terminal.out(`${toJson({ historyDir, removed })}\n`);
  else if (!options.quiet) terminal.out(`${HISTORY_TEXTS.removed(removed, historyDir)}\n`);
  return EXIT.ok;
}

function selectHistory(
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
