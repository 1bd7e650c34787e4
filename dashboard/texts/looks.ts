import { number, plural } from "./format.ts";

/** Texts of a monitor's time-lapse. */
export const looksTexts = {
  title: "Time-lapse",
  about: "How the page has looked over time. Each look has its own screenshot.",
  page: "Page",
  subject: "the time-lapse",
  empty: "No looks yet. The first one appears after the next check of this page.",
  play: "Play",
  pause: "Pause",
  previous: "Previous look",
  next: "Next look",
  position: (at: number, of: number) => `${number(at)} of ${plural(of, "look")}`,
  looks: "Looks of the page",
  lookOf: (page: string, since: string) => `${page}, since ${since}`,
  fromTo: "{from} to {until}",
  fromNow: "Since {from}",
  checks: (checks: number) => `seen in ${plural(checks, "check")}`,
  first: "The first look of this page.",
  comparing: "Comparing with the look before…",
  failed: "It could not be compared with the look before.",
  unknown: "The cause of the change is unknown.",
  thirdParty: "Third-party file: {url}",
  commit: "Same pixels as {commit} on {branch}",
  pullRequest: "a pull request",
  compare: "Compare with the look before",
  openRun: "Open run",
} as const;
