import { z } from "zod";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { CommandError } from "../terminal.ts";
import { MONITOR_PLUGIN_ERRORS as ERRORS } from "../texts/errors.ts";
import type { Plugin } from "./plugin.ts";

const NAME = "monitor";

/**
 * Folder of entries and baselines, relative to the configuration's folder or else to the working directory.
 */
export const HISTORY_DIR = ".service/monitor-history";
/** Fraction of changed pixels that triggers an alert. */
export const ALERT_THRESHOLD = 0.05;

/** Options of `vrs monitor`. */
export interface MonitorOptions {
  /** Absolute URLs of the pages to monitor, at most 100. Without any, use `vrs monitor -u`. */
  readonly urls?: readonly string[] | undefined;
  /** Fraction of a page's pixels that may differ before an alert: 0.05 is 5%. @default 0.05 */
  readonly alertThreshold?: number | undefined;
  readonly alerts?:
    | {
        /** Incoming webhook of a chat tool, or any URL that accepts JSON. It is a secret: read it from an environment variable. */
        readonly webhook?: string | undefined;
      }
    | undefined;
  /** Folder of the history, relative to this file. @default ".service/monitor-history" */
  readonly historyDir?: string | undefined;
}

export interface MonitorPlugin extends Plugin {
  readonly options: MonitorOptions;
}

/** Returns the monitor plugin, with the defaults for the options of `vrs monitor`. */
export function monitor(options: MonitorOptions = {}): MonitorPlugin {
  return { name: NAME, options };
}

const MOST_CHARACTERS = 2000;
const MOST_URLS = 100;

export const watchedUrl = z
  .string(ERRORS.string)
  .trim()
  .max(MOST_CHARACTERS, ERRORS.tooLong(MOST_CHARACTERS))
  .refine(isPageUrl, ERRORS.url)
  .transform(url => new URL(url).href);

export const webhookUrl = z
  .string(ERRORS.string)
  .trim()
  .min(1, ERRORS.emptyWebhook)
  .max(MOST_CHARACTERS, ERRORS.tooLong(MOST_CHARACTERS))
  .refine(isPageUrl, ERRORS.url);

const shape = {
  urls: z.array(watchedUrl, ERRORS.urls).max(MOST_URLS, ERRORS.tooManyUrls(MOST_URLS)).default([]),
  alertThreshold: z
    .number(ERRORS.number)
    .min(0, ERRORS.tooLow)
    .max(1, {
      error: ({ input }) => ERRORS.percentage(Number(input)),
    })
    .default(ALERT_THRESHOLD),
  alerts: z.strictObject({ webhook: webhookUrl.optional() }, ERRORS.object).default({}),
  historyDir: z
    .string(ERRORS.string)
    .trim()
    .min(1, ERRORS.noFolder(HISTORY_DIR))
    .max(1000, ERRORS.tooLong(1000))
    .default(HISTORY_DIR),
};

const optionsSchema = z.strictObject(shape, ERRORS.noOptions);

export type CheckedMonitorOptions = z.infer<typeof optionsSchema>;

/**
 * Returns the options of the monitor plugin in a configuration; null without one.
 * @throws CommandError `config_invalid` that names the option and the problem
 */
export function monitorOptionsOf(plugins: readonly Plugin[], file: string): CheckedMonitorOptions | null {
  const [index, other] = plugins.flatMap(({ name }, at) => (name === NAME ? [at] : []));
  const found = index === undefined ? undefined : plugins[index];
  if (!found) return null;
  const at = `${file}: plugins[${index}]`;
  if (other !== undefined) throw invalid(ERRORS.twice(at, `plugins[${other}]`));
  const [beside] = Object.keys(shape).filter(option => option in found);
  if (beside !== undefined) throw invalid(ERRORS.outsideOptions(at, beside));
  const read = optionsSchema.safeParse("options" in found ? found.options : {});
  if (read.success) return read.data;
  const failures = read.error.issues.map(issue => {
    const unknownOptions = issue.code === "unrecognized_keys" ? ERRORS.unknownOptions(issue.keys) : null;
    return `${at}${issue.path.map(partOf).join("")} (monitor) ${unknownOptions ?? issue.message}`;
  });
  throw invalid(failures.join("\n"));
}

function partOf(part: PropertyKey): string {
  return typeof part === "number" ? `[${part}]` : `.${String(part)}`;
}

function invalid(message: string): CommandError {
  return new CommandError("config_invalid", message);
}
