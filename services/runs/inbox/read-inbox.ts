import type { Inbox, InboxItem, InboxQuery } from "../../../shared/contracts/reviews/inbox.ts";
import type { AssignedReviewer } from "../../../shared/contracts/reviews/reviewers.ts";
import { type Caller, countsAs } from "../../../shared/contracts/teams/caller.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { findReviewers } from "../people/reviewer.store.ts";
import { viewOfRun } from "../queries/present-run.ts";
import type { Run } from "../run.entity.ts";
import { findRuns, tallyRuns } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { codeHostLinks } from "./code-host-links.rule.ts";
import {
  countInboxRuns,
  findAssigned,
  findInboxRuns,
  findOpenScreenshots,
  findSuperseded,
  findWaitingMentions,
  type OpenScreenshot,
  type WaitingMention,
} from "./inbox.store.ts";

const SHOWN_REGIONS = 5;

/** Returns what waits for the caller, newest first. @throws ServiceError for an invalid cursor */
export async function readInbox(
  context: RunsContext,
  caller: Caller,
  { query: { filter, project, limit, cursor } }: { query: InboxQuery },
): Promise<Inbox> {
  const em = context.em();
  const owner = { teamId: caller.teamId, me: countsAs(caller) };
  const list = `inbox ${filter} ${project ?? ""}`;
  const before = decodeCursor(list, cursor);
  const page = { filter, limit, ...(project !== undefined && { project }), ...(before && { before }) };
  const ids = await findInboxRuns(em, owner, page);
  const items = await itemsOf(context, owner.me, ids);
  const counts = {
    mine: await countInboxRuns(em, owner, "mine"),
    all: await countInboxRuns(em, owner, "all"),
    mentions: await countInboxRuns(em, owner, "mentions"),
  };
  const rows = items.map(item => ({ id: item.run.id, item }));
  return { ...pageOf(list, rows, limit, ({ item }) => item), counts };
}

async function itemsOf(context: RunsContext, me: string, ids: string[]): Promise<InboxItem[]> {
  if (ids.length === 0) return [];
  const em = context.em();
  const runs = (await findRuns(em, ids)).toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const tallies = await tallyRuns(em, runs);
  const reviewers = await findReviewers(em, ids);
  const assigned = await findAssigned(em, me, ids);
  const superseded = await findSuperseded(em, ids);
  const screenshots = Map.groupBy(await findOpenScreenshots(em, ids), ({ runId }) => runId);
  const mentions = Map.groupBy(await findWaitingMentions(em, me, ids), ({ runId }) => runId);
  return runs.map(run => ({
    run: viewOfRun(run, tallies.get(run.id) ?? NO_TALLY, context.links),
    isAssigned: assigned.has(run.id),
    superseded: superseded.get(run.id) ?? [],
    ...detailsOf(context, run, {
      screenshots: screenshots.get(run.id) ?? [],
      mentions: mentions.get(run.id) ?? [],
      reviewers: reviewers.get(run.id) ?? [],
    }),
  }));
}

interface Found {
  screenshots: OpenScreenshot[];
  mentions: WaitingMention[];
  reviewers: AssignedReviewer[];
}

function detailsOf(context: RunsContext, run: Run, { screenshots, mentions, reviewers }: Found) {
  const { scm } = run;
  return {
    open: screenshots[0]?.open ?? 0,
    reviewers,
    screenshots: screenshots.map(screenshot => viewOfOpen(context, run, screenshot)),
    mentions: mentions.map(({ runId: _runId, at, ...mention }) => ({
      ...mention,
      at: new Date(at).toISOString(),
    })),
    commit: {
      message: scm?.message ?? null,
      author: scm?.author ?? null,
      links: codeHostLinks(context.codeHostUrl, scm, run.branch),
    },
  };
}

function viewOfOpen({ links }: RunsContext, run: Run, screenshot: OpenScreenshot) {
  const { id, route, state, environment, viewport, status, diffRatio, regions } = screenshot;
  const isRemoved = status === "removed";
  const hash = isRemoved ? screenshot.baselineHash : screenshot.hash;
  return {
    ...{ id, route, viewport, status, diffRatio },
    ...{ state: state || null, environment: environment || null },
    width: isRemoved ? screenshot.baselineWidth : screenshot.width,
    height: isRemoved ? screenshot.baselineHeight : screenshot.height,
    image: hash === null ? null : links.image(run.teamId, hash, run),
    regions: regions.slice(0, SHOWN_REGIONS),
  };
}
