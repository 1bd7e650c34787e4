import { after, before } from "mocha";
import type { ChangeMonitor } from "../../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { MonitorTestContext } from "../contexts/monitor-context.ts";
import type { DatabaseKind, TestDatabase } from "../databases/databases.ts";
import { until } from "./until.ts";

/** Starts the monitors service before the tests of a block, and stops it after them. */
export function useMonitors(
  database: DatabaseKind,
  onStart: (context: MonitorTestContext, driver: MonitorDriver) => void,
): void {
  database.needed();
  let made: TestDatabase;
  let context: MonitorTestContext;
  before(async () => {
    made = await database.make();
    context = await MonitorTestContext.start(made);
    onStart(context, new MonitorDriver(context));
  });
  after(async () => {
    await context?.stop();
    await made?.remove();
  });
}

/** What tests do to monitors and their rows. Times are moved back because tests can't wait. */
export class MonitorDriver {
  readonly #context: MonitorTestContext;

  constructor(context: MonitorTestContext) {
    this.#context = context;
  }

  change(caller: Caller, id: string, body: ChangeMonitor) {
    return this.#context.ask("monitors.change", { id, body }, caller);
  }

  /** Returns a monitor's checks, newest first. */
  async checksOf(caller: Caller, id: string) {
    return (await this.#context.ask("monitors.history", { id, query: { limit: 100 } }, caller)).data;
  }

  /** Returns a team's runs, newest first. */
  async runsOf(caller: Caller) {
    return (await this.#context.ask("runs.list", { query: { limit: 100 } }, caller)).data;
  }

  /** Sets what a page shows, in the order of its captures. */
  show(url: string, ...shown: Parameters<MonitorTestContext["shows"]["set"]>[1]): void {
    this.#context.shows.set(url, shown);
  }

  /** Waits until all ended checks of a monitor are reported. */
  waitUntilReported(id: string): Promise<void> {
    const unreported = "select from monitors.check where monitor_id = ? and reported_at is null";
    return until(async () => (await this.#sql(unreported, [id])).length === 0);
  }

  async isReported(checkId: string): Promise<boolean> {
    const rows = await this.#sql("select from monitors.check where id = ? and reported_at is null", [
      checkId,
    ]);
    return rows.length === 0;
  }

  /** Schedules a monitor this long ago. A negative interval is in the future. */
  async makeDue(id: string, interval = "1 second"): Promise<void> {
    await this.#sql(`update monitors.monitor set next_at = now() - interval '${interval}' where id = ?`, [
      id,
    ]);
  }

  async isDue(id: string): Promise<boolean> {
    const rows = await this.#sql("select from monitors.monitor where id = ? and next_at <= now()", [id]);
    return rows.length === 1;
  }

  async isScheduled(id: string): Promise<boolean> {
    const rows = await this.#sql("select from monitors.monitor where id = ? and next_at is not null", [id]);
    return rows.length === 1;
  }

  async countScheduled(teamId: string): Promise<number> {
    const sql = "select from monitors.monitor where team_id = ? and next_at is not null";
    return (await this.#sql(sql, [teamId])).length;
  }

  /** Returns a monitor's next time in intervals of 420 seconds since 1970, and in seconds from now. */
  async readSchedule(id: string): Promise<{ interval: number; ahead: number; phase: number } | undefined> {
    const [row] = await this.#context.sql<{ interval: number; ahead: number; phase: number }>(
      `select extract(epoch from next_at)::float8 / 420 as interval, phase,
         extract(epoch from next_at - now())::float8 as ahead from monitors.monitor where id = ?`,
      [id],
    );
    return row;
  }

  /** Makes a monitor's checks this much older. */
  async ageChecks(id: string, interval: string): Promise<void> {
    await this.#sql(
      `update monitors.check set touched_at = touched_at - interval '${interval}',
         started_at = started_at - interval '${interval}', ended_at = ended_at - interval '${interval}'
       where monitor_id = ?`,
      [id],
    );
  }

  /** Returns whether a node worked on a running check of a monitor in the last seconds. */
  async isTouched(id: string): Promise<boolean> {
    const recently = "ended_at is null and touched_at > now() - interval '10 seconds'";
    return (
      (await this.#sql(`select from monitors.check where monitor_id = ? and ${recently}`, [id])).length > 0
    );
  }

  /** Makes a monitor's last test alert this much older. */
  async ageTestAlert(id: string, interval: string): Promise<void> {
    const sql = `update monitors.monitor set tested_at = tested_at - interval '${interval}' where id = ?`;
    await this.#sql(sql, [id]);
  }

  /** Sets when a team's plan was read. */
  async agePlan(teamId: string, interval: string): Promise<void> {
    const sql = `update monitors.team set plan_read_at = now() - interval '${interval}' where id = ?`;
    await this.#sql(sql, [teamId]);
  }

  /** Returns whether a team's plan is stored, and was read more than ten minutes ago. */
  async readPlanState(teamId: string): Promise<"missing" | "old" | "fresh"> {
    const [row] = await this.#context.sql<{ isOld: boolean }>(
      `select plan_read_at < now() - interval '10 minutes' as "isOld" from monitors.team where id = ?`,
      [teamId],
    );
    if (!row) return "missing";
    return row.isOld ? "old" : "fresh";
  }

  /** Sets when a team's old checks were deleted. */
  async agePruning(teamId: string, interval: string): Promise<void> {
    await this.#sql(`update monitors.team set pruned_at = now() - interval '${interval}' where id = ?`, [
      teamId,
    ]);
  }

  async isStored(id: string): Promise<boolean> {
    return (await this.#sql("select from monitors.monitor where id = ?", [id])).length === 1;
  }

  async hasChecks(id: string): Promise<boolean> {
    return (await this.#sql("select from monitors.check where monitor_id = ?", [id])).length > 0;
  }

  outcomesOf(id: string): Promise<object[]> {
    return this.#sql("select outcome from monitors.check where monitor_id = ?", [id]);
  }

  /** Marks a monitor as deleted, as a node does that stops before it deletes the rest. */
  async markDeleted(id: string): Promise<void> {
    await this.#sql("update monitors.monitor set deleted_at = now(), next_at = null where id = ?", [id]);
  }

  /** Returns the run that a monitor's open check waits for. */
  async openRunOf(id: string): Promise<string> {
    const [check] = await this.#context.sql<{ run: string }>(
      "select latest_run_id as run from monitors.check where monitor_id = ? and ended_at is null",
      [id],
    );
    return check?.run ?? "";
  }

  /** Opens an ended check again, as if the event of its run's end was lost. */
  async reopenCheck(checkId: string): Promise<void> {
    await this.#sql("update monitors.check set ended_at = null, outcome = null where id = ?", [checkId]);
  }

  /** Makes a check wait for a run that doesn't exist. */
  async loseRun(checkId: string): Promise<void> {
    await this.#sql("update monitors.check set latest_run_id = 'run_gone' where id = ?", [checkId]);
  }

  async countBaselines(teamId: string): Promise<number> {
    const sql = "select from runs.baseline b join runs.project p on p.id = b.project_id where p.team_id = ?";
    return (await this.#sql(sql, [teamId])).length;
  }

  /** Returns the thresholds of a monitor's screenshots by route. */
  thresholdsOf(id: string): Promise<object[]> {
    return this.#sql(
      `select distinct s.route, s.threshold, s.color_threshold as "colorThreshold" from runs.screenshot s
       join runs.run r on r.id = s.run_id where r.project = ? order by route`,
      [`monitor/${id}`],
    );
  }

  /** Returns the capture options that are stored with a monitor's checks and runs. */
  storedOptionsOf(id: string): Promise<object[]> {
    return this.#sql(
      `select target -> 'options' as options from monitors.check where monitor_id = ?
       union select options from runs.run where project = ? and options <> '{}'`,
      [id, `monitor/${id}`],
    );
  }

  #sql(statement: string, params: unknown[]): Promise<object[]> {
    return this.#context.sql(statement, params);
  }
}
