import { resolve } from "node:path";
import { visibleLine } from "../../shared/text/visible-text.ts";
import type { GlobalOptions } from "../commands/command.ts";
import { loadConfig } from "../config/load-config.ts";
import { showProgress } from "../output/progress.ts";
import { printFailure } from "../print-failure.ts";
import { CommandError, EXIT, type ExitCode, painter, type Terminal } from "../terminal.ts";
import { WATCH_TEXTS as TEXTS } from "../texts/check.ts";
import { OPTION_ERRORS } from "../texts/errors.ts";
import { type CheckOptions, checkWithOptions, requirePageUrl } from "./check-with-options.ts";
import { OwnServer } from "./own-server.ts";
import { START_MS } from "./run-check.ts";
import { FileWatch } from "./watch-files.ts";
import { WatchedPages } from "./watched-pages.ts";

/** Maximum of changed files that are named. */
const SHOWN_FILES = 3;

/**
 * Checks, and checks again whenever files of the project change, until it is interrupted. If pages loaded all changed
 * files, only the pages that loaded them are checked again. Only one check runs at a time. The application is started
 * once.
 * @throws CommandError `server_ended`, `watch_limit`, and errors of options and of the first configuration
 */
export async function watchCheck(
  terminal: Terminal,
  global: GlobalOptions,
  routes: string[],
  options: CheckOptions,
): Promise<ExitCode> {
  for (const [name, given] of [
    ["--json", global.json],
    ["--record-har", options.recordHar],
    ["--screenshots", options.screenshots],
  ] as const)
    if (given) throw new CommandError("usage", OPTION_ERRORS.notWithWatch(name));
  requirePageUrl(options.url);
  const { config, root } = await loadConfig(terminal, options.config);
  const written = [options.junit, options.output].flatMap(path => path ?? []);
  const files = new FileWatch(
    root,
    written.map(path => resolve(terminal.cwd, path)),
  );
  try {
    await files.start();
    return await watchFiles(terminal, global, routes, options, { files, baseUrl: config.baseUrl, root });
  } finally {
    files.close();
  }
}

async function watchFiles(
  terminal: Terminal,
  global: GlobalOptions,
  routes: string[],
  options: CheckOptions,
  { files, ...place }: { files: FileWatch; baseUrl: string; root: string },
): Promise<ExitCode> {
  const server = await startServer(terminal, global, options, place);
  const signal = server ? AbortSignal.any([terminal.signal, server.endedSignal]) : terminal.signal;
  const { start: _start, startTimeout: _timeout, ...rest } = options;
  const watched = Object.defineProperty(Object.create(terminal), "signal", { value: signal });
  const pages = new WatchedPages(place.root, options.url ?? place.baseUrl);
  let affected: string[] | null = null;
  try {
    while (!signal.aborted) {
      const checked = affected ?? routes;
      pages.begin(affected);
      await checkOnce(watched, () => checkWithOptions(watched, global, checked, rest, pages));
      if (!signal.aborted && !global.quiet) terminal.err(`${TEXTS.waiting}\n`);
      const changed = await files.next(signal);
      if (changed.length > 0) terminal.err(`\n${changedLine(terminal, changed)}\n`);
      affected = pages.affectedBy(changed);
    }
  } finally {
    await server?.stop();
  }
  if (!terminal.signal.aborted) throw signal.reason;
  return EXIT.ok;
}

/** A failed check is printed. The next change may fix it. */
async function checkOnce(terminal: Terminal, check: () => Promise<unknown>): Promise<void> {
  try {
    await check();
  } catch (error) {
    if (!terminal.signal.aborted)
      printFailure(error, { terminal, called: "vrs check", json: false, verbose: false });
  }
}

function changedLine(terminal: Terminal, changed: readonly string[]): string {
  const names = changed.slice(0, SHOWN_FILES).map(visibleLine);
  return painter(terminal)("dim", TEXTS.changed(names, changed.length - names.length));
}

async function startServer(
  terminal: Terminal,
  { quiet, verbose }: GlobalOptions,
  { start, startTimeout: timeoutMs = START_MS, url }: CheckOptions,
  { baseUrl, root }: { baseUrl: string; root: string },
): Promise<OwnServer | null> {
  if (start === undefined) return null;
  const progress = showProgress(terminal, { quiet, verbose });
  const onLine = verbose ? progress.printAppLine : () => {};
  const { env, signal } = terminal;
  const command = { command: start, url: url ?? baseUrl, timeoutMs, cwd: root, env, signal, onLine };
  return await OwnServer.start(command).finally(() => progress.end());
}
