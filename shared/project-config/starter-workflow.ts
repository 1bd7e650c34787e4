/** Where the workflow of a project is written to. */
export const WORKFLOW_PATH = ".github/workflows/service.yml";

/** How a workflow starts the application that it checks, on a machine that has nothing but the repository. */
export interface Starting {
  /** Installs what the application needs, as `npm ci`. */
  install: string;
  /** Starts it, as `npm run dev`. */
  start: string;
}

const HOW_TO_START = `          # Starts the application; a step before this one installs what it needs, as "run: npm ci".
          # start: npm run dev
`;

/**
 * The workflow that checks every pull request.
 * @param action `owner/repository` of the action; its major version is pinned
 * @param starting how the application is started; null when it runs elsewhere
 */
export function starterWorkflow(action: string, starting: Starting | null = null): string {
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
${starting ? `      - run: ${JSON.stringify(starting.install)}\n` : ""}      - uses: ${action}@v0
        with:
          config: ./service.config.ts
${starting ? `          start: ${JSON.stringify(starting.start)}\n` : HOW_TO_START}`;
}
