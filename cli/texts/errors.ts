/** Errors of the tool itself, of configurations and plugins, and of command-line options. */
import { count, figure } from "../../shared/text/format.ts";

/** An input as an error quotes it. */
const given = (text: string) => `You gave "${text}".`;

export const TOOL_ERRORS = {
  label: "Error:",
  warningLabel: "Warning:",
  stopping: "Stopping… Press Ctrl+C again to force it.",
  interrupted: (by: string) => `Stopped by ${by} before it was done.`,
  files: (message: string) =>
    `${message}\nCheck the permissions of the file and its folder, and the free disk space.`,
  bug: (message: string) =>
    `${message}\nThis is a bug in vrs. Run the command again with --verbose, and report its output.`,
  bugInDetail: (message: string) =>
    `${message}\nThis is a bug in vrs. Report it with the details below and the output of \`vrs doctor\`.`,
  noCommand: "No command was given.",
  usage: (message: string, called: string) => `${message}\nRun \`${called} --help\` for help.`,
  cannotWrite: (path: string, why: string) => `Failed to write ${path}: ${why}`,
};

export const OPTION_ERRORS = {
  wholeNumber: "Give a whole number from 1 to 999,999.",
  seconds: "Give a number of seconds, more than 0 and at most 3,600.",
  minutes: (name: string, most: number, toCommandError: string | undefined, text: string) =>
    `${name} must be a number of minutes, at most ${figure(most)}${toCommandError ? ` (${toCommandError})` : ""}. ${given(text)}`,
  aWeek: "a week",
  /** Continues a sentence: `"8" is not a …`. */
  width: (minPx: number, maxPx: number) => `width from ${figure(minPx)} to ${figure(maxPx)} px`,
  notAWidth: (text: string, width: string) => `--viewports: "${text}" is not a ${width}.`,
  noWidths: "--viewports has no widths. Give at least one, such as 1280.",
  url: (text: string) => `"${text}" is not a URL. Give one such as http://localhost:3000.`,
  notWithWatch: (option: string) =>
    option === "--screenshots"
      ? "--watch is for pages. To review screenshots of your tests while they run, use `vrs dev`."
      : `--watch can't be used with ${option}. Leave out one of them.`,
  noShell: (name: string, shells: readonly string[]) =>
    `vrs has no completion for ${name || "this shell"}. Choose one of ${shells.join(", ")}.`,
};

export const CONFIG_ERRORS = {
  noSuchFile: (named: string) => `${named} doesn't exist. Name a file such as ./service.config.ts.`,
  emptyFolder: (named: string) =>
    `${named} contains no configuration. Name a file such as ./service.config.ts.`,
  missing: (folder: string) =>
    `No service.config.ts found in ${folder} or its parent folders. Create one with \`vrs init\`, or name yours with --config.`,
  noExport: (file: string) =>
    `${file} doesn't export a configuration. Write: export default defineConfig({ … });`,
  more: (left: number) => `… and ${figure(left)} more.`,
  failed: (position: string, message: string) => `${position}: The file failed to run: ${message}`,
};

export const RULE_FILE_ERRORS = {
  unreadable: (url: string, file: string, why: string) =>
    `Failed to read ${file} for the network rule of ${url}: ${why}`,
  unsendable: (url: string, file: string, why: string) =>
    `The network rule of ${url} can't send ${file} to the service: ${why} Use \`vrs check\`, or a file on a server.`,
  missing: "the file doesn't exist. Create it, or check the path, which is relative to the configuration.",
  tooLarge: (mib: number) => `the file is larger than ${mib} MiB. Use a smaller one.`,
  isHar: "it is a HAR file.",
  notHar: "the file is not a HAR file. Record it with `vrs check --record-har`.",
  noHar:
    "the file doesn't exist. Record it with `vrs check --record-har`, or check the path, which is relative to the configuration.",
  noHarRule:
    "No network rule of these pages has the action har. Add one that says what to record, and into which file.",
  recorded: (file: string, responses: number) => `Recorded ${count(responses, "response")} in ${file}.`,
  skipped: (file: string, responses: number) =>
    `${count(responses, "response")} ${responses === 1 ? "is" : "are"} missing in ${file}, because of ${responses === 1 ? "its" : "their"} size, or because the page left before the end.`,
  notText: "the file is not UTF-8 text.",
  tooLong: (most: number) => `the file has more than ${figure(most)} characters.`,
};

export const PLUGIN_ERRORS = {
  notAHook: (plugin: string, near: string) => `${plugin} is not a hook. Did you mean ${near}?`,
  mustBe: (field: string, kind: "string" | "function") => `${field} must be a ${kind}.`,
  failed: (name: string, hook: string, where: string, message: string) =>
    `The plugin "${name}" failed in ${hook}${where}: ${message}`,
  onPage: (name: string, page: string, viewport: number) =>
    `The plugin "${name}" (onPage for ${page} at ${viewport} px)`,
  onLogin: (name: string, session: string) => `The plugin "${name}" (onLogin for the session ${session})`,
  at: (page: string, viewport: number) => ` for ${page} at ${viewport} px`,
  badSettings: (name: string, route: string, failure: string) =>
    `The plugin "${name}" returned invalid settings for ${route} in beforePage: ${failure}.`,
  planned: "Its states and its session are set in the configuration",
  badNotes: (name: string, page: string, viewport: number) =>
    `The plugin "${name}" returned invalid notes for ${page} at ${viewport} px in onResult. Return an array of strings, or nothing.`,
};

/** Of the monitor plugin. Each text of an option continues a sentence: `--webhook must be …`. */
export const MONITOR_PLUGIN_ERRORS = {
  string: "must be a string",
  tooLong: (most: number) => `has more than ${figure(most)} characters`,
  url: "must be an absolute http or https URL without a username or password, such as https://example.com",
  emptyWebhook: "is empty; check the environment variable that it comes from",
  urls: "must be a list of URLs",
  tooManyUrls: (most: number) => `can have at most ${figure(most)} URLs`,
  number: "must be a number",
  tooLow: "must be at least 0",
  percentage: (input: number) =>
    `must be a fraction from 0 to 1, not a percentage; for ${input}%, write ${input / 100}`,
  object: "must be an object",
  noFolder: (usual: string) => `is empty; without this option, it is ${usual}`,
  noOptions: "must have an object of options",
  unknownOptions: (names: readonly string[]) => `has no option ${names.join(", ")}`,
  twice: (first: string, second: string) =>
    `${first} and ${second} are both named monitor. Put all URLs into one of them.`,
  outsideOptions: (at: string, option: string) =>
    `${at}.${option} (monitor) belongs in options. Write monitor({ ${option}: … }), or { name: "monitor", options: { ${option}: … } }.`,
};
