import type { SubmitRunInput } from "../contracts/runs/submit-run.ts";
import type { ProjectConfig } from "./project-config.ts";

/** The part of a submission that the project's configuration sets. The caller adds the URL and the commit. */
type ConfiguredRun = Pick<
  SubmitRunInput,
  "routes" | "viewports" | "threshold" | "project" | "baselineBranch" | "options"
>;

/** Returns the body of `POST /v1/run`, as far as the configuration sets it. */
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
