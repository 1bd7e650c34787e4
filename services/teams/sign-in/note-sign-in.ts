import type { EntityManager } from "../../../mixins/database.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { Actor } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { insertActivity } from "../team.store.ts";

/** How someone signed in. */
interface SignInDetails {
  /** The identity provider's name. Missing for the code host and for keys. */
  with?: string;
  browser?: string | null | undefined;
}

/** Notes a sign-in in the activity of each team that it opens. */
export async function noteSignIn(
  tx: EntityManager,
  actor: Actor,
  teamIds: readonly string[],
  { browser, ...given }: SignInDetails,
): Promise<void> {
  const details: Noted["details"] = { ...given, ...(browser && { browser }) };
  const noted = { type: "session.opened", actor, target: null, details } as const;
  for (const teamId of teamIds) await insertActivity(tx, { ...noted, id: newId("act"), teamId });
}
