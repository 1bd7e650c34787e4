import { decideByRegions } from "../../../shared/contracts/capture/region.ts";
import type {
  HttpOutcome,
  HttpSettings,
  ProbeResult,
  RegionResult,
} from "../../../shared/contracts/monitors/http-checks.ts";
import { HTTP_PROBLEMS } from "../texts.ts";

/** Statuses from here on are errors. */
const FIRST_ERROR_STATUS = 400;

/** Returns what is wrong with a page, or null. */
export function problemOfPage(
  { status, ms, error, hasText }: ProbeResult,
  { maxResponseMs, requiredText }: Pick<HttpSettings, "maxResponseMs" | "requiredText">,
): string | null {
  if (error !== null || status === null) return error ?? HTTP_PROBLEMS.noResponse;
  if (status >= FIRST_ERROR_STATUS) return HTTP_PROBLEMS.status(status);
  if (requiredText !== null && hasText !== true) return HTTP_PROBLEMS.noText(requiredText);
  if (maxResponseMs !== null && ms !== null && ms > maxResponseMs)
    return HTTP_PROBLEMS.slow(ms, maxResponseMs);
  return null;
}

/** Returns the result of a region from its pages. Null stands for a region without a node. */
export function regionResultOf(region: string | null, pages: RegionResult["pages"] | null): RegionResult {
  if (pages === null) return { region, outcome: "no_node", pages: [] };
  return { region, outcome: pages.some(({ problem }) => problem !== null) ? "failing" : "ok", pages };
}

/** Decides on a check by what its regions found. */
export function evaluateHttp(regions: readonly RegionResult[], agree: number): HttpOutcome {
  return decideByRegions(
    regions.map(({ outcome }) => outcome),
    agree,
  );
}

/**
 * Returns which report is due after a check, if any. A check without an outcome changes nothing.
 * @param isAlerted null if the answer to the last report isn't known
 */
export function dueReport(outcome: HttpOutcome, isAlerted: boolean | null): "failing" | "passing" | null {
  if (outcome === "failing" && isAlerted !== true) return "failing";
  return outcome === "ok" && isAlerted !== false ? "passing" : null;
}
