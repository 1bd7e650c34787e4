import type { Starting } from "./starter-workflow.ts";

/** Path of a project's pipeline at GitLab. */
export const PIPELINE_PATH = ".gitlab-ci.yml";

/** Matches the Node that vrs needs. */
const IMAGE = "node:24";

/**
 * Returns the pipeline that checks every merge request, with the vrs of the project's dependencies. It has no job until
 * the repository has baselines, because a check without them reports every page as new, and fails.
 * @param install installs the project's dependencies
 * @param starting how the application is started; null if it runs elsewhere
 */
export function starterPipeline(install: string, starting: Starting | null): string {
  const start = starting ? ` --start ${JSON.stringify(starting.start)}` : "";
  const check = `npx --no-install vrs check --config ./service.config.ts${start}`;
  return `visual-check:
  image: ${IMAGE}
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      exists:
        - .service/baselines/**/*
  script:
    - ${JSON.stringify(install)}
    - ${JSON.stringify(check)}
  artifacts:
    when: always
    paths:
      - .service/
`;
}
