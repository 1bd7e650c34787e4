import { join } from "node:path";
import { readFolder } from "../baselines/read-baselines.ts";
import { planShots } from "../check/plan-shots.ts";
import { noAnswer } from "../check/reach.ts";
import { PLATFORM } from "../check/run-check.ts";
import { type Configuration, loadConfig } from "../config/load-config.ts";
import { count } from "../output/words.ts";
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
  { config, root }: Configuration,
  browser: string | null,
): Promise<Finding[]> {
  const name = "Baselines";
  const directory = join(root, config.baselines.directory);
  const shots = planShots(config, config.baseUrl);
  try {
    const all = (await readFolder(directory, shots)).all();
    if (all.length === 0)
      return [warning(name, `none in ${directory}`, "Run `vrs check`, then `vrs approve`.")];
    const unknown = all.filter(({ capture }) => capture === null).length;
    const pointers = all.filter(({ path }) => path === null).length;
    const others = new Set(
      all
        .filter(each => each.browser !== null && each.platform !== null)
        .filter(each => each.platform !== PLATFORM || (browser !== null && each.browser !== browser))
        .map(each => `${each.browser} on ${each.platform}`),
    );
    return [
      ok(name, `${all.length} in ${directory}`),
      ...(pointers > 0
        ? [
            warning(
              "Git LFS",
              `${count(pointers, "baseline")} of them only as pointers`,
              "Run `git lfs pull`.",
            ),
          ]
        : []),
      ...(unknown > 0
        ? [
            warning(
              "Manifest",
              `${count(unknown, "baseline")} of them as the manifest does not know them`,
              "They are compared by their pixels. `vrs approve` writes them anew.",
            ),
          ]
        : []),
      ...(others.size > 0
        ? [
            warning(
              "Their browser",
              `${[...others].slice(0, 3).join(", ")}; here is ${browser ?? "none"} on ${PLATFORM}`,
              "Text may differ by that alone. Make baselines where they are compared, as in CI.",
            ),
          ]
        : []),
    ];
  } catch (error) {
    return [fault(name, messageOf(error), null)];
  }
}
