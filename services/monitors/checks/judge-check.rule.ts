import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { CheckOutcomeName, LookState } from "../../../shared/contracts/monitors/monitors.ts";
import type { ScreenshotOutcome } from "../../../shared/contracts/runs/run-outcomes.ts";
import { CHECK_REASONS } from "../texts.ts";

/** Once to see it, once to confirm it, and once more where the second look saw something else that is wrong. */
const MOST_LOOKS = 3;
/** Pages named in a reason. */
const NAMED = 3;

/** What one run saw of a page at a width. */
export interface Look {
  route: string;
  viewport: number;
  state: LookState;
  /** 0–1; null where nothing was compared. */
  ratio: number | null;
  /** Of a page that failed. */
  reason: string | null;
  /** Whether its baseline was captured by renderers that draw differently; absent from checks of earlier versions. */
  isOtherRenderer?: boolean;
  /** Whether the page is to blame for that, and not this service. */
  pageFailed: boolean;
  images: Regression["images"];
  runId: string;
  screenshotId: string;
}

/** How far a page at a width is from its baseline. */
export interface Drift {
  route: string;
  viewport: number;
  ratio: number | null;
  state: LookState;
  /** Only true of what looks different, and only where it may come from how it was drawn. */
  isOtherRenderer?: boolean;
}

/** What a check found. */
export interface Verdict {
  outcome: CheckOutcomeName;
  error: string | null;
  drift: Drift[];
  regressions: Regression[];
  /** The pages that do not answer. */
  downRoutes: string[];
  /** What has no baseline yet, and is to become it. */
  establish: Look[];
}

/** What a run's screenshot says of its page. */
export function lookOf(runId: string, screenshot: ScreenshotOutcome): Look {
  const {
    id: screenshotId,
    route,
    viewport,
    diffRatio: ratio,
    error,
    blame,
    images,
    isOtherRenderer,
  } = screenshot;
  const state = stateOf(screenshot.status);
  const pageFailed = state === "failed" && blame === "page";
  const facts = { route, viewport, state, ratio, reason: error, pageFailed, images, runId, screenshotId };
  return { ...facts, ...(isOtherRenderer && { isOtherRenderer }) };
}

function stateOf(status: ScreenshotOutcome["status"]): LookState {
  if (status === "unchanged") return "ok";
  return status === "new" || status === "changed" ? status : "failed";
}

/**
 * The pages to look at again before anything is said of them: those that were not fine just now, and not in the same
 * way the time before. With them goes all that looks different, so that the last run shows the whole of it and nothing
 * else: that is the one to approve. @param looks what each run saw, the first of all pages, each other one of those
 * named here
 */
export function doubtful(looks: Look[][]): Look[] {
  if (looks.length >= MOST_LOOKS) return [];
  const pages = [...byPage(looks).values()];
  if (!pages.some(isUnconfirmed)) return [];
  return pages.flatMap(seen => {
    const last = seen.at(-1);
    return last && (isUnconfirmed(seen) || last.state === "changed") ? [last] : [];
  });
}

function isUnconfirmed(seen: Look[]): boolean {
  const [before, last] = [seen.at(-2), seen.at(-1)];
  return last !== undefined && isBad(last) && !(before && isSameFailure(before, last));
}

/** A page that failed is something else than one that this service could not look at. */
function isSameFailure(one: Look, other: Look): boolean {
  return one.state === other.state && one.pageFailed === other.pageFailed;
}

/**
 * What the looks come to: of each page the last one counts, which is fine, or confirms the one before. A site that
 * does not answer outdoes one that looks different; what this service could not do says nothing of the site.
 */
export function judge(looks: Look[][]): Verdict {
  const last = [...byPage(looks).values()].flatMap(lastOf);
  const drift = last.map(driftOf);
  const establish = last.filter(look => look.state === "new");
  const changed = last.filter(look => look.state === "changed");
  const down = last.filter(look => look.state === "failed" && look.pageFailed);
  const failed = last.filter(look => look.state === "failed" && !look.pageFailed);
  const downRoutes = [...new Set(down.map(({ route }) => route))];
  const verdict = { error: null, drift, regressions: changed.map(regressionOf), downRoutes, establish };
  if (down.length > 0) return { ...verdict, outcome: "down", error: reasonsOf(down) };
  if (changed.length > 0) return { ...verdict, outcome: "changed" };
  if (failed.length > 0) return { ...verdict, outcome: "failed", error: reasonsOf(failed) };
  return { ...verdict, outcome: establish.length > 0 ? "established" : "ok" };
}

/** Whether all that looked different is approved among these. */
export function coversChange(drift: Drift[], screenshots: ScreenshotOutcome[]): boolean {
  const approved = new Set(screenshots.filter(({ review }) => review === "approved").map(positionOf));
  return drift.every(page => page.state !== "changed" || approved.has(positionOf(page)));
}

/** What is wrong in a way that the looks before did not see was seen once only: that says nothing of the site yet. */
function lastOf(seen: Look[]): Look[] {
  const [last, ...before] = seen.toReversed();
  if (!last) return [];
  const isOnce = isBad(last) && !before.some(look => isSameFailure(look, last));
  const reason = last.reason ?? CHECK_REASONS.unconfirmed;
  return [isOnce ? { ...last, state: "failed", pageFailed: false, reason } : last];
}

/**
 * What a check comes to whose first looks were rejected: nothing can be said of those pages, and of a site with such
 * pages not that all is well.
 */
export function withhold(verdict: Verdict, rejected: Look[]): Verdict {
  if (rejected.length === 0 || verdict.outcome === "down") return verdict;
  const named = rejected.slice(0, NAMED).map(({ route, viewport }) => CHECK_REASONS.page(route, viewport));
  const why = CHECK_REASONS.rejected(named, rejected.length - named.length);
  const error = verdict.error === null ? why : `${verdict.error} ${why}`;
  return { ...verdict, error, outcome: verdict.outcome === "changed" ? "changed" : "failed" };
}

function byPage(looks: Look[][]): Map<string, Look[]> {
  return Map.groupBy(looks.flat(), positionOf);
}

function positionOf({ viewport, route }: Pick<Look, "viewport" | "route">): string {
  return `${viewport} ${route}`;
}

function isBad({ state }: Look): boolean {
  return state === "changed" || state === "failed";
}

function driftOf(look: Look): Drift {
  const { route, viewport, ratio, state } = look;
  return { route, viewport, ratio, state, ...(state === "changed" && noteOf(look)) };
}

function regressionOf(look: Look): Regression {
  const { route, viewport, ratio, images } = look;
  return { route, viewport, diffRatio: ratio ?? 1, images, ...noteOf(look) };
}

function noteOf({ isOtherRenderer = false }: Look): { isOtherRenderer?: true } {
  return isOtherRenderer ? { isOtherRenderer } : {};
}

/** The reasons, each once, of the first few. */
function reasonsOf(failed: Look[]): string {
  const reasons = [...new Set(failed.map(({ reason }) => reason ?? CHECK_REASONS.notRendered))];
  const named = reasons.slice(0, NAMED).join(" ");
  return reasons.length > NAMED ? CHECK_REASONS.more(named, reasons.length - NAMED) : named;
}
