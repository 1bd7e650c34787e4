import type { EntityManager } from "../../../mixins/database.ts";
import { type Run, RunEntity } from "../run.entity.ts";

/**
 * Finds the run of an equal submission: this run itself, else the one with the idempotency key, else the one with the
 * deduplication key.
 */
export async function findRepeated(
  em: EntityManager,
  teamId: string,
  { id, idempotencyKey, dedupeKey }: Pick<Run, "id" | "idempotencyKey" | "dedupeKey">,
): Promise<Run | null> {
  const conditions = [
    { id },
    ...(idempotencyKey === null ? [] : [{ idempotencyKey }]),
    ...(dedupeKey === null ? [] : [{ dedupeKey }]),
  ];
  const runs = await em.find(RunEntity, { teamId, $or: conditions });
  return (
    runs.find(run => run.id === id) ??
    runs.find(run => idempotencyKey !== null && run.idempotencyKey === idempotencyKey) ??
    runs[0] ??
    null
  );
}
