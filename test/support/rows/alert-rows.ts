import type { EntityManager } from "../../../mixins/database.ts";

/** What tests do to the rows of the alerts service. */

/** Ends a monitor's snooze, as if its time was over. */
export async function expireSnooze(em: EntityManager, monitorId: string): Promise<void> {
  await em.execute("update alerts.alert_state set snoozed_until = now() where monitor_id = ?", [monitorId]);
}

/** Makes a monitor's notifications a day old. */
export async function ageNotifications(em: EntityManager, monitorId: string): Promise<void> {
  const sql = "update alerts.notification set created_at = now() - interval '24 hours' where monitor_id = ?";
  await em.execute(sql, [monitorId]);
}

/** Leases a monitor's notifications to another node until this interval from now. */
export async function leaseElsewhere(em: EntityManager, monitorId: string, interval: string): Promise<void> {
  await em.execute(
    `update alerts.notification set attempts = 2, next_at = now(), leased_until = now() + interval '${interval}'
     where monitor_id = ?`,
    [monitorId],
  );
}

/** Makes a monitor's queued notifications fail. */
export async function failQueued(em: EntityManager, monitorId: string): Promise<void> {
  await em.execute(
    "update alerts.notification set status = 'failed', target = null where monitor_id = ? and status = 'queued'",
    [monitorId],
  );
}

/** Drops a team's notifications. */
export async function dropTeamNotifications(em: EntityManager, teamId: string): Promise<void> {
  await em.execute("update alerts.notification set status = 'dropped' where team_id = ?", [teamId]);
}

/** Returns the number of a team's notifications that are being sent. */
export async function countLeased(em: EntityManager, teamId: string): Promise<number> {
  const sql = "select from alerts.notification where team_id = ? and leased_until > now()";
  const rows: object[] = await em.execute(sql, [teamId]);
  return rows.length;
}

export async function countQueued(em: EntityManager): Promise<number> {
  const rows: object[] = await em.execute("select from alerts.notification where status = 'queued'");
  return rows.length;
}

/** Returns all that is stored of a monitor's notifications. */
export function storedNotifications(em: EntityManager, monitorId: string): Promise<object[]> {
  return em.execute("select * from alerts.notification where monitor_id = ?", [monitorId]);
}

/** Returns the tables other than notifications that have rows of a monitor. */
export async function tablesWith(em: EntityManager, monitorId: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of ["alert_state", "chart_mark", "opted_out"]) {
    const rows: object[] = await em.execute(`select from alerts.${table} where monitor_id = ?`, [monitorId]);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

/** Returns all unsubscribed addresses. */
export function unsubscribedAddresses(em: EntityManager): Promise<object[]> {
  return em.execute('select monitor_id as "monitorId", address from alerts.opted_out');
}
