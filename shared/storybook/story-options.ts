import type { CaptureOptions, RunOptions } from "../contracts/capture/capture-options.ts";
import type { SubmitRunInput } from "../contracts/runs/submit-run.ts";

/** Options that apply to the pages of stories. Stories have no steps and no login. */
const OF_PAGES = ["clock", "random", "masks", "hide", "headers", "network"] as const;
/** Options that apply to a Storybook. Its pages and environments come from the stories. */
const OF_RUNS = [...OF_PAGES, "colorThreshold", "allowHosts"] as const;

/** Returns the capture options of a run that apply to stories. */
export function storyCaptureOptions(options: RunOptions): CaptureOptions {
  return pickDefined(options, OF_PAGES);
}

/** Returns the options of a run that apply to a Storybook. */
export function storybookRunOptions<Options extends RunOptions | NonNullable<SubmitRunInput["options"]>>(
  options: Options,
): Partial<Options> {
  return pickDefined(options, OF_RUNS);
}

function pickDefined<Options extends object>(
  options: Options,
  names: readonly (keyof Options)[],
): Partial<Options> {
  const picked: Partial<Options> = {};
  for (const name of names) if (options[name] !== undefined) picked[name] = options[name];
  return picked;
}
