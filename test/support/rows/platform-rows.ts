import type { EntityManager } from "../../../mixins/database.ts";

/** Deletes the rows of the platform service, except teams and settings. */
export async function deletePlatformRows(em: EntityManager): Promise<void> {
  await em.execute(
    "truncate platform.delivery, platform.pending_install, platform.consent, platform.install",
  );
}

/** Moves the end of processed deliveries into the past. */
export async function ageProcessedDeliveries(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update platform.delivery set done_at = done_at - ?::interval", [interval]);
}

/** Moves the start of all leases into the past. */
export async function ageDeliveryLeases(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update platform.delivery set leased_at = leased_at - ?::interval", [interval]);
}

/** Makes all deliveries except one a day old. */
export async function ageOtherDeliveries(em: EntityManager, keptId: string): Promise<void> {
  await em.execute(
    `update platform.delivery set done_at = done_at - interval '24 hours', leased_at = now() - interval '24 hours'
     where id <> encode(sha256(?::bytea), 'hex')`,
    [keptId],
  );
}

/** Makes deliveries look as if their node stopped some seconds after it leased them. */
export async function abandonDeliveries(em: EntityManager, secondsAgo: number): Promise<void> {
  await em.execute(
    "update platform.delivery set done_at = null, leased_at = now() - make_interval(secs => ?), lease = 'stopped'",
    [secondsAgo],
  );
}

export async function countDeliveries(em: EntityManager): Promise<number> {
  const rows: object[] = await em.execute("select 1 from platform.delivery");
  return rows.length;
}

export async function insertConsent(em: EntityManager, key: string): Promise<void> {
  await em.execute("insert into platform.consent (key, registered_at) values (?, now())", [key]);
}

/** Deletes one consent, or all. */
export async function deleteConsents(em: EntityManager, key: string | null = null): Promise<void> {
  await em.execute("delete from platform.consent where key = coalesce(?, key)", [key]);
}

export async function readConsentKeys(em: EntityManager): Promise<string[]> {
  const rows: { key: string }[] = await em.execute("select key from platform.consent order by key");
  return rows.map(({ key }) => key);
}

export function readInstall(em: EntityManager, configurationId: string): Promise<Record<string, unknown>[]> {
  return em.execute("select * from platform.install where configuration_id = ?", [configurationId]);
}

export async function agePendingInstalls(em: EntityManager, interval: string): Promise<void> {
  await em.execute("update platform.pending_install set created_at = created_at - ?::interval", [interval]);
}

export async function countPendingInstalls(em: EntityManager): Promise<number> {
  const rows: object[] = await em.execute("select 1 from platform.pending_install");
  return rows.length;
}

/** Returns the stored text of all tables that could hold a secret. */
export async function readAllPlatformRows(em: EntityManager): Promise<string> {
  const rows: object[][] = [];
  for (const table of ["install", "consent", "pending_install", "delivery"])
    rows.push(await em.execute(`select * from platform.${table}`));
  return JSON.stringify(rows);
}

export async function readInstallIds(em: EntityManager): Promise<string[]> {
  const rows: { id: string }[] = await em.execute("select configuration_id as id from platform.install");
  return rows.map(({ id }) => id);
}
