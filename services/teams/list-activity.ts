import type { EntityManager } from "../../mixins/database.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import type { ActivityList, ListActivityQuery } from "../../shared/contracts/teams/people.ts";
import { decodeCursor, pageOf } from "../../shared/pagination.ts";
import { findActivity } from "./team.store.ts";

/** Lists the changes in the caller's team, newest first. */
export async function listActivity(
  em: EntityManager,
  caller: Caller,
  query: ListActivityQuery,
): Promise<ActivityList> {
  const found = await findActivity(em, caller.teamId, query, decodeCursor("activity", query.cursor));
  return pageOf(
    "activity",
    found,
    query.limit,
    ({ id, type, actorKind, actorId, actorName, target, details, at }) => ({
      id,
      type,
      actor: { kind: actorKind, id: actorId, name: actorName },
      target,
      details,
      at: at.toISOString(),
    }),
  );
}
