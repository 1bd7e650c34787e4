/** Texts for CI services: annotations, the job summary, and the JUnit file. */
import { count, figure } from "../../shared/text/format.ts";

export const CI_TEXTS = {
  source: "vrs",
  failed: (route: string, viewport: number) => `${route} at ${viewport} px couldn't be checked`,
  status: (route: string, viewport: number, status: string) => `${route} at ${viewport} px is ${status}`,
  unstable: (route: string, viewport: number) => `${route} at ${viewport} px is unstable`,
  keptChanging: (moving: readonly string[]) => `${moving.join(", ")} kept changing.`,
  neverStable: "No two attempts gave the same screenshot.",
  approveNew: "Approve it with `vrs approve`.",
  approveRemoved: "To delete the baseline, run `vrs approve`.",
  minorChanges: (minor: number) => count(minor, "minor change"),
  minorChange: (place: string, amount: string) => `${place}: ${amount}`,
  place: (route: string, viewport: number) => `${route} at ${viewport} px`,
  moreInReport: (more: number) => `${figure(more)} more in the report`,
  more: (more: number) => `${figure(more)} more`,
  reportHasAll: "The report shows all of them.",
  moreRows: (more: number) => `The report shows ${figure(more)} more.`,
  nothingChanged: "Nothing changed",
  columns: ["Route", "Width", "Status", "Difference", ""],
  minorColumns: ["Route", "Width", "Difference"],
  environment: (tally: string, time: string, browser: string, platform: string) =>
    `${tally} in ${time}, with ${browser} on ${platform}.`,
  noBrowser: "no browser",
  summaryFailed: (why: string) => `Failed to write the summary of the job: ${why}`,
  junitMinor: (viewport: number, amount: string) => `Minor change at ${viewport} px: ${amount}`,
};
