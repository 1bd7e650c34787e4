import { count } from "../../shared/report/words.ts";
import { type Baseline, baselinesFolder } from "../baselines/baselines.ts";
import { readFolder } from "../baselines/read-baselines.ts";
import { planShots } from "../check/plan-shots.ts";
import { noAnswer } from "../check/reach.ts";
import { PLATFORM } from "../check/run-check.ts";
import { type Configuration, loadConfig } from "../config/load-config.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { type Finding, fault, messageOf, ok, warning } from "./finding.ts";

/** A server that is up answers at once; one that compiles first, after seconds. */
const ANSWER_MS = 10_000;

/** The configuration, or why there is none. */
export async function checkConfig(
  terminal: Terminal,
  path: string | undefined,
): Promise<{ configuration: Configuration | null; finding: Finding }> {
  try {
    const configuration = await loadConfig(terminal, path);
    const { config, file } = configuration;
    const shots = planShots(config, config.baseUrl);
    return {
      configuration,
      finding: ok(
        "Configuration",
        `${file}: ${count(shots.length, "screenshot")} of ${count(config.routes.length, "route")}`,
      ),
    };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { configuration: null, finding: fault("Configuration", error.message, null) };
  }
}

/** Whether the application answers. */
export async function checkAddress({ config }: Configuration, signal: AbortSignal): Promise<Finding> {
  const why = await noAnswer(config.baseUrl, ANSWER_MS, signal);
  if (why === null) return ok("Application", `answers at ${config.baseUrl}`);
  return warning(
    "Application",
    `nothing answers at ${config.baseUrl}: ${why}`,
    'Start it before a check, or let the check do so: vrs check --start "npm run dev".',
  );
}

/**
 * Whether the baselines can be compared with what this machine renders.
 * @param browser the one here, as `chromium 153.0.8010.0`; null where none starts
 */
export async function checkBaselines(
  configuration: Configuration,
  browser: string | null,
): Promise<Finding[]> {
  const { config } = configuration;
  const name = "Baselines";
  const directory = baselinesFolder(configuration);
  try {
    const all = (await readFolder(directory, planShots(config, config.baseUrl))).all();
    if (all.length === 0)
      return [warning(name, `none in ${directory}`, "Run `vrs check`, then `vrs approve`.")];
    const doubts = [pointersAmong(all), unknownAmong(all), strangersAmong(all, browser)];
    return [ok(name, `${all.length} in ${directory}`), ...doubts.filter(doubt => doubt !== null)];
  } catch (error) {
    return [fault(name, messageOf(error), null)];
  }
}

function pointersAmong(all: readonly Baseline[]): Finding | null {
  const pointers = all.filter(({ path }) => path === null).length;
  if (pointers === 0) return null;
  return warning("Git LFS", `${count(pointers, "baseline")} of them only as pointers`, "Run `git lfs pull`.");
}

function unknownAmong(all: readonly Baseline[]): Finding | null {
  const unknown = all.filter(({ capture }) => capture === null).length;
  if (unknown === 0) return null;
  return warning(
    "Manifest",
    `${count(unknown, "baseline")} of them as the manifest does not know them`,
    "They are compared by their pixels. `vrs approve` writes them anew.",
  );
}

/** Those of another browser or system than the one here. */
function strangersAmong(all: readonly Baseline[], browser: string | null): Finding | null {
  const others = new Set(
    all
      .filter(each => each.browser !== null && each.platform !== null)
      .filter(each => each.platform !== PLATFORM || (browser !== null && each.browser !== browser))
      .map(each => `${each.browser} on ${each.platform}`),
  );
  if (others.size === 0) return null;
  return warning(
    "Their browser",
    `${[...others].slice(0, 3).join(", ")}; here is ${browser ?? "none"} on ${PLATFORM}`,
    "Text may differ by that alone. Make baselines where they are compared, as in CI.",
  );
}
