import { LockMode } from "@mikro-orm/core";
import type { EntityManager } from "../../../mixins/database.ts";
import type { AlertState } from "../../../shared/alerts/decide.rule.ts";
import { ALERT_DECISIONS, type AlertDecision } from "../../../shared/contracts/monitors/alert-actions.ts";
import { deleteIncidents, deleteTeamIncidents } from "../incidents/incident.store.ts";
import { AlertStateEntity, type AlertStateRow } from "./alert-state.entity.ts";

/** Locks a monitor's alert state, and creates it if needed. @returns the state, and the database's time */
export async function lockState(
  tx: EntityManager,
  monitorId: string,
  teamId: string,
): Promise<{ state: AlertStateRow; now: Date }> {
  await tx.execute(
    "insert into alerts.alert_state (monitor_id, team_id) values (?, ?) on conflict (monitor_id) do nothing",
    [monitorId, teamId],
  );
  const state = await tx.findOneOrFail(
    AlertStateEntity,
    { monitorId },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const rows: { ms: string }[] = await tx.execute(
    "select extract(epoch from clock_timestamp()) * 1000 as ms",
  );
  return { state, now: new Date(Number(rows[0]?.ms)) };
}

/** Locks a monitor's alert state. Null if there is none. */
export function lockKnownState(
  tx: EntityManager,
  monitorId: string,
  teamId: string,
): Promise<AlertStateRow | null> {
  const options = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true };
  return tx.findOne(AlertStateEntity, { monitorId, teamId }, options);
}

export async function saveState(
  tx: EntityManager,
  monitorId: string,
  state: AlertState & Pick<AlertStateRow, "alertedOutcome">,
): Promise<void> {
  const { reportedAt, alerted, alertedOutcome, alertingSince, lastAlertAt, snoozedUntil } = state;
  await tx.nativeUpdate(
    AlertStateEntity,
    { monitorId },
    { reportedAt, alerted, alertedOutcome, alertingSince, lastAlertAt, snoozedUntil },
  );
}

/** Returns the decision about a check. Null if there is none. */
export async function findDecision(tx: EntityManager, checkId: string): Promise<AlertDecision | null> {
  const rows: { decision: string }[] = await tx.execute(
    "select decision from alerts.decision where check_id = ?",
    [checkId],
  );
  return ALERT_DECISIONS.find(decision => decision === rows[0]?.decision) ?? null;
}

export async function insertDecision(
  tx: EntityManager,
  checkId: string,
  monitorId: string,
  decision: AlertDecision,
): Promise<void> {
  await tx.execute("insert into alerts.decision (check_id, monitor_id, decision) values (?, ?, ?)", [
    checkId,
    monitorId,
    decision,
  ]);
}

/** Snoozes a monitor from now. @returns the end of the snooze. Null for another team's monitor */
export async function snoozeState(
  em: EntityManager,
  monitorId: string,
  teamId: string,
  hours: number,
): Promise<Date | null> {
  const rows: { until: string | Date }[] = await em.execute(
    `insert into alerts.alert_state as s (monitor_id, team_id, snoozed_until)
     values (?, ?, now() + make_interval(hours => ?))
     on conflict (monitor_id) do update set snoozed_until = excluded.snoozed_until where s.team_id = excluded.team_id
     returning snoozed_until as until`,
    [monitorId, teamId, hours],
  );
  return rows[0] ? new Date(rows[0].until) : null;
}

/** Ends a monitor's snooze. @returns whether there was one */
export async function unsnoozeState(em: EntityManager, monitorId: string, teamId: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `update alerts.alert_state set snoozed_until = null
     where monitor_id = ? and team_id = ? and snoozed_until > now() returning monitor_id`,
    [monitorId, teamId],
  );
  return rows.length === 1;
}

export function findStates(em: EntityManager, monitorIds: string[]): Promise<AlertStateRow[]> {
  return em.find(AlertStateEntity, { monitorId: { $in: monitorIds } });
}

/** Deletes a monitor's alert state. Its notifications stay readable. */
export async function deleteState(em: EntityManager, monitorId: string): Promise<void> {
  await deleteIncidents(em, monitorId);
  for (const table of ["alert_state", "decision", "opted_out", "chart_mark"])
    await em.execute(`delete from alerts.${table} where monitor_id = ?`, [monitorId]);
}

export async function deleteTeamStates(em: EntityManager, teamId: string): Promise<void> {
  const ofTeam = "(select monitor_id from alerts.alert_state where team_id = ?)";
  await deleteTeamIncidents(em, teamId);
  await em.execute("delete from alerts.chart_mark where team_id = ?", [teamId]);
  for (const table of ["decision", "opted_out", "alert_state"])
    await em.execute(`delete from alerts.${table} where monitor_id in ${ofTeam}`, [teamId]);
}

/** Deletes old decisions. Reports of a check are not repeated after that time. */
export async function deleteOldDecisions(em: EntityManager, days: number): Promise<void> {
  await em.execute("delete from alerts.decision where decided_at < now() - make_interval(days => ?)", [days]);
}

/** Unsubscribes an address from a monitor. @returns whether it was subscribed */
export async function insertOptOut(em: EntityManager, monitorId: string, address: string): Promise<boolean> {
  const rows: object[] = await em.execute(
    `insert into alerts.opted_out (monitor_id, address) values (?, ?) on conflict do nothing returning monitor_id`,
    [monitorId, address.toLowerCase()],
  );
  return rows.length === 1;
}

/** Returns the unsubscribed addresses of a monitor in lower case. */
export async function findOptOuts(em: EntityManager, monitorId: string): Promise<Set<string>> {
  const rows: { address: string }[] = await em.execute(
    "select address from alerts.opted_out where monitor_id = ?",
    [monitorId],
  );
  return new Set(rows.map(row => row.address));
}
