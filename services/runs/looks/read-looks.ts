import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import type { Look, LooksQuery, LooksView } from "../../../shared/contracts/comparisons/looks.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { branchOrPullRequestOf } from "../baselines/scope.rule.ts";
import { compareImages, type ImagePair, pairId } from "../comparisons/compare-images.ts";
import type { StoredPair } from "../comparisons/pair.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { listLooks, type StoredLook } from "./look.store.ts";
import { thirdPartiesOf } from "./third-parties.rule.ts";

/** Returns the looks of a page, each with its difference from the one before. Queues comparisons that are missing. */
export async function readLooks(
  context: RunsContext,
  { teamId }: Caller,
  { project, site, query }: { project: string; site: string; query: LooksQuery },
): Promise<LooksView> {
  const stored = await listLooks(context.em(), { teamId, project }, query);
  const images = new Map<string, ImagePair>();
  const ids = stored.map((look, index) => {
    const before = stored[index - 1];
    if (!before) return null;
    const pair = imagesOf(before, look);
    const id = pairId(pair);
    images.set(id, pair);
    return id;
  });
  const found = await compareImages(context, teamId, images);
  const looks = stored.map((look, index): Look => {
    const id = ids[index] ?? null;
    const change = id === null ? null : changeOf(context, teamId, found.get(id), site);
    return viewOfLook(context, teamId, { look, until: stored[index + 1]?.cameAt ?? null, change });
  });
  const isComparing = looks.some(({ change }) => change?.status === "comparing");
  return { ...pickPage(query), status: isComparing ? "comparing" : "completed", looks };
}

function imagesOf(before: StoredLook, look: StoredLook): ImagePair {
  return {
    ...{ baseHash: before.hash, headHash: look.hash },
    ...{ baseCapsule: before.capsuleHash, headCapsule: look.capsuleHash },
    ...{ colorThreshold: null, ignoreRegions: [] },
  };
}

function changeOf(
  { links }: RunsContext,
  teamId: string,
  pair: StoredPair | undefined,
  site: string,
): Look["change"] {
  const {
    diffRatio = null,
    diffPixels = null,
    faintPixels = 0,
    regions = [],
    maskHash = null,
    explanation = null,
  } = pair ?? {};
  return {
    status: statusOf(pair),
    ...{ diffRatio, diffPixels, faintPixels, regions, explanation },
    diff: maskHash === null ? null : links.image(teamId, maskHash),
    thirdParties: thirdPartiesOf(explanation, site),
  };
}

function statusOf(pair: StoredPair | undefined): "comparing" | "compared" | "failed" {
  if (pair?.error) return "failed";
  return pair?.comparedAt ? "compared" : "comparing";
}

function viewOfLook(
  { links }: RunsContext,
  teamId: string,
  { look, until, change }: { look: StoredLook; until: Date | null; change: Look["change"] },
): Look {
  const { id, hash, checks, checkId, runId, width, height, commit } = look;
  return {
    ...{ id, hash, checks, checkId, runId, width, height, change },
    from: look.cameAt.toISOString(),
    until: until?.toISOString() ?? null,
    seenAt: look.seenAt.toISOString(),
    image: links.image(teamId, hash),
    commit: commit && {
      ...{ project: commit.project, sha: commit.sha, runId: commit.runId },
      branch: branchOrPullRequestOf(commit.scope).branch,
    },
  };
}
