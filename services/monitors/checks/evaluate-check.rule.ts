import {
  confirmProblem,
  MAX_ATTEMPTS,
  type PageProblem,
} from "../../../shared/alerts/confirm-problem.rule.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { keyOf, pageName, type ScreenshotKey } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { SeenPage } from "../../../shared/contracts/comparisons/looks.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { CheckOutcomeName, PageState } from "../../../shared/contracts/monitors/checks.ts";
import type { ScreenshotOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { CHECK_REASONS } from "../texts.ts";
import { agreeOnPages, type RegionRule, ruleOf, type Seen, type Verdict } from "./agree-on-page.rule.ts";

/** Pages and reasons that an error message names. */
const MAX_NAMED_PAGES = 3;

/** A page as a check stores it. There, `state` is the result. Checks of earlier versions lack the optional fields. */
interface CheckedPage {
  route: string;
  /** State that a step captured. Null for the page's own screenshot. */
  stateName?: string | null;
  environment?: string | null;
  /** Region that captured it. Its name is part of the environment. */
  region?: string;
  viewport: number;
}

/** The result of one attempt for a page. Stored with the check, so its keys don't change. */
export interface PageResult extends CheckedPage {
  state: PageState;
  /** Set if its region captured nothing and has no renderer, so that another attempt would only wait for one. */
  isRegionAway?: true;
  /** Share of changed pixels, 0–1. Null if nothing was compared. */
  ratio: number | null;
  /** Pixels with a slightly different color, if no others changed. Missing for none. */
  faintPixels?: number;
  /** Why the page failed. */
  reason: string | null;
  /** Whether renderers that draw differently captured the baseline. Missing in checks of earlier versions. */
  isOtherRenderer?: boolean;
  /** Why it changed, in words. Missing if unknown. */
  cause?: string;
  /** Time to the first byte of its document, ms. Missing in checks of earlier versions. */
  responseMs?: number | null;
  /** Whether the page caused the failure, and not this service. */
  pageFailed: boolean;
  images: Regression["images"];
  runId: string;
  screenshotId: string;
}

/** The difference of a page from its baseline. */
export interface Drift extends CheckedPage {
  ratio: number | null;
  /** Pixels with a slightly different color, if no others changed. Missing for none. */
  faintPixels?: number;
  state: PageState;
  /** Set if the page doesn't respond. Missing in checks of earlier versions. */
  isDown?: true;
  /** Set only for changed pages whose difference may come from the renderer. */
  isOtherRenderer?: boolean;
}

/** The result of a check. */
export interface CheckResult {
  outcome: CheckOutcomeName;
  error: string | null;
  drift: Drift[];
  regressions: Regression[];
  /** Routes that don't respond. */
  downRoutes: string[];
  /** New pages whose screenshots become their baselines. */
  establish: PageResult[];
}

/** Returns the result of a page from a run's screenshot. */
export function pageResultOf(runId: string, screenshot: ScreenshotOutcome): PageResult {
  const { id: screenshotId, diffRatio: ratio, error, blame, images, isOtherRenderer, cause } = screenshot;
  const { responseMs, isRegionAway = false, faintPixels } = screenshot;
  const state = stateOf(screenshot.status);
  const pageFailed = state === "failed" && blame === "page";
  const facts = {
    ...checkedPageOf(screenshot, screenshot.region ?? undefined),
    state,
    ...(isRegionAway && state === "failed" && !pageFailed && { isRegionAway }),
    ratio,
    ...(faintPixels !== undefined && { faintPixels }),
    reason: error,
    pageFailed,
    responseMs,
    images,
    runId,
    screenshotId,
  };
  return { ...facts, ...(isOtherRenderer && { isOtherRenderer }), ...(cause !== null && { cause }) };
}

function stateOf(status: ScreenshotOutcome["status"]): PageState {
  if (status === "unchanged") return "ok";
  return status === "new" || status === "changed" ? status : "failed";
}

/**
 * Returns the pages that another attempt must cover before the check can end. These are pages with a problem that
 * the attempt before did not find. All changed pages go with them, so that the last run shows every change and
 * nothing else. Reviewers approve that run. A region without a renderer isn't asked again, because each attempt would
 * wait for one.
 * @param attempts the results of each run. The first run covers all pages, and each later one the pages returned
 * here
 */
export function pagesToConfirm(attempts: PageResult[][]): PageResult[] {
  if (attempts.length >= MAX_ATTEMPTS) return [];
  const pages = [...byPage(attempts).values()];
  const needsRetry = (results: PageResult[]) =>
    confirmProblem(results.map(problemOf), attempts.length) === "retry" && !results.at(-1)?.isRegionAway;
  if (!pages.some(needsRetry)) return [];
  return pages.flatMap(results => {
    const last = results.at(-1);
    return last && (needsRetry(results) || last.state === "changed") ? [last] : [];
  });
}

function problemOf({ state, pageFailed }: PageResult): PageProblem | null {
  if (state === "failed") return pageFailed ? "down" : "uncaptured";
  return state === "changed" ? state : null;
}

/**
 * Returns the check's result from the last confirmed result of each page. With regions, enough of them must agree on a
 * page. A site that is down outweighs changed pages. A failure of this service says nothing about the site.
 */
export function evaluateCheck(attempts: PageResult[][], rule: RegionRule = ruleOf({})): CheckResult {
  const last = [...byPage(attempts).values()].flatMap(results => finalOf(results, attempts.length));
  const drift = last.map(driftOf);
  const establish = last.filter(page => page.state === "new");
  const verdicts = agreeOnPages(last, rule, seenOf);
  const decided = (kind: (typeof verdicts)[number]["kind"]) => verdicts.filter(each => each.kind === kind);
  const [changed, down] = [decided("changed"), decided("down")];
  const failed = decided("unknown").flatMap(({ by }) => by);
  const downRoutes = [...new Set(down.map(({ key }) => key.route))];
  const result = { error: null, drift, regressions: changed.flatMap(regressionOf), downRoutes, establish };
  if (down.length > 0) return { ...result, outcome: "down", error: reasonsOf(down.flatMap(({ by }) => by)) };
  if (changed.length > 0) return { ...result, outcome: "changed" };
  if (failed.length > 0) return { ...result, outcome: "failed", error: reasonsOf(failed) };
  return { ...result, outcome: establish.length > 0 ? "established" : "ok" };
}

/** Returns the screenshots that show how the pages looked: of each page, the last result if it is confirmed. */
export function capturedPages(attempts: PageResult[][]): SeenPage[] {
  const last = [...byPage(attempts).values()].flatMap(results => finalOf(results, attempts.length));
  return last
    .filter(({ state }) => state !== "failed")
    .map(({ runId, screenshotId }) => ({ runId, screenshotId }));
}

/**
 * Returns the run that people open and approve. A changed check's last run shows all its changes and nothing else,
 * and earlier runs may show unconfirmed changes. The first run of any other check has all pages.
 */
export function runToOpen({
  outcome,
  runId,
  latestRunId,
}: {
  outcome: CheckOutcomeName | null;
  runId: string;
  latestRunId: string;
}): string {
  return outcome === "changed" ? latestRunId : runId;
}

/** Returns whether reviewers approved every changed page among these screenshots. */
export function coversChange(drift: Drift[], screenshots: ScreenshotOutcome[]): boolean {
  const approved = new Set(screenshots.filter(({ review }) => review === "approved").map(keyOf));
  return drift.every(page => page.state !== "changed" || approved.has(keyOf(keyOfPage(page))));
}

/**
 * Returns a page's last result. An unconfirmed problem becomes a failed attempt, which says nothing about the
 * site.
 */
function finalOf(results: PageResult[], attempts: number): PageResult[] {
  const last = results.at(-1);
  if (!last) return [];
  const isConfirmed = confirmProblem(results.map(problemOf), attempts) === "confirmed";
  const reason = last.reason ?? CHECK_REASONS.unconfirmed;
  return [isConfirmed ? last : { ...last, state: "failed", pageFailed: false, reason }];
}

/**
 * Returns the check's result if reviewers rejected the first screenshots of some pages. Without a baseline, the
 * check can't report those pages, or that the whole site is ok.
 */
export function withRejections(result: CheckResult, rejected: PageResult[]): CheckResult {
  if (rejected.length === 0 || result.outcome === "down") return result;
  const named = rejected
    .slice(0, MAX_NAMED_PAGES)
    .map(keyOfPage)
    .map(page => CHECK_REASONS.page(pageName(page), page.viewport));
  const why = CHECK_REASONS.rejected(named, rejected.length - named.length);
  const error = result.error === null ? why : `${result.error} ${why}`;
  return { ...result, error, outcome: result.outcome === "changed" ? "changed" : "failed" };
}

function byPage(attempts: PageResult[][]): Map<string, PageResult[]> {
  return Map.groupBy(attempts.flat(), page => keyOf(keyOfPage(page)));
}

/** Returns the page of a result. */
export function keyOfPage({ stateName, ...page }: Omit<CheckedPage, "region">): ScreenshotKey {
  return pickPage({ ...page, state: stateName ?? null });
}

/** Returns what a region saw of a page. */
export function seenOf(page: Drift | PageResult): Seen {
  const isDown = "isDown" in page ? page.isDown === true : "pageFailed" in page && isDownPage(page);
  return { key: keyOfPage(page), region: page.region ?? null, state: page.state, isDown };
}

function isDownPage({ state, pageFailed }: PageResult): boolean {
  return state === "failed" && pageFailed;
}

/** Returns a page as checks store it. */
function checkedPageOf({ route, state, environment, viewport }: ScreenshotKey, region?: string): CheckedPage {
  return {
    route,
    ...(state !== null && { stateName: state }),
    ...(environment !== null && { environment }),
    ...(region !== undefined && { region }),
    viewport,
  };
}

function driftOf(page: PageResult): Drift {
  const { ratio, state, region, faintPixels } = page;
  return {
    ...checkedPageOf(keyOfPage(page), region),
    ...{ ratio, state },
    ...(faintPixels !== undefined && { faintPixels }),
    ...(isDownPage(page) && { isDown: true as const }),
    ...(state === "changed" && rendererNote(page)),
  };
}

/** Returns a changed page, as the region with the largest difference saw it. */
function regressionOf({ key, by }: Verdict<PageResult>): Regression[] {
  const [worst] = by.toSorted((a, b) => (b.ratio ?? 1) - (a.ratio ?? 1));
  if (!worst) return [];
  const { ratio, images, cause } = worst;
  const regions = by.flatMap(({ region }) => region ?? []);
  const seen = { ...(cause !== undefined && { cause }), ...(regions.length > 0 && { regions }) };
  return [{ ...key, diffRatio: ratio ?? 1, images, ...seen, ...rendererNote(worst) }];
}

function rendererNote({ isOtherRenderer = false }: PageResult): { isOtherRenderer?: true } {
  return isOtherRenderer ? { isOtherRenderer } : {};
}

/** Joins the first few distinct reasons, each with the regions in which a page is down for it. */
function reasonsOf(failed: readonly PageResult[]): string {
  const byReason = Map.groupBy(failed, ({ reason }) => reason ?? CHECK_REASONS.notRendered);
  const reasons = [...byReason].map(([reason, pages]) => {
    const regions = [...new Set(pages.filter(isDownPage).flatMap(({ region }) => region ?? []))];
    return regions.length === 0 ? reason : CHECK_REASONS.from(regions, reason);
  });
  const named = reasons.slice(0, MAX_NAMED_PAGES).join(" ");
  return reasons.length > MAX_NAMED_PAGES
    ? CHECK_REASONS.more(named, reasons.length - MAX_NAMED_PAGES)
    : named;
}
