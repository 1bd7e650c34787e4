import type { EntityManager } from "../../../mixins/database.ts";
import { PROOF_BOUNDS } from "../../../shared/contracts/runs/proof.ts";

/** Share of the limit to which the bodies of a team are reduced. */
const REDUCED_RATIO = 0.8;

/** A kept body, and the capsule that refers to it. */
export interface CapsuleBody {
  screenshotId: string;
  capsuleHash: string;
  hash: string;
  bytes: number;
}

/** Records which bodies capsules refer to. */
export async function recordBodies(em: EntityManager, bodies: CapsuleBody[]): Promise<void> {
  if (bodies.length === 0) return;
  const rows = JSON.stringify(bodies);
  await em.execute(
    `insert into runs.capsule_body (capsule_hash, body_hash)
     select distinct v."capsuleHash", v.hash from jsonb_to_recordset(?::jsonb) as v ("capsuleHash" text, hash text)
     order by 1, 2 on conflict do nothing`,
    [rows],
  );
  // Sorted, so that two writers lock rows in the same order.
  await em.execute(
    `insert into runs.kept_body (team_id, body_hash, bytes)
     select r.team_id, v.hash, max(v.bytes)
     from jsonb_to_recordset(?::jsonb) as v ("screenshotId" text, hash text, bytes int)
     join runs.screenshot s on s.id = v."screenshotId" join runs.run r on r.id = s.run_id
     group by 1, 2 order by 1, 2
     on conflict (team_id, body_hash) do update set kept_at = now()`,
    [rows],
  );
}

/** Finds the teams whose bodies have reached the limit. */
export async function findFullTeams(em: EntityManager, teamIds: string[]): Promise<Set<string>> {
  if (teamIds.length === 0) return new Set();
  const rows: { teamId: string }[] = await em.execute(
    `select team_id as "teamId" from runs.kept_body where team_id in (?)
     group by team_id having sum(bytes) >= ?`,
    [teamIds, PROOF_BOUNDS.teamBytes],
  );
  return new Set(rows.map(({ teamId }) => teamId));
}

/** Forgets the oldest bodies of teams that have reached the limit. The cleanup deletes their files. */
export async function forgetOldBodies(
  em: EntityManager,
  limit: number = PROOF_BOUNDS.teamBytes,
): Promise<void> {
  await em.execute(
    `delete from runs.kept_body k using (
       select team_id, body_hash, sum(bytes) over (partition by team_id order by kept_at desc, body_hash) as total
       from runs.kept_body where team_id in (
         select team_id from runs.kept_body group by team_id having sum(bytes) >= ?)) old
     where k.team_id = old.team_id and k.body_hash = old.body_hash and old.total > ?`,
    [limit, Math.floor(limit * REDUCED_RATIO)],
  );
}

/** Deletes what is known of bodies and capsules whose files are about to be deleted. */
export async function deleteBodies(em: EntityManager, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return;
  await em.execute("delete from runs.capsule_body where capsule_hash in (?) or body_hash in (?)", [
    hashes,
    hashes,
  ]);
  await em.execute("delete from runs.kept_body where body_hash in (?)", [hashes]);
}
