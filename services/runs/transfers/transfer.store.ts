import type { EntityManager } from "../../../mixins/database.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type {
  ManifestHead,
  ReceivedUpload,
  TransferStatus,
} from "../../../shared/contracts/transfers/transfers.ts";
import type { LeftOut } from "../../../shared/transfers/export-manifest.ts";

/** An export of a team, or an import into one. */
export interface Transfer {
  id: string;
  teamId: string;
  kind: "export" | "import";
  status: TransferStatus;
  /** The admin who started it. */
  caller: Caller;
  options: TransferOptions;
  /** What the file of an import begins with. Of an export, its projects. */
  manifest: Partial<ManifestHead>;
  /** SHA-256 of the manifest of an import. */
  digest: string | null;
  /** What was received of the file of an import. Null for nothing that a later upload can continue. */
  received: ReceivedUpload | null;
  /** Number of finished steps. Every step of a worker requires the one before. */
  step: number;
  /** Where an export continues. */
  position: { table?: number; after?: string | null };
  counts: Record<string, { rows: number; new?: number }>;
  leftOut: LeftOut[];
  notes: string[];
  error: string | null;
  createdAt: Date;
  endedAt: Date | null;
  expiresAt: Date | null;
  parts: number;
  files: number;
}

/** What an admin chose for an import, and the names that its projects get. */
interface TransferOptions {
  settings?: boolean;
  members?: boolean;
  /** By the exported name. Null for skipped projects. */
  names?: Record<string, string | null>;
}

const COLUMNS = `t.id, t.team_id as "teamId", t.kind, t.status, t.caller, t.options, t.manifest, t.digest, t.received, t.step,
  t.position, t.counts, t.left_out as "leftOut", t.notes, t.error, t.created_at as "createdAt",
  t.ended_at as "endedAt", t.expires_at as "expiresAt",
  (select count(*)::int from runs.transfer_part p where p.transfer_id = t.id) as parts,
  (select count(*)::int from runs.transfer_file f where f.transfer_id = t.id) as files`;

/** Finds a team's latest export or import. */
export async function findLatest(
  em: EntityManager,
  teamId: string,
  kind: Transfer["kind"],
): Promise<Transfer | null> {
  const rows: Transfer[] = await em.execute(
    `select ${COLUMNS} from runs.transfer t where t.team_id = ? and t.kind = ? order by t.id desc limit 1`,
    [teamId, kind],
  );
  return rows[0] ?? null;
}

/** Finds a team's export or import. */
export async function findTransfer(em: EntityManager, teamId: string, id: string): Promise<Transfer | null> {
  const rows: Transfer[] = await em.execute(
    `select ${COLUMNS} from runs.transfer t where t.team_id = ? and t.id = ?`,
    [teamId, id],
  );
  return rows[0] ?? null;
}

/** Inserts a transfer, unless the team has an unfinished one of its kind. @returns whether it did */
export async function insertTransfer(
  em: EntityManager,
  transfer: Pick<Transfer, "id" | "teamId" | "kind" | "status" | "caller"> &
    Partial<Pick<Transfer, "options" | "manifest" | "digest" | "leftOut" | "notes">>,
): Promise<boolean> {
  const { id, teamId, kind, status, caller, options = {}, manifest = {}, digest = null } = transfer;
  const { leftOut = [], notes = [] } = transfer;
  const rows: object[] = await em.execute(
    `insert into runs.transfer (id, team_id, kind, status, caller, options, manifest, digest, left_out, notes)
     values (?, ?, ?, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?::jsonb, ?::jsonb)
     on conflict do nothing returning id`,
    [
      ...[
        id,
        teamId,
        kind,
        status,
        JSON.stringify(caller),
        JSON.stringify(options),
        JSON.stringify(manifest),
      ],
      ...[digest, JSON.stringify(leftOut), JSON.stringify(notes)],
    ],
  );
  return rows.length === 1;
}

/** Deletes the unfinished import of a team whose upload broke off. */
export async function deleteReceiving(em: EntityManager, teamId: string): Promise<void> {
  await em.execute(
    "delete from runs.transfer where team_id = ? and kind = 'import' and status = 'receiving'",
    [teamId],
  );
}

/** Leases running transfers whose worker stopped or never started. @returns them */
export async function leaseTransfers(
  em: EntityManager,
  leaseSeconds: number,
  limit: number,
): Promise<Transfer[]> {
  const rows: Transfer[] = await em.execute(
    `update runs.transfer t set leased_until = now() + make_interval(secs => ?) where t.id in (
       select id from runs.transfer where status = 'running' and (leased_until is null or leased_until < now())
       order by id limit ? for update skip locked)
     returning ${COLUMNS}`,
    [leaseSeconds, limit],
  );
  return rows;
}

/** Makes a leased transfer due at once, after its worker gave it up. */
export async function releaseTransfer(em: EntityManager, id: string): Promise<void> {
  await em.execute("update runs.transfer set leased_until = null where id = ?", [id]);
}

/**
 * Finishes a step of a running transfer, and renews its lease.
 * @returns whether it did. If not, another worker has it, or it was deleted
 */
export async function finishStep(
  em: EntityManager,
  { id, step, position, counts, notes }: Pick<Transfer, "id" | "step" | "position" | "counts" | "notes">,
  leaseSeconds: number,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.transfer set step = step + 1, position = ?::jsonb, counts = ?::jsonb, notes = ?::jsonb,
       leased_until = now() + make_interval(secs => ?)
     where id = ? and step = ? and status = 'running' returning id`,
    [JSON.stringify(position), JSON.stringify(counts), JSON.stringify(notes), leaseSeconds, id, step],
  );
  return rows.length === 1;
}

/** Starts an import whose file is complete. @returns whether it was received until now */
export async function startImport(em: EntityManager, id: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    "update runs.transfer set status = 'running' where id = ? and status = 'receiving' returning id",
    [id],
  );
  return rows.length === 1;
}

/** Ends a transfer, once. */
export async function endTransfer(
  em: EntityManager,
  { id, step, status, error }: Pick<Transfer, "id" | "step" | "error"> & { status: "completed" | "failed" },
  keptDays: number,
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.transfer set status = ?, error = ?, ended_at = now(),
       expires_at = now() + make_interval(days => ?)
     where id = ? and step = ? and ended_at is null returning id`,
    [status, error, keptDays, id, step],
  );
  return rows.length === 1;
}

/** Ends a transfer that started this many days ago, whatever its worker does. @returns whether it did */
export async function failOldTransfer(
  em: EntityManager,
  { id, error }: { id: string; error: string },
  { afterDays, keptDays }: { afterDays: number; keptDays: number },
): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update runs.transfer set status = 'failed', error = ?, ended_at = now(),
       expires_at = now() + make_interval(days => ?)
     where id = ? and status = 'running' and created_at < now() - make_interval(days => ?) returning id`,
    [error, keptDays, id, afterDays],
  );
  return rows.length === 1;
}

/** Stores what an export leaves out, and its projects. */
export async function putHead(
  em: EntityManager,
  { id, leftOut, manifest }: Pick<Transfer, "id" | "leftOut" | "manifest">,
): Promise<void> {
  await em.execute("update runs.transfer set left_out = ?::jsonb, manifest = ?::jsonb where id = ?", [
    JSON.stringify(leftOut),
    JSON.stringify(manifest),
    id,
  ]);
}

/** Deletes expired transfers, and imports whose upload broke off a day ago. */
export async function deleteOldTransfers(em: EntityManager): Promise<void> {
  await em.execute(
    `delete from runs.transfer where expires_at < now()
       or status = 'receiving' and created_at < now() - interval '1 day'`,
  );
}

/** Deletes the exports and imports of a team. */
export async function deleteTeamTransfers(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("delete from runs.transfer where team_id = ?", [teamId]);
}

/** Notes how much of the file was received. An upload that another one replaced must not go back. */
export async function noteReceived(em: EntityManager, id: string, received: ReceivedUpload): Promise<void> {
  await em.execute(
    `update runs.transfer set received = ?::jsonb
     where id = ? and coalesce((received ->> 'bytes')::bigint, 0) < ?`,
    [JSON.stringify(received), id, received.bytes],
  );
}
