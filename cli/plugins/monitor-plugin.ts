import { z } from "zod";
import { isPageUrl } from "../../shared/contracts/fields.ts";
import { CommandError } from "../terminal.ts";
import type { Plugin } from "./plugin.ts";

const NAME = "monitor";

/** Where entries and baselines are kept, relative to the folder of the configuration, or else where the tool is called. */
export const HISTORY_DIR = ".service/monitor-history";
/** Share of the pixels that may differ before anybody is told. */
export const ALERT_THRESHOLD = 0.05;

/** What `vrs monitor` watches, and whom it tells. */
export interface MonitorOptions {
  /** Pages to watch, absolute: 1–100. */
  readonly urls: readonly string[];
  /** Fraction of changed pixels that is still no drift: 0.05 is 5 %. @default 0.05 */
  readonly alertThreshold?: number | undefined;
  readonly alerts?:
    | {
        /** Incoming webhook of a chat tool, or any address that takes JSON. It is a secret: take it from a variable. */
        readonly webhook?: string | undefined;
      }
    | undefined;
  /** Folder of the history, relative to this file. @default ".service/monitor-history" */
  readonly historyDir?: string | undefined;
}

export interface MonitorPlugin extends Plugin {
  readonly options: MonitorOptions;
}

/** The monitor plugin: `vrs monitor` takes its URLs from here, unless it is given others. */
export function monitor(options: MonitorOptions): MonitorPlugin {
  return { name: NAME, options };
}

export const watchedUrl = z
  .string("must be a text")
  .trim()
  .max(2000)
  .refine(
    isPageUrl,
    "must be an absolute http or https URL, such as https://example.com, without a user name or password",
  )
  .transform(url => new URL(url).href);

export const webhookUrl = z
  .string("must be a text")
  .trim()
  .min(1, "is empty; is the variable set that it is taken from?")
  .max(2000)
  .refine(isPageUrl, "must be an absolute http or https URL without a user name or password");

const optionsSchema = z.strictObject({
  urls: z
    .array(watchedUrl, "must be a list of URLs")
    .min(1, "must name at least one URL")
    .max(100, "may name 100 URLs at most"),
  alertThreshold: z
    .number("must be a number")
    .min(0, "must not be less than 0")
    .max(1, {
      error: ({ input }) =>
        `is a fraction, 0 to 1, and not a percentage: for ${input} % write ${Number(input) / 100}`,
    })
    .default(ALERT_THRESHOLD),
  alerts: z.strictObject({ webhook: webhookUrl.optional() }, "must be an object").default({}),
  historyDir: z.string("must be a text").trim().min(1).max(1000).default(HISTORY_DIR),
});

export type CheckedMonitorOptions = z.infer<typeof optionsSchema>;

/**
 * The options of the monitor plugin among a configuration's plugins; null where there is none.
 * @throws CommandError `config_invalid` that names the option and says what is wrong with it
 */
export function monitorOptionsOf(plugins: readonly Plugin[], file: string): CheckedMonitorOptions | null {
  const index = plugins.findIndex(({ name }) => name === NAME);
  const found = plugins[index];
  if (!found) return null;
  const read = optionsSchema.safeParse("options" in found ? found.options : undefined);
  if (read.success) return read.data;
  const faults = read.error.issues.map(issue => {
    const path = ["plugins", index, ...issue.path].map((part, at) => partOf(part, at)).join("");
    const strangers = issue.code === "unrecognized_keys" ? `has no option ${issue.keys.join(", ")}` : null;
    return `${file}: ${path} (monitor) ${strangers ?? issue.message}`;
  });
  throw new CommandError("config_invalid", faults.join("\n"));
}

function partOf(part: PropertyKey, at: number): string {
  if (typeof part === "number") return `[${part}]`;
  return at === 0 ? String(part) : `.${String(part)}`;
}
