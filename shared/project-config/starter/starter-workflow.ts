import { ACTION_TAG, type WorkflowRunner } from "./choose-runner.ts";

/** Path of a project's workflow. */
export const WORKFLOW_PATH = ".github/workflows/service.yml";

/** How a workflow starts the application on a fresh machine with only the repository. */
export interface Starting {
  /** Installs the application's dependencies, such as `npm ci`. */
  install: string;
  /** Starts the application, such as `npm run dev`. */
  start: string;
}

const HOW_TO_START = `          # Command that starts the application. Install its dependencies in a step before this one, such as "run: npm ci".
          # start: npm run dev
`;

/** A check without baselines reports every page as new, and fails. */
const HAS_BASELINES = "hashFiles('.service/baselines/**') != ''";
const SAY_HOW_TO_BEGIN = `      - if: hashFiles('.service/baselines/**') == ''
        run: echo "::notice::No baselines yet. Run vrs check and vrs approve, then commit .service/baselines."
`;

const CONFIG = "./service.config.ts";

interface WorkflowParts {
  runner: WorkflowRunner;
  /** Installs the project's dependencies. */
  install: string;
  /** How the application is started. Null if it runs elsewhere. */
  starting: Starting | null;
  /** Whether the workflow passes without a check until the repository has baselines. */
  waitsForBaselines?: boolean;
}

/** Returns the workflow that checks every pull request. */
export function starterWorkflow({
  runner,
  install,
  starting,
  waitsForBaselines = false,
}: WorkflowParts): string {
  const step = (first: string) =>
    waitsForBaselines ? `      - if: ${HAS_BASELINES}\n        ${first}\n` : `      - ${first}\n`;
  const check =
    runner === "dependency"
      ? runDependency(step, install, starting)
      : runAction(step, runner.action, starting);
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
${waitsForBaselines ? SAY_HOW_TO_BEGIN : ""}${check}`;
}

type Step = (first: string) => string;

function runAction(step: Step, action: string, starting: Starting | null): string {
  const install = starting ? step(`run: ${JSON.stringify(starting.install)}`) : "";
  return `${install}${step(`uses: ${action}@${ACTION_TAG}`)}        with:
          config: ${CONFIG}
${starting ? `          start: ${JSON.stringify(starting.start)}\n` : HOW_TO_START}`;
}

/** Returns the steps of the action, with the vrs of the project's dependencies. */
function runDependency(step: Step, install: string, starting: Starting | null): string {
  const start = starting ? ` --start ${JSON.stringify(starting.start)}` : "";
  const check = `npx --no-install vrs check --config ${CONFIG}${start}`;
  return `${step("uses: actions/setup-node@v4")}        with:
          node-version: "24"
${step(`run: ${JSON.stringify(install)}`)}${step(`run: ${JSON.stringify(check)}`)}${REPORT}`;
}

/** The folder's name starts with a dot, and the report shows the baselines of unchanged pages. */
const REPORT = `      - if: \${{ !cancelled() && hashFiles('.service/check/**') != '' }}
        uses: actions/upload-artifact@v4
        with:
          name: visual-report
          path: .service
          include-hidden-files: true
`;
