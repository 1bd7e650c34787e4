import { type Baseline, baselinesFolder } from "../baselines/baselines.ts";
import { readFolder } from "../baselines/read-baselines.ts";
import { PLATFORM } from "../check/finish-check.ts";
import { probe } from "../check/reach.ts";
import { planScreenshots } from "../check/screenshots/plan-screenshots.ts";
import { type Configuration, loadConfig } from "../config/load-config.ts";
import { CommandError, type Terminal } from "../terminal.ts";
import { DOCTOR_TEXTS as TEXTS } from "../texts/doctor.ts";
import { type Finding, failure, messageOf, ok, warning } from "./finding.ts";

const { names } = TEXTS;

/** A running server answers at once, or after seconds if it compiles first. */
const ANSWER_MS = 10_000;

/** Checks the configuration. */
export async function checkConfig(
  terminal: Terminal,
  path: string | undefined,
): Promise<{ configuration: Configuration | null; finding: Finding }> {
  try {
    const configuration = await loadConfig(terminal, path);
    const { config, file } = configuration;
    const shots = planScreenshots(config, config.baseUrl);
    return {
      configuration,
      finding: ok(names.configuration, TEXTS.configuration(file, shots.length, config.routes.length)),
    };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { configuration: null, finding: failure(names.configuration, error.message, null) };
  }
}

/** Checks whether the application answers. */
export async function checkAddress({ config }: Configuration, signal: AbortSignal): Promise<Finding> {
  const why = await probe(config.baseUrl, ANSWER_MS, signal);
  if (why === null) return ok(names.application, TEXTS.responds(config.baseUrl));
  return warning(names.application, TEXTS.noResponse(config.baseUrl, why), TEXTS.fixApplication);
}

/**
 * Checks whether the baselines are comparable with what this machine renders.
 * @param browser the installed one, such as `chromium 153.0.8010.0`; null if no browser starts
 */
export async function checkBaselines(
  configuration: Configuration,
  browser: string | null,
): Promise<Finding[]> {
  const { config } = configuration;
  const name = names.baselines;
  const directory = baselinesFolder(configuration);
  try {
    const all = (await readFolder(directory, planScreenshots(config, config.baseUrl))).all();
    if (all.length === 0) return [warning(name, TEXTS.noBaselines(directory), TEXTS.fixBaselines)];
    const doubts = [pointersAmong(all), unknownAmong(all), findOtherRenderers(all, browser)];
    return [ok(name, TEXTS.baselines(all.length, directory)), ...doubts.filter(doubt => doubt !== null)];
  } catch (error) {
    return [failure(name, messageOf(error), null)];
  }
}

function pointersAmong(all: readonly Baseline[]): Finding | null {
  const pointers = all.filter(({ path }) => path === null).length;
  if (pointers === 0) return null;
  return warning(names.lfs, TEXTS.pointers(pointers), TEXTS.fixPointers);
}

function unknownAmong(all: readonly Baseline[]): Finding | null {
  const unknown = all.filter(({ capture }) => capture === null).length;
  if (unknown === 0) return null;
  return warning(names.manifest, TEXTS.unlisted(unknown), TEXTS.fixUnlisted);
}

/** Finds baselines of another browser or system. */
function findOtherRenderers(all: readonly Baseline[], browser: string | null): Finding | null {
  const others = new Set(
    all
      .filter(each => each.browser !== null && each.platform !== null)
      .filter(each => each.platform !== PLATFORM || (browser !== null && each.browser !== browser))
      .map(each => TEXTS.environment(each.browser, each.platform ?? "")),
  );
  if (others.size === 0) return null;
  return warning(
    names.environment,
    TEXTS.otherEnvironment([...others].slice(0, 3), TEXTS.environment(browser, PLATFORM)),
    TEXTS.fixEnvironment,
  );
}
