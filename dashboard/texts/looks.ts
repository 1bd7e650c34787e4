import { number, plural } from "./format.ts";

/** Texts of a monitor's time-lapse. */
export const looksTexts = {
  title: "Time-lapse",
  about: "How the page changed over time. Each version has its own screenshot.",
  page: "Page",
  subject: "the time-lapse",
  empty: "No versions yet. The first one appears after the next check of this page.",
  play: "Play",
  pause: "Pause",
  previous: "Previous version",
  next: "Next version",
  position: (at: number, of: number) => `${number(at)} of ${plural(of, "version")}`,
  looks: "Versions of the page",
  lookOf: (page: string, since: string) => `${page}, since ${since}`,
  fromTo: "{from} to {until}",
  fromNow: "Since {from}",
  checks: (checks: number) => `seen in ${plural(checks, "check")}`,
  first: "The first version of this page.",
  comparing: "Comparing with the previous version…",
  failed: "It could not be compared with the previous version.",
  unknown: "The cause of the change is unknown.",
  thirdParty: "Third-party file: {url}",
  commit: "Same pixels as {commit} on {branch}",
  pullRequest: "a pull request",
  compare: "Compare with previous version",
  openRun: "Open run",
} as const;
