import { z } from "zod";
import type { Commit } from "../../checks/start-check.ts";
import type { PullAction, PullEvent } from "../../pull-requests/follow-pull.ts";
import { sha, words } from "./event.ts";

/** The part of a pull request that GitHub and Gitea have in common in their events. */
export const pullPayload = z.object({
  number: z.int32().positive(),
  merged: z.boolean().nullish(),
  updated_at: z.iso.datetime({ offset: true }).nullish(),
  // Only for display, so an invalid one is left out.
  user: z
    .object({ login: words(100).min(1) })
    .nullish()
    .catch(null),
  /** After the merge: the commit of the base, by a merge, squash, or rebase. */
  merge_commit_sha: sha.nullish().catch(null),
});

export const pullBase = z.object({ ref: words(255) });
export const pullHead = pullBase.extend({ sha });

type Payload = z.infer<typeof pullPayload> & {
  head: z.infer<typeof pullHead>;
  base: z.infer<typeof pullBase>;
};

/** Returns a pull request in the words of no host. @param commitAt returns a commit of the event's repository */
export function pullEventOf(
  { number, head, base, user, updated_at }: Payload,
  commitAt: (sha: string) => Commit,
  { fromFork, defaultBranch }: { fromFork: boolean; defaultBranch: string | undefined },
): PullEvent {
  const author = user?.login ?? null;
  return {
    commit: commitAt(head.sha),
    pull: {
      ...{ number, branch: head.ref, base: base.ref, fromFork, author },
      ...(defaultBranch !== undefined && { defaultBranch }),
    },
    updatedAt: updated_at ?? null,
  };
}

/**
 * Returns what happened to a pull request, or null for an action that brings nothing to check.
 * @param starting the host's names of actions that bring a commit to check
 */
export function pullActionOf(
  { merged }: Payload,
  action: string,
  { starting, isRetargeted }: { starting: ReadonlySet<string>; isRetargeted: boolean },
): PullAction | null {
  if (action === "closed") return merged ? "merged" : "closed";
  if (action === "edited" && isRetargeted) return "retargeted";
  return starting.has(action) ? "opened" : null;
}
