/** Texts for CI services: annotations, the job summary, and the JUnit file. */
import type { ScreenshotKey } from "../../shared/contracts/capture/screenshot-key.ts";
import { count, figure } from "../../shared/text/format.ts";

export const CI_TEXTS = {
  source: "vrs",
  failed: (page: string, viewport: number) => `${page} at ${viewport} px couldn't be checked`,
  status: (page: string, viewport: number, status: string) => `${page} at ${viewport} px is ${status}`,
  unstable: (page: string, viewport: number) => `${page} at ${viewport} px is unstable`,
  keptChanging: (moving: readonly string[]) => `${moving.join(", ")} kept changing.`,
  neverStable: "No two attempts gave the same screenshot.",
  approveNew: "Approve it with `vrs approve`.",
  approveRemoved: "To delete the baseline, run `vrs approve`.",
  minorChanges: (minor: number) => count(minor, "minor change"),
  minorChange: (place: string, amount: string) => `${place}: ${amount}`,
  place: (page: string, viewport: number) => `${page} at ${viewport} px`,
  moreInReport: (more: number) => `${figure(more)} more in the report`,
  more: (more: number) => `${figure(more)} more`,
  reportHasAll: "The report shows all of them.",
  moreRows: (more: number) => `The report shows ${figure(more)} more.`,
  nothingChanged: "Nothing changed",
  columns: (isOfPages: boolean) => [isOfPages ? "Route" : "Name", "Width", "Status", "Difference", ""],
  minorColumns: (isOfPages: boolean) => [isOfPages ? "Route" : "Name", "Width", "Difference"],
  environment: (tally: string, time: string, browser: string, platform: string) =>
    `${tally} in ${time}, with ${browser} on ${platform}.`,
  noBrowser: "no browser",
  summaryFailed: (why: string) => `Failed to write the summary of the job: ${why}`,
  /** A test in the suite of its route. */
  junitTest: ({ state, environment, viewport }: ScreenshotKey) =>
    [state, environment, `${viewport} px`].filter(part => part !== null).join(" · "),
  junitMinor: (test: string, amount: string) => `Minor change at ${test}: ${amount}`,
};
