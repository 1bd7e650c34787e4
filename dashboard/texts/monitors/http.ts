import type {
  HttpOutcome,
  HttpResult,
  HttpSettings,
  RegionResult,
} from "../../../shared/contracts/monitors/http-checks.ts";
import { listed } from "../../../shared/text/format.ts";
import { number, plural } from "../format.ts";

const outcomes: Record<HttpOutcome, string> = { ok: "Passes", failing: "Fails", unknown: "Unknown" };
const regionOutcomes: Record<RegionResult["outcome"], string> = {
  ok: "passes",
  failing: "fails",
  no_node: "was not checked",
};

/** Texts of the HTTP check of a monitor. */
export const httpTexts = {
  title: "HTTP check",
  thing: "HTTP checks",
  none: "The first HTTP check has no result yet.",
  latest: "Latest HTTP checks",
  byRegion: "Last HTTP check by region",
  outcomes,
  regionOutcomes,
  since: "since",
  anyRegion: "Any node",
  about: ({ maxResponseMs, requiredText, regions, agree }: HttpSettings) =>
    [
      "Requests the pages without a browser. It fails at a status of 400 or above.",
      maxResponseMs === null ? "" : `The limit for a response is ${number(maxResponseMs)} ms.`,
      requiredText === null ? "" : `Each page must contain “${requiredText}”.`,
      regions.length === 0
        ? ""
        : `${plural(agree, "region")} of ${listed(regions)} must find a problem to alert.`,
    ]
      .filter(sentence => sentence !== "")
      .join(" "),
  noNode: (region: string) => `No renderer node of ${region === "" ? "this service" : region} responds.`,
  problem: (route: string, problem: string, others: number) =>
    others === 0 ? `${route}: ${problem}` : `${route}: ${problem} ${plural(others, "more page")}.`,
  slowest: (ms: number) => `${number(ms)} ms`,
  result: (time: string, { outcome, regions }: HttpResult) =>
    `${time}: ${outcomes[outcome]} (${regions
      .map(({ region, outcome: own }) => `${region ?? "any node"} ${regionOutcomes[own]}`)
      .join(", ")})`,

  turnOn: "Check status and response time",
  turnOnHint:
    "Requests each page without a browser at the same interval. Problems have an incident of their own.",
  maxResponse: "Response time limit (ms)",
  maxResponseHint: "Leave empty for no limit.",
  requiredText: "Required text",
  requiredTextHint: "Each page must contain it in its HTML. Leave empty for none.",
  regions: "Regions",
  regionsExample: "eu-west, us-east",
  regionsHint: "Separated by commas, as operators label renderer nodes. Leave empty to check from any node.",
  agree: "Regions that must agree",
  agreeHint: "The monitor alerts if this many regions find a problem.",
} as const;
