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
  /** Pages to watch, absolute, 100 at most. Without any they are named with `vrs monitor -u`. */
  readonly urls?: readonly string[] | undefined;
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

/** The monitor plugin: `vrs monitor` takes from here what the command line does not say. */
export function monitor(options: MonitorOptions = {}): MonitorPlugin {
  return { name: NAME, options };
}

const MOST_CHARACTERS = 2000;
const TOO_LONG = "has more than 2,000 characters";

export const watchedUrl = z
  .string("must be a text")
  .trim()
  .max(MOST_CHARACTERS, TOO_LONG)
  .refine(
    isPageUrl,
    "must be an absolute http or https URL, such as https://example.com, without a user name or password",
  )
  .transform(url => new URL(url).href);

export const webhookUrl = z
  .string("must be a text")
  .trim()
  .min(1, "is empty; is the variable set that it is taken from?")
  .max(MOST_CHARACTERS, TOO_LONG)
  .refine(isPageUrl, "must be an absolute http or https URL without a user name or password");

const shape = {
  urls: z.array(watchedUrl, "must be a list of URLs").max(100, "may name 100 URLs at most").default([]),
  alertThreshold: z
    .number("must be a number")
    .min(0, "must not be less than 0")
    .max(1, {
      error: ({ input }) =>
        `is a fraction, 0 to 1, and not a percentage: for ${input} % write ${Number(input) / 100}`,
    })
    .default(ALERT_THRESHOLD),
  alerts: z.strictObject({ webhook: webhookUrl.optional() }, "must be an object").default({}),
  historyDir: z
    .string("must be a text")
    .trim()
    .min(1, `names no folder; without the option it is ${HISTORY_DIR}`)
    .max(1000, "has more than 1,000 characters")
    .default(HISTORY_DIR),
};

const optionsSchema = z.strictObject(shape, "must have an object of options");

export type CheckedMonitorOptions = z.infer<typeof optionsSchema>;

/**
 * The options of the monitor plugin among a configuration's plugins; null where there is none.
 * @throws CommandError `config_invalid` that names the option and says what is wrong with it
 */
export function monitorOptionsOf(plugins: readonly Plugin[], file: string): CheckedMonitorOptions | null {
  const [index, other] = plugins.flatMap(({ name }, at) => (name === NAME ? [at] : []));
  const found = index === undefined ? undefined : plugins[index];
  if (!found) return null;
  const at = `${file}: plugins[${index}]`;
  if (other !== undefined)
    throw fault(`${at} and plugins[${other}] are both named monitor. Name all URLs in one of them.`);
  const [beside] = Object.keys(shape).filter(option => option in found);
  if (beside !== undefined)
    throw fault(
      `${at}.${beside} (monitor) belongs in options. Write monitor({ ${beside}: … }), or { name: "monitor", options: { ${beside}: … } }.`,
    );
  const read = optionsSchema.safeParse("options" in found ? found.options : {});
  if (read.success) return read.data;
  const faults = read.error.issues.map(issue => {
    const strangers = issue.code === "unrecognized_keys" ? `has no option ${issue.keys.join(", ")}` : null;
    return `${at}${issue.path.map(partOf).join("")} (monitor) ${strangers ?? issue.message}`;
  });
  throw fault(faults.join("\n"));
}

function partOf(part: PropertyKey): string {
  return typeof part === "number" ? `[${part}]` : `.${String(part)}`;
}

function fault(message: string): CommandError {
  return new CommandError("config_invalid", message);
}
