import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type {
  BaselineEntry,
  BaselineView,
  ScreenshotEntry,
} from "../../../shared/contracts/runs/baselines.ts";
import type { ProjectView } from "../../../shared/contracts/runs/projects.ts";
import type { Links } from "../../../shared/links/links.ts";
import { branchOrPullRequestOf } from "../baselines/scope.rule.ts";
import { isMinorChange } from "../reviews/reviewable.rule.ts";
import type { StoredAppearance, StoredBaseline, StoredProject } from "./history.store.ts";

/** Returns an approval as in the response of `GET /v1/baselines`. */
export function viewOfBaseline(baseline: StoredBaseline, teamId: string, links: Links): BaselineView {
  const { id, project, width, height, browser, hash, restoredBy, restoredAt } = baseline;
  return {
    ...{ id, project, ...pickPage(baseline), width, height, browser },
    ...branchOrPullRequestOf(baseline.scope),
    commit: baseline.commit,
    inForce: baseline.isCurrent,
    removed: hash === null,
    image: hash === null ? null : links.image(teamId, hash),
    runId: baseline.runId,
    screenshotId: baseline.screenshotId,
    runKept: baseline.runKept,
    approvedBy: baseline.approvers,
    approvedAt: baseline.approvedAt.toISOString(),
    carriedFrom: baseline.originRunId,
    restored:
      restoredBy === null || restoredAt === null ? null : { by: restoredBy, at: restoredAt.toISOString() },
  };
}

/** Returns an approval as in the response of `GET /v1/baselines/history`. */
export function entryOfBaseline(baseline: StoredBaseline, teamId: string, links: Links): BaselineEntry {
  const { hash, beforeHash, maskHash, diffRatio, regions, beforeWidth, beforeHeight } = baseline;
  const link = (image: string | null) => (image === null ? null : links.image(teamId, image));
  const images = { current: link(hash), baseline: link(beforeHash), diff: link(maskHash) };
  const size = { width: beforeWidth, height: beforeHeight };
  return {
    ...viewOfBaseline(baseline, teamId, links),
    change: beforeHash === null ? null : { diffRatio, regions: regions ?? [], ...size, images },
  };
}

/** Returns a page in one run as in the response of `GET /v1/screenshots`. */
export function entryOfAppearance(
  screenshot: StoredAppearance,
  teamId: string,
  links: Links,
): ScreenshotEntry {
  const { scope, hash, at, timings, diffPixels, faintPixels, ...facts } = screenshot;
  return {
    ...facts,
    minor: isMinorChange({ status: screenshot.status, diffPixels, faintPixels }),
    ...branchOrPullRequestOf(scope),
    at: at.toISOString(),
    image: hash === null ? null : links.image(teamId, hash),
    timings: timings && roundTimings(timings),
  };
}

function roundTimings(timings: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([step, ms]) => [step, Math.round(ms)]));
}

/** Returns a project as in the response of `GET /v1/projects`. */
export function viewOfProject({ scopes, createdAt, ...project }: StoredProject): ProjectView {
  const sources = scopes.map(branchOrPullRequestOf);
  return {
    ...project,
    createdAt: createdAt.toISOString(),
    branches: sources.flatMap(({ branch }) => branch ?? []),
    pullRequests: sources.flatMap(({ pr }) => pr ?? []).sort((one, other) => other - one),
  };
}
