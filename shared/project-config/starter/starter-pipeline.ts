import type { Starting } from "./starter-workflow.ts";

/** Matches the Node that vrs needs. */
const IMAGE = "node:24";

/** The pipeline of a code host that checks every pull request, with the vrs of the project's dependencies. */
interface StarterPipeline {
  path: string;
  /**
   * Returns the pipeline. It checks nothing until the repository has baselines, because a check without them reports every
   * page as new, and fails.
   * @param install installs the project's dependencies
   * @param starting how the application is started; null if it runs elsewhere
   */
  write(install: string, starting: Starting | null): string;
}

export const STARTER_PIPELINES: Record<"gitlab" | "bitbucket", StarterPipeline> = {
  gitlab: { path: ".gitlab-ci.yml", write: gitlabPipeline },
  bitbucket: { path: "bitbucket-pipelines.yml", write: bitbucketPipeline },
};

function checkCommand(starting: Starting | null): string {
  const start = starting ? ` --start ${JSON.stringify(starting.start)}` : "";
  return `npx --no-install vrs check --config ./service.config.ts${start}`;
}

function bitbucketPipeline(install: string, starting: Starting | null): string {
  // A step has no condition on files that exist.
  const check = `if [ -d .service/baselines ]; then ${checkCommand(starting)}; fi`;
  return `image: ${IMAGE}
pipelines:
  pull-requests:
    "**":
      - step:
          name: visual-check
          script:
            - ${JSON.stringify(install)}
            - ${JSON.stringify(check)}
          artifacts:
            - .service/**
`;
}

function gitlabPipeline(install: string, starting: Starting | null): string {
  const check = checkCommand(starting);
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
