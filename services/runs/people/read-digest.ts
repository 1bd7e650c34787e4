import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { DigestComment, DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import { findOpenScreenshots, needsReviewStill } from "../inbox/inbox.store.ts";
import { findRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { ACTIVITY_TEXTS } from "../texts/projects.ts";
import { type CommentOnPage, findCommentsOf, findDecisions, findLargestChanges } from "./digest.store.ts";

const SHOWN_CHANGES = 3;
const NAMED_REVIEWERS = 5;

/** Returns what a digest says about a run now. Null if the run was deleted. */
export async function readDigest(
  { em: unitOfWork }: RunsContext,
  { teamId, runId, commentIds }: { teamId: string; runId: string; commentIds: string[] },
): Promise<DigestFacts | null> {
  const em = unitOfWork();
  const run = await findRun(em, teamId, runId);
  if (!run) return null;
  const { id, project, branch, scm, conclusion } = run;
  const open = (await needsReviewStill(em, runId))
    ? ((await findOpenScreenshots(em, [runId]))[0]?.open ?? 0)
    : 0;
  const decisions = await findDecisions(em, runId, conclusion === "rejected" ? "rejected" : "approved");
  const pages = await findLargestChanges(em, runId, SHOWN_CHANGES);
  return {
    run: {
      ...{ id, project, conclusion },
      branch: scm?.branch ?? branch,
      pullRequest: scm?.pr ?? null,
      sha: scm?.sha ?? null,
      message: scm?.message ?? null,
      author: scm?.author ?? null,
    },
    open,
    regressions: pages.map(({ state, environment, diffRatio, hash, baselineHash, maskHash, ...page }) => ({
      ...page,
      ...{ state: state || null, environment: environment || null, diffRatio: diffRatio ?? 0 },
      images: { baseline: baselineHash, current: hash, diff: maskHash },
    })),
    decision: {
      by: [...new Set(decisions.map(({ by }) => by))].slice(0, NAMED_REVIEWERS),
      reason: decisions.find(({ reason }) => reason !== null)?.reason ?? null,
    },
    comments: (await findCommentsOf(em, runId, commentIds)).map(commentOf),
  };
}

function commentOf({
  id,
  by,
  text,
  screenshotId,
  route,
  state,
  environment,
  viewport,
}: CommentOnPage): DigestComment {
  if (route === null || viewport === null) return { id, by, text, screenshotId, page: null };
  const name = pageName({ route, state: state || null, environment: environment || null });
  return { id, by, text, screenshotId, page: ACTIVITY_TEXTS.page(name, viewport) };
}
