import type { EntityManager } from "../../../mixins/database.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { countRefusals, insertActivity } from "../team.store.ts";

/** Anyone can fail to sign in, any number of times. */
const MAX_PER_HOUR = 60;

interface Refused {
  teamId: string;
  /** The user or key, if it is known; else the provider. */
  actor: Actor;
  /** The account, as its provider names it. */
  target?: string | null;
  reason: string;
}

/** Notes a failed sign-in in a team's activity, unless there were very many in the last hour. */
export async function noteRefusal(
  em: EntityManager,
  { teamId, actor, target = null, reason }: Refused,
): Promise<void> {
  if ((await countRefusals(em, teamId)) >= MAX_PER_HOUR) return;
  const noted = { type: "session.refused", actor, target, details: { reason } } as const;
  await insertActivity(em, { ...noted, id: newId("act"), teamId });
}
