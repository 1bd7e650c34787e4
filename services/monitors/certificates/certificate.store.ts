import type { EntityManager } from "../../../mixins/database.ts";
import { inMaintenance } from "../maintenance/maintenance.store.ts";
import type { SiteCertificate } from "./read-certificate.ts";

/** A stored certificate. */
export interface StoredCertificate {
  monitorId: string;
  expiresAt: Date | null;
  lifetimeDays: number | null;
  issuer: string | null;
  error: string | null;
  checkedAt: Date;
  alertedDays: number | null;
}

type Row = Omit<StoredCertificate, "expiresAt" | "checkedAt"> & {
  expiresAt: string | Date | null;
  checkedAt: string | Date;
};

const COLUMNS = `monitor_id as "monitorId", expires_at as "expiresAt", lifetime_days as "lifetimeDays", issuer, error,
  checked_at as "checkedAt", alerted_days as "alertedDays"`;

/** SQL for an alerted certificate of a site that its monitor `m` no longer checks. Its alert must end first. */
const MOVED = (row: string) =>
  `${row}.alerted_days is not null and (m.url not like 'https://%' or ${row}.origin <> split_part(m.url, '/', 3))`;

/** Finds alerted certificates of sites that their monitors no longer check. @param id null for all monitors */
export async function findMovedCertificates(
  em: EntityManager,
  { id = null, limit }: { id?: string | null; limit: number },
): Promise<{ monitorId: string; origin: string; expiresAt: Date }[]> {
  const rows: { monitorId: string; origin: string; expiresAt: string | Date }[] = await em.execute(
    `select m.id as "monitorId", c.origin, coalesce(c.expires_at, c.checked_at) as "expiresAt"
     from monitors.certificate c join monitors.monitor m on m.id = c.monitor_id and m.deleted_at is null
     where ${MOVED("c")} ${id === null ? "" : "and m.id = ?"} order by m.id limit ?`,
    [...(id === null ? [] : [id]), limit],
  );
  return rows.map(row => ({ ...row, expiresAt: new Date(row.expiresAt) }));
}

/**
 * Leases monitors of https sites whose certificate was read longer ago than this, or at another URL. Monitors that are
 * not scheduled, or in maintenance, are left out. Concurrent calls of several nodes get different ones.
 */
export async function leaseCertificates(em: EntityManager, ms: number, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await em.execute(
    `insert into monitors.certificate as c (monitor_id, origin, checked_at)
     select m.id, split_part(m.url, '/', 3), now() from monitors.monitor m
       left join monitors.certificate k on k.monitor_id = m.id
     where m.next_at is not null and m.deleted_at is null and m.url like 'https://%' and not ${inMaintenance("m", null)}
       and not (k.monitor_id is not null and ${MOVED("k")})
       and (k.monitor_id is null or k.checked_at < now() - make_interval(secs => ?)
         or k.origin <> split_part(m.url, '/', 3))
     order by k.checked_at nulls first limit ?
     on conflict (monitor_id) do update set checked_at = now(), origin = excluded.origin,
       alerted_days = case when c.origin = excluded.origin then c.alerted_days end
       where c.checked_at < now() - make_interval(secs => ?) or c.origin <> excluded.origin
     returning monitor_id as id`,
    [ms / 1_000, limit, ms / 1_000],
  );
  return rows.map(({ id }) => id);
}

export async function findCertificates(
  em: EntityManager,
  monitorIds: string[],
): Promise<StoredCertificate[]> {
  const rows: Row[] = await em.execute(
    `select ${COLUMNS} from monitors.certificate
     where monitor_id in (select jsonb_array_elements_text(?::jsonb)) and (expires_at is not null or error is not null)`,
    [JSON.stringify(monitorIds)],
  );
  return rows.map(row => ({
    ...row,
    expiresAt: row.expiresAt === null ? null : new Date(row.expiresAt),
    checkedAt: new Date(row.checkedAt),
  }));
}

export async function saveCertificate(
  em: EntityManager,
  monitorId: string,
  { expiresAt, lifetimeDays, issuer, error }: SiteCertificate,
): Promise<void> {
  await em.execute(
    `update monitors.certificate set expires_at = ?, lifetime_days = ?, issuer = ?, error = ? where monitor_id = ?`,
    [expiresAt, lifetimeDays, issuer, error, monitorId],
  );
}

/** Records why a certificate could not be read. What was known stays. */
export async function saveCertificateError(
  em: EntityManager,
  monitorId: string,
  error: string,
): Promise<void> {
  await em.execute("update monitors.certificate set error = ? where monitor_id = ?", [error, monitorId]);
}

export async function saveAlertedDays(
  em: EntityManager,
  monitorId: string,
  alertedDays: number | null,
): Promise<void> {
  await em.execute("update monitors.certificate set alerted_days = ? where monitor_id = ?", [
    alertedDays,
    monitorId,
  ]);
}
