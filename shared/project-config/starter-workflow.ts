/** Path of a project's workflow. */
export const WORKFLOW_PATH = ".github/workflows/service.yml";

/** How a workflow starts the application on a machine that has only the repository. */
export interface Starting {
  /** Installs what the application needs, as `npm ci`. */
  install: string;
  /** Starts it, as `npm run dev`. */
  start: string;
}

const HOW_TO_START = `          # Command that starts the application. Install its dependencies in a step before this one, such as "run: npm ci".
          # start: npm run dev
`;

/** A check without baselines finds every page new, and fails. */
const HAS_BASELINES = "hashFiles('.service/baselines/**') != ''";
const SAY_HOW_TO_BEGIN = `      - if: hashFiles('.service/baselines/**') == ''
        run: echo "::notice::No baselines yet. Run vrs check and vrs approve, then commit .service/baselines."
`;

/**
 * Returns the workflow that checks every pull request.
 * @param action `owner/repository` of the action; its major version is pinned
 * @param starting how the application is started; null when it runs elsewhere
 * @param waitsForBaselines passes without a check until the repository has baselines
 */
export function starterWorkflow(
  action: string,
  starting: Starting | null = null,
  { waitsForBaselines = false } = {},
): string {
  const step = (first: string) =>
    waitsForBaselines ? `      - if: ${HAS_BASELINES}\n        ${first}\n` : `      - ${first}\n`;
  return `name: Service

on:
  pull_request:
    types: [opened, synchronize, reopened, ready_for_review]

permissions:
  contents: read

jobs:
  service:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
${waitsForBaselines ? SAY_HOW_TO_BEGIN : ""}${starting ? step(`run: ${JSON.stringify(starting.install)}`) : ""}${step(`uses: ${action}@v0`)}        with:
          config: ./service.config.ts
${starting ? `          start: ${JSON.stringify(starting.start)}\n` : HOW_TO_START}`;
}
