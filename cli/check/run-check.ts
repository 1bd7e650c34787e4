import { availableParallelism } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import type { Capture } from "../../shared/capture/capture-types.ts";
import { pickPage } from "../../shared/contracts/capture/page-fields.ts";
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { baselinesFolder } from "../baselines/baselines.ts";
import { openBaselines } from "../baselines/read-baselines.ts";
import { browserLocation } from "../browser-location.ts";
import { writeHars } from "../config/har-files.ts";
import { type Configuration, configHash } from "../config/load-config.ts";
import { gitLine } from "../git.ts";
import type { Terminal } from "../terminal.ts";
import { CaptureEngine } from "./capture-engine.ts";
import { changedFilesReader } from "./changed-files.ts";
import { CheckFolder } from "./check-folder.ts";
import type { CheckEvent, CheckResult } from "./check-result.ts";
import { finishCheck, PLATFORM } from "./finish-check.ts";
import { OwnServer } from "./own-server.ts";
import { requireReachable } from "./reach.ts";
import { readLogins } from "./read-logins.ts";
import { addRemoved } from "./screenshots/add-removed.ts";
import { checkScreenshots } from "./screenshots/check-screenshots.ts";
import { planVisits, screenshotsOf } from "./screenshots/plan-screenshots.ts";
import { proveChanges } from "./screenshots/prove-changes.ts";
import { type Selection, selectScreenshots } from "./screenshots/select-screenshots.ts";

/** Time until a started application must respond. */
export const START_MS = 60_000;
/** A closed port refuses a connection sooner. Then no browser has to start. */
const REFUSED_WITHIN_MS = 30;

export interface CheckRequest extends Configuration {
  terminal: Terminal;
  /** Address of the application; by default the configured one. */
  url?: string | undefined;
  selection?: Selection | undefined;
  /** Branch, tag or commit with the baselines to compare; by default the configured one. */
  branch?: string | undefined;
  /** Whether HAR files of network rules are recorded, and not replayed. */
  recordHar?: boolean | undefined;
  /** Number of pages at the same time; by default the configured one, otherwise the number of cores. */
  concurrency?: number | undefined;
  /** Command that starts the application, and the timeout until it answers. */
  start?: { command: string; timeoutMs?: number | undefined; onLine?: (line: string) => void } | undefined;
  /** Whether to prove which files cause the changes. */
  prove?: boolean | undefined;
  /** Whether to write the HTML report; true by default. */
  report?: boolean | undefined;
  onEvent?: (event: CheckEvent) => void;
  /** Receives each capture, with the URLs that its page requested. */
  onCapture?: ((shot: ScreenshotKey, capture: Capture) => void) | undefined;
}

/**
 * Captures the pages of a configuration, compares them with its baselines, and stores the result, report and
 * images in `.service/check`. Doesn't change baselines.
 * @throws CommandError if the check can't run: `missing_secret`, `server_unreachable`, `no_browser`, `plugin_failed` …; the
 * reason of the terminal's signal
 */
export async function runCheck(request: CheckRequest): Promise<CheckResult> {
  const { config, root, terminal, onEvent = () => {} } = request;
  const startedAt = new Date();
  const baseUrl = request.url ?? config.baseUrl;
  const visits = planVisits(config, baseUrl);
  const selected = selectScreenshots(visits, request.selection ?? {});
  const all = screenshotsOf(visits);
  const logins = await readLogins(selected, {
    ...{ sessions: config.sessions, root, env: terminal.env },
    recordedSite: request.recordHar ? baseUrl : null,
  });
  const concurrency = request.concurrency ?? config.concurrency ?? availableParallelism();
  const folder = new CheckFolder(root);
  await folder.prepare();
  onEvent({ type: "planned", shots: screenshotsOf(selected).map(pickPage) });
  const location = browserLocation(terminal.env, root, config.browser.path);
  const engine = new CaptureEngine({ ...location, pages: concurrency });
  const over = new AbortController();
  const starting = startServer(request, baseUrl, AbortSignal.any([terminal.signal, over.signal]));
  try {
    await Promise.race([starting, delay(REFUSED_WITHIN_MS)]);
    const [server, baselines, commit] = await Promise.all([
      starting,
      openBaselines(baselinesFolder(request), request.branch ?? config.baselines.branch, all),
      gitLine(root, ["rev-parse", "HEAD"]),
      engine.start(),
    ]);
    const signals = [terminal.signal, ...(server ? [server.endedSignal] : [])];
    const work = {
      engine,
      folder,
      plugins: config.plugins,
      logins,
      concurrency,
      baseUrl,
      platform: PLATFORM,
      changedFiles: changedFilesReader(root, terminal.env, request.branch ?? config.baselines.branch),
      onEvent,
      ...(request.onCapture && { onCapture: request.onCapture }),
    };
    const signal = AbortSignal.any(signals);
    const compared = await checkScreenshots(selected, baselines, work, signal);
    const captured = request.prove
      ? await proveChanges(compared, selected, baselines, work, signal)
      : compared;
    for (const message of await writeHars(logins.hars, root)) onEvent({ type: "note", message });
    const screenshots = await addRemoved(captured, { all, baselines, folder, request });
    const source = { config: request.file, configHash: configHash(config), commit: commit || null };
    return await finishCheck(request, {
      ...{ startedAt, baseUrl, baselines, screenshots, folder },
      source: { ...source, screenshots: null },
    });
  } finally {
    // Reports the failure at once, without waiting for the application to start.
    over.abort();
    await Promise.all([engine.close(), starting.then(server => server?.stop()).catch(() => {})]);
  }
}

async function startServer(
  { start, root, terminal }: CheckRequest,
  baseUrl: string,
  signal: AbortSignal,
): Promise<OwnServer | null> {
  if (!start) {
    await requireReachable(baseUrl, signal);
    return null;
  }
  const { command, timeoutMs = START_MS, onLine = () => {} } = start;
  const { env } = terminal;
  return await OwnServer.start({ command, url: baseUrl, timeoutMs, cwd: root, env, signal, onLine });
}
