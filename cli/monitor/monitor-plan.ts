import { relative, resolve } from "node:path";
import type { RunOptions } from "../../shared/contracts/capture/capture-options.ts";
import { planPages } from "../../shared/contracts/capture/plan-pages.ts";
import { definedOf } from "../../shared/defined-of.ts";
import { runOptionsOf } from "../../shared/project-config/run-of.ts";
import { type PlannedVisit, visitOf } from "../check/screenshots/plan-screenshots.ts";
import { readWidths } from "../commands/option-values.ts";
import type { Configuration, LoadedConfig } from "../config/load-config.ts";
import { shorten } from "../output/text-width.ts";
import {
  ALERT_THRESHOLD,
  type CheckedMonitorOptions,
  HISTORY_DIR,
  monitorOptionsOf,
  watchedUrl,
  webhookUrl,
} from "../plugins/monitor-plugin.ts";
import { CommandError } from "../terminal.ts";
import { MONITOR_ERRORS } from "../texts/monitor.ts";

/** A larger number would be a crawl. */
const MAX_URLS = 100;

/** The part of a refused URL that an error shows. */
const MAX_SHOWN_CELLS = 120;

/** Options of one page. */
type PageOptions = Omit<RunOptions, "environments" | "perRoute">;

/** One visit to a monitored page. */
export type MonitorVisit = Omit<PlannedVisit, "threshold">;

/** A URL with its visits: one for each environment and width. */
export interface Target {
  url: string;
  visits: MonitorVisit[];
}

export interface MonitorPlan {
  targets: Target[];
  /** Share of changed pixels up to which a page counts as unchanged, 0–1. */
  threshold: number;
  webhook: string | null;
  /** Absolute path. */
  historyDir: string;
}

/** Options of the command line. Undefined if not given. */
export interface MonitorFlags {
  url?: readonly string[] | undefined;
  /** Percent. */
  threshold?: string | undefined;
  webhook?: string | undefined;
  viewports?: readonly string[] | undefined;
  historyDir?: string | undefined;
}

/**
 * Returns what to monitor. Options of the command line take precedence over the configuration's monitor plugin,
 * and that over the defaults.
 * @param cwd the folder in which the tool was called
 * @throws CommandError that names the option and says what to write
 */
export function planMonitor(flags: MonitorFlags, loaded: Configuration | null, cwd: string): MonitorPlan {
  const plugin = loaded && monitorOptionsOf(loaded.config.plugins, relative(cwd, loaded.file));
  const urls = flags.url === undefined ? (plugin?.urls ?? []) : readUrls(flags.url);
  if (urls.length === 0) throw new CommandError("no_urls", explainNoUrls(loaded, plugin));
  const webhook = flags.webhook === undefined ? plugin?.alerts.webhook : readWebhook(flags.webhook);
  return {
    targets: [...new Set(urls)].map(url => targetOf(url, flags, loaded?.config ?? null)),
    threshold:
      flags.threshold === undefined
        ? (plugin?.alertThreshold ?? ALERT_THRESHOLD)
        : readPercent(flags.threshold),
    webhook: webhook ?? null,
    historyDir: historyDirOf(flags, plugin, loaded, cwd),
  };
}

/**
 * Returns the history folder. A path of the command line is relative to the current folder, and a path of the
 * plugin to the configuration file.
 */
export function historyDirOf(
  flags: MonitorFlags,
  plugin: CheckedMonitorOptions | null,
  loaded: Configuration | null,
  cwd: string,
): string {
  if (flags.historyDir !== undefined) {
    if (flags.historyDir.trim() === "") throw new CommandError("usage", MONITOR_ERRORS.noFolder);
    return resolve(cwd, flags.historyDir);
  }
  return resolve(loaded?.root ?? cwd, plugin?.historyDir ?? HISTORY_DIR);
}

/** Reads the URLs of `--url`. @throws CommandError for an invalid URL */
export function readUrls(texts: readonly string[]): string[] {
  if (texts.length === 0) throw new CommandError("usage", MONITOR_ERRORS.noUrls);
  if (texts.length > MAX_URLS)
    throw new CommandError("usage", MONITOR_ERRORS.tooManyUrls(texts.length, MAX_URLS));
  return texts.map(text => {
    const read = watchedUrl.safeParse(text);
    if (read.success) return read.data;
    throw new CommandError(
      "usage",
      MONITOR_ERRORS.badUrl(shorten(text, MAX_SHOWN_CELLS), messageOf(read.error)),
    );
  });
}

function readWebhook(text: string): string {
  const read = webhookUrl.safeParse(text);
  if (read.success) return read.data;
  // The URL itself is a secret.
  throw new CommandError("usage", MONITOR_ERRORS.badWebhook(messageOf(read.error)));
}

/** Reads a percentage from 0 to 100 as a fraction. */
function readPercent(text: string): number {
  const percent = /^\s*(\d+(\.\d*)?|\.\d+)\s*%?\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw new CommandError("usage", MONITOR_ERRORS.threshold(text));
}

function targetOf(url: string, flags: MonitorFlags, config: LoadedConfig | null): Target {
  const widths = flags.viewports === undefined ? null : readWidths(flags.viewports);
  const { pathname, search, origin } = new URL(url);
  const isSameOrigin = config !== null && origin === new URL(config.baseUrl).origin;
  const routes = config?.perRoute ?? {};
  const route = pathname + search in routes ? pathname + search : pathname;
  const { viewports, threshold: _threshold, ...own } = definedOf(routes[route] ?? {});
  const { perRoute: _perRoute, ...common } = config === null ? {} : runOptionsOf(config);
  const options = isSameOrigin ? common : optionsForOthers({ ...common, ...own });
  const plan = { routes: [route], viewports: widths ?? viewports ?? config?.viewports ?? [1280] };
  const pages = planPages({
    ...plan,
    options: { ...options, perRoute: { [route]: isSameOrigin ? own : {} } },
  });
  const site = isSameOrigin ? config.baseUrl : origin;
  return { url, visits: pages.map(page => visitOf(page, { url, site })) };
}

/**
 * Returns the options for URLs of other origins. They get no headers and no logins, which may grant access to the
 * application, and none of its steps and environments.
 */
function optionsForOthers(options: PageOptions): RunOptions {
  const { masks, hide, waitForSelector, network, clock, random, colorThreshold, ignoreRegions } = options;
  return definedOf({ masks, hide, waitForSelector, network, clock, random, colorThreshold, ignoreRegions });
}

function explainNoUrls(loaded: Configuration | null, plugin: CheckedMonitorOptions | null): string {
  const urls = 'urls: ["https://example.com/"]';
  const example = `plugins: [monitor({ ${urls} })]`;
  const { addUrls, addPlugin, addConfig, nothingToMonitor } = MONITOR_ERRORS;
  if (loaded === null) return nothingToMonitor(addConfig(example));
  return nothingToMonitor(plugin ? addUrls(loaded.file, urls) : addPlugin(loaded.file, example));
}

function messageOf(error: { issues: { message: string }[] }): string {
  return error.issues.map(({ message }) => message).join("; ");
}
