import { z } from "zod";
import { isOfFork, loginOf } from "../../code-host/bitbucket/bitbucket-api.ts";
import type { RepositoryHost } from "../../code-host/code-host.ts";
import { orMissing } from "../../code-host/token-responses.ts";
import { followPull, type PullAction } from "../../pull-requests/follow-pull.ts";
import { findPull } from "../../pull-requests/pull.store.ts";
import { EVENT_REASONS } from "../../texts/events.ts";
import { notTriggered } from "../answer.ts";
import { words } from "../events/event.ts";
import { bitbucketEvent, eventAccount, onBitbucketEvent, uuid } from "./repository-event.ts";

/** The start of a SHA. */
const hash = z
  .string()
  .regex(/^[0-9a-f]{7,64}$/i)
  .toLowerCase();
const commit = z.object({ hash });
const end = z.object({
  branch: z.object({ name: words(255) }),
  repository: z.object({ uuid }).nullish(),
});

const pullRequestEvent = bitbucketEvent.extend({
  pullrequest: z.object({
    id: z.int32().positive(),
    state: words(100),
    updated_on: z.iso.datetime({ offset: true }).nullish(),
    author: eventAccount,
    source: end.extend({ commit }),
    destination: end,
    /** After the merge: the commit of the destination. */
    merge_commit: commit.nullish().catch(null),
  }),
});

/** What happened, by the state of the pull request. The header with the event's name is not signed. */
const ACTIONS: ReadonlyMap<string, PullAction> = new Map([
  ["OPEN", "updated"],
  ["MERGED", "merged"],
  ["DECLINED", "closed"],
  ["SUPERSEDED", "closed"],
]);

/** Handles a pull request. Reads what its event lacks: whole SHAs, and the repository's default branch. */
export const pullRequest = onBitbucketEvent(
  pullRequestEvent,
  async (context, event, { connection, commitAt }) => {
    const { source, destination, ...pull } = event.pullrequest;
    const action = ACTIONS.get(pull.state);
    if (!action) return notTriggered(EVENT_REASONS.ignoredAction(pull.state));
    const start = source.commit.hash;
    const before = await findPull(context.em(), connection.id, pull.id);
    const repository = await context.host.repository(commitAt(start));
    const [sha, mergeSha, { defaultBranch }] = await Promise.all([
      before?.sha.startsWith(start) ? before.sha : wholeShaOf(repository, start),
      pull.merge_commit ? wholeShaOf(repository, pull.merge_commit.hash) : null,
      repository.read(),
    ]);
    if (sha === null) return notTriggered(EVENT_REASONS.commitOfFork);
    const of = {
      commit: commitAt(sha),
      pull: {
        ...{ number: pull.id, branch: source.branch.name, base: destination.branch.name, defaultBranch },
        fromFork: isOfFork(event.pullrequest),
        author: loginOf(pull.author),
      },
      updatedAt: pull.updated_on ?? null,
    };
    return followPull(context, action, of, mergeSha);
  },
);

/** Returns the whole SHA of a commit, or null if the repository has none. */
async function wholeShaOf({ wholeSha }: RepositoryHost, start: string): Promise<string | null> {
  return wholeSha === null ? start : orMissing(wholeSha(start));
}
