/** `vrs monitor`: progress, results, history, alerts, and errors. */
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { count, figure, formatThreshold } from "../../shared/text/format.ts";

export const MONITOR_TEXTS = {
  begin: (pages: number, minutes: number | null, threshold: number) =>
    `Monitoring ${count(pages, "page")} ${minutes === null ? "continuously" : `every ${minutes === 1 ? "minute" : count(minutes, "minute")}`}, threshold ${formatThreshold(threshold)}. Press Ctrl+C to stop after the current check.`,
  progress: (done: number, pages: number) => `Checked ${figure(done)} of ${count(pages, "page")}`,
  checkFailed: (why: string) => `This check failed: ${why}`,
  nextCheck: (time: string) => `Next check at ${time}.`,
  /** Results of one page, in the history. */
  results: {
    ok: "ok",
    minor: "minor",
    established: "new baseline",
    changed: "changed",
    down: "down",
    failed: "not checked",
  },
  /** For several pages. */
  counted: {
    ok: "unchanged",
    minor: "with minor changes",
    established: "with new baselines",
    changed: "changed",
    down: "down",
    failed: "not checked",
  },
  established: "new baseline created",
  down: "down",
  notChecked: "couldn't be checked",
  unchanged: "no change",
  minor: (share: string, threshold: number) =>
    `minor change of ${share}, within the threshold of ${formatThreshold(threshold)}`,
  changed: (share: string, threshold: number) =>
    `changed by ${share}, more than the threshold of ${formatThreshold(threshold)}`,
  /** A screenshot of a page that was already named: `375 px`, or `menu open · dark · 375 px`. */
  screenshot: ({ state, environment, viewport }: Omit<ScreenshotKey, "route">) =>
    [state, environment, `${viewport} px`].filter(part => part !== null).join(" · "),
  attempts: (attempts: number) => `(${count(attempts, "attempt")})`,
  images: { current: "new", diff: "diff" },
  recovered: "recovered",
};

export const MONITOR_NOTES = {
  onlyOnce: "The page differed in one attempt only.",
  keptChanging: (moving: readonly string[]) =>
    moving.length > 0
      ? `Unstable. Kept changing: ${moving.join(", ")}.`
      : "Unstable. The page kept changing.",
  otherBrowser: (theirs: string, ours: string) =>
    `The baseline was captured with ${theirs}, this screenshot with ${ours}. Text may be rendered differently.`,
  unreadable: (why: string) => `Failed to read the baseline: ${why} To create a new one, add --accept.`,
  damaged: (file: string) => `${file} is damaged.`,
  imageDamaged: "The image is damaged.",
};

export const HISTORY_TEXTS = {
  unreadable: (files: number) => `${count(files, "history entry", "history entries")} couldn't be read.`,
  noneOf: (urls: string, folder: string, known: string) =>
    `${folder} has no history of ${urls}. It has history of ${known}.`,
  none: (folder: string) => `${folder} has no history yet. Run \`vrs monitor\` to start it.`,
  more: (urls: string, more: number) => (more > 0 ? `${urls}, and ${figure(more)} more` : urls),
  removed: (entries: number, folder: string) =>
    `Deleted ${count(entries, "entry", "entries")} from ${folder}.`,
};

export const ALERT_TEXTS = {
  /** For the command's output. */
  repeated: "No alert: these changes were already reported.",
  sent: { alert: "Alert sent.", recovery: "Recovery sent." },
  notSent: {
    alert: (why: string) => `Failed to send the alert: ${why} The next check retries.`,
    recovery: (why: string) => `Failed to send the recovery: ${why} The next check retries.`,
  },
  otherProcess: "Another vrs monitor is sending alerts to this URL.",
  /** For messages. */
  recovered: (urls: readonly string[]) => `${named(urls)} recovered`,
  down: (urls: readonly string[]) => `${named(urls)} ${urls.length === 1 ? "is" : "are"} down`,
  /** @param page the URL with state and environment */
  changed: (page: string, viewport: number, share: string, more: number) =>
    `${page} at ${viewport} px changed by ${share}${more > 0 ? ` and ${figure(more)} more` : ""}`,
  pagesChanged: "Pages changed",
  checkedAt: (time: string) => `Checked on ${time}.`,
  recoveredSince: (since: string | null) =>
    since === null ? "All pages recovered." : `All pages recovered. The problems began on ${since}.`,
  screenshotsChanged: (screenshots: number, threshold: number) =>
    `${count(screenshots, "screenshot")} ${screenshots === 1 ? "differs" : "differ"} from the baseline by more than ${formatThreshold(threshold)}.`,
  more: (more: number) => `and ${figure(more)} more`,
  downLine: (reason: string) => `down: ${reason}`,
  changedLine: (screenshot: string, share: string) => `${screenshot} · ${share}`,
  recoveredLine: "recovered",
  noResponse: "The page doesn't respond.",
  noResponseLately: "The page didn't respond at its last check.",
};

function named(urls: readonly string[]): string {
  return urls.length > 1 ? `${urls[0]} and ${figure(urls.length - 1)} more` : (urls[0] ?? "");
}

export const MONITOR_ERRORS = {
  oneMode: (modes: readonly string[]) => `${modes.join(" and ")} can't be combined. Choose one.`,
  historyAndPrune: "--history and --prune can't be combined. Prune first.",
  pruneAlone: (option: string) =>
    `--prune checks pages only with --interval or --watch, so ${option} has no effect. Leave out one of the two.`,
  historyOnly: (option: string) => `--history only prints. Leave out ${option}.`,
  noFolder: "--history-dir is empty. Name a folder.",
  noUrls: "--url has no URLs. Give at least one, such as https://example.com/.",
  tooManyUrls: (urls: number, most: number) =>
    `--url has ${figure(urls)} URLs. You can monitor at most ${figure(most)}.`,
  badUrl: (text: string, why: string) => `--url: "${text}" ${why}.`,
  badWebhook: (why: string) => `--webhook ${why}.`,
  threshold: (text: string) =>
    `--threshold must be a percentage from 0 to 100, such as 5 for 5%. You gave "${text}". In service.config.ts, alertThreshold is a fraction from 0 to 1.`,
  prune: (text: string) =>
    `--prune must say what to keep: 12h, 30d, or 4w of history, or the newest 500 entries of each URL. You gave "${text}".`,
  nothingToMonitor: (how: string) =>
    `There are no URLs to monitor. Give some: vrs monitor -u https://example.com/. Or ${how}.`,
  addUrls: (file: string, urls: string) => `add them to the monitor plugin of ${file}: ${urls}`,
  addPlugin: (file: string, plugin: string) => `add the monitor plugin to ${file}: ${plugin}`,
  addConfig: (plugin: string) => `create a service.config.ts with ${plugin}`,
};
