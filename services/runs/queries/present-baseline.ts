import type {
  BaselineEntry,
  BaselineView,
  ProjectView,
  ScreenshotEntry,
} from "../../../shared/contracts/runs/baselines.ts";
import type { Links } from "../../../shared/links/links.ts";
import { placeOfScope } from "../baselines/scope.rule.ts";
import { isMinorChange } from "../reviews/reviewable.rule.ts";
import type { StoredAppearance, StoredBaseline, StoredProject } from "./history.store.ts";

/** An approval as `GET /v1/baselines` answers it. */
export function viewOfBaseline(baseline: StoredBaseline, teamId: string, links: Links): BaselineView {
  const { id, project, route, viewport, width, height, browser, hash, restoredBy, restoredAt } = baseline;
  return {
    ...{ id, project, route, viewport, width, height, browser },
    ...placeOfScope(baseline.scope),
    commit: baseline.commit,
    inForce: baseline.inForce,
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

/** An approval as `GET /v1/baselines/history` answers it. */
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

/** A page in one run as `GET /v1/screenshots` answers it. */
export function entryOfAppearance(shot: StoredAppearance, teamId: string, links: Links): ScreenshotEntry {
  const { scope, hash, at, timings, diffPixels, ...facts } = shot;
  return {
    ...facts,
    minor: isMinorChange({ status: shot.status, diffPixels }),
    ...placeOfScope(scope),
    at: at.toISOString(),
    image: hash === null ? null : links.image(teamId, hash),
    timings: timings && inWholeMs(timings),
  };
}

function inWholeMs(timings: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(timings).map(([step, ms]) => [step, Math.round(ms)]));
}

/** A project as `GET /v1/projects` answers it. */
export function viewOfProject({ scopes, createdAt, ...project }: StoredProject): ProjectView {
  const places = scopes.map(placeOfScope);
  return {
    ...project,
    createdAt: createdAt.toISOString(),
    branches: places.flatMap(({ branch }) => branch ?? []),
    pullRequests: places.flatMap(({ pr }) => pr ?? []).sort((one, other) => other - one),
  };
}
