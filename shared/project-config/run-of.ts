import type { SubmitRunInput } from "../contracts/runs/submit-run.ts";
import type { ProjectConfig } from "./project-config.ts";

/** What a submission takes from the project's configuration; its address and commit are the caller's to add. */
type ConfiguredRun = Pick<
  SubmitRunInput,
  "routes" | "viewports" | "threshold" | "project" | "baselineBranch" | "options"
>;

/** The body of `POST /v1/run` as far as the configuration says it. */
export function runOf(config: ProjectConfig): ConfiguredRun {
  const { routes, viewports, threshold, project, baselines } = config;
  const { masks, hide, waitForSelector, headers, network, clock, random } = config;
  const { colorThreshold, ignoreRegions, perRoute } = config;
  const capture = { masks, hide, waitForSelector, headers, network, clock, random };
  const options = { ...capture, colorThreshold, ignoreRegions, perRoute };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    routes,
    viewports,
    threshold,
    ...(project !== undefined && { project }),
    ...(baselines.branch !== undefined && { baselineBranch: baselines.branch }),
    ...(given.length > 0 && { options: Object.fromEntries(given) }),
  };
}
