import { relative, resolve } from "node:path";
import type { CaptureOptions } from "../../shared/contracts/runs/capture-options.ts";
import { readWidths } from "../commands/option-values.ts";
import type { Configuration, LoadedConfig } from "../config/load-config.ts";
import { definedOf } from "../defined-of.ts";
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

/** More than that is a crawl. */
const MOST_URLS = 100;

/** Of a URL that is refused: what tells it from others. */
const SHOWN_CELLS = 120;

/** A URL, the widths at which it is looked at, px, and how. */
export interface Target {
  url: string;
  viewports: number[];
  options: CaptureOptions;
  /** How far apart two colours may be and still count as one, 0–1; undefined for the usual. */
  colorThreshold: number | undefined;
  /** Of all widths; undefined where there are none. */
  ignoreRegions: LoadedConfig["ignoreRegions"];
}

export interface MonitorPlan {
  targets: Target[];
  /** Fraction of changed pixels that is still no drift. */
  threshold: number;
  webhook: string | null;
  /** Absolute. */
  historyDir: string;
}

/** What the command line says; undefined where it says nothing. */
export interface MonitorFlags {
  url?: readonly string[] | undefined;
  /** Per cent. */
  threshold?: string | undefined;
  webhook?: string | undefined;
  viewports?: readonly string[] | undefined;
  historyDir?: string | undefined;
}

/**
 * What is to be watched: what the command line says, then the monitor plugin of the configuration, then the defaults.
 * @param cwd folder that the tool was called in
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

/** Where the history is: as the command line says, relative to the caller's folder, else as the plugin does, relative to its file. */
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

/** The URLs of `--url`, as they are watched. @throws CommandError for what is none */
export function readUrls(texts: readonly string[]): string[] {
  if (texts.length === 0) throw new CommandError("usage", MONITOR_ERRORS.noUrls);
  if (texts.length > MOST_URLS)
    throw new CommandError("usage", MONITOR_ERRORS.tooManyUrls(texts.length, MOST_URLS));
  return texts.map(text => {
    const read = watchedUrl.safeParse(text);
    if (read.success) return read.data;
    throw new CommandError("usage", MONITOR_ERRORS.badUrl(shorten(text, SHOWN_CELLS), messageOf(read.error)));
  });
}

function readWebhook(text: string): string {
  const read = webhookUrl.safeParse(text);
  if (read.success) return read.data;
  // The address itself is a secret.
  throw new CommandError("usage", MONITOR_ERRORS.badWebhook(messageOf(read.error)));
}

/** Per cent, 0 to 100, as a fraction. */
function readPercent(text: string): number {
  const percent = /^\s*(\d+(\.\d*)?|\.\d+)\s*%?\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (percent >= 0 && percent <= 100) return percent / 100;
  throw new CommandError("usage", MONITOR_ERRORS.threshold(text));
}

function targetOf(url: string, flags: MonitorFlags, config: LoadedConfig | null): Target {
  const widths = flags.viewports === undefined ? null : readWidths(flags.viewports);
  const usual = { options: {}, colorThreshold: undefined, ignoreRegions: undefined };
  if (config === null) return { url, viewports: widths ?? [1280], ...usual };
  const { pathname, search, origin } = new URL(url);
  const own = config.perRoute?.[pathname + search] ?? config.perRoute?.[pathname] ?? {};
  const settings = { ...config, ...definedOf(own) };
  const { masks, hide, waitForSelector, headers, network, clock, random } = settings;
  // Headers may grant access to the application: other origins must not get them.
  const isOurs = origin === new URL(config.baseUrl).origin;
  const options = { masks, hide, waitForSelector, network, clock, random, ...(isOurs && { headers }) };
  return {
    url,
    viewports: widths ?? own.viewports ?? config.viewports,
    options: definedOf(options),
    colorThreshold: settings.colorThreshold,
    ignoreRegions: settings.ignoreRegions,
  };
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
