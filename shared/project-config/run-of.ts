import { type RunOptions, runOptionsSchema } from "../contracts/capture/capture-options.ts";
import type { StorybookOptions } from "../contracts/runs/stories.ts";
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
  const options = runOptionsOf(config);
  return {
    routes,
    viewports,
    threshold,
    ...(project !== undefined && { project }),
    ...(baselines.branch !== undefined && { baselineBranch: baselines.branch }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** Returns what a configuration says about runs of its Storybook: in place of settings of pages, and which stories. */
export function storybookOf({ storybook }: Pick<ProjectConfig, "storybook">): {
  settings: Partial<Pick<ProjectConfig, "viewports" | "threshold">>;
  options: StorybookOptions;
} {
  const { tags, onlyChanged, viewports, threshold } = storybook ?? {};
  return {
    settings: { ...(viewports && { viewports }), ...(threshold !== undefined && { threshold }) },
    options: { ...(tags && { tags }), ...(onlyChanged !== undefined && { onlyChanged }) },
  };
}

/** Returns the options of a run that a configuration sets. */
export function runOptionsOf(config: Omit<ProjectConfig, "plugins">): RunOptions {
  const names = new Set(Object.keys(runOptionsSchema.shape));
  const options = Object.entries(config).filter(([name, value]) => names.has(name) && value !== undefined);
  return Object.fromEntries(options);
}
