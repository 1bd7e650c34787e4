/** `npm run demo`, without the texts of the sample site. */
import { count, figure } from "../../shared/text/format.ts";

export const DEMO_TEXTS = {
  help: `Usage: npm run demo -- [options]

Starts the service with a sample site, and shows how it finds changes. Uses port 4400, or another if it is taken.

Options:
  --exit  exit after the comparison, with 0 if exactly the expected changes were found
  --help  show this help`,
  intro: "This demo captures a sample site, changes it, and captures it again.\n",
  failed: "The demo failed.",
  removeFolder: "Remove .service/demo, and try again.",
  log: (file: string) => `Log of the service: ${file}`,
  steps: {
    start: "Start",
    first: "First version",
    approve: "Approve",
    second: "Second version",
  },
  started: (service: string, site: string) => `service at ${service}, site at ${site}`,
  approved: (screenshots: number) => `${count(screenshots, "screenshot")} approved as baselines`,
  progress: (captured: number, total: number, compared: number) =>
    `${figure(captured)} of ${figure(total)} captured, ${figure(compared)} compared`,
  captured: (screenshots: number, counts: string) => `${count(screenshots, "screenshot")}, ${counts}`,
  endedAs: (status: string) => `The run has the status ${status}.`,
  failure: (route: string, viewport: number, more: number, error: string | null) =>
    `${route} at ${viewport} px${more > 0 ? ` and ${figure(more)} more` : ""}: ${error}`,
  asExpected: (tally: string) => `${tally}, as expected`,
  unexpected: (tally: string, failures: readonly string[]) => `${tally}. ${failures.join(". ")}.`,
  missed: (page: string, found: number, expected: number) =>
    `${page}: found ${figure(found)} of at least ${count(expected, "change")}`,
  surplus: (page: string) => `${page}: unexpected change`,
  /** After the comparison. */
  changes: "The new version has these changes:",
  reports: "Reports (no sign-in needed)",
  firstReport: "first version",
  secondReport: "second version",
  dashboard: "Dashboard",
  api: "Docs",
  apiKey: "API key",
  apiKeyUse: "(also signs you in to the dashboard)",
  request: "Try",
  stop: "Press Ctrl+C to stop the demo.",
  noPort: "There is no free port.",
  serviceEnded: (how: string) => `The service stopped unexpectedly (${how}).`,
  exitCode: (code: number | null) => `exit code ${code}`,
  notReady: (seconds: number) => `The service wasn't ready after ${figure(seconds)} s.`,
  siteHasNoPort: "The sample site has no TCP port.",
  noSuchPage: "There is no such page.\n",
  notInSource: (file: string, text: string) => `${file} doesn't contain “${text}”.`,
  siteFailed: (path: string) => `The sample site failed at ${path}:`,
};
