import { setTimeout as delay } from "node:timers/promises";
import { type Service, ServiceBroker } from "moleculer";
import { openJson, secretsOf, type WithDatabase } from "../../mixins/database.ts";
import { imageStore, type WithImages } from "../../mixins/image-store.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import alerts from "../../services/alerts/alerts.service.ts";
import billing from "../../services/billing/billing.service.ts";
import differ from "../../services/differ/differ.service.ts";
import monitors from "../../services/monitors/monitors.service.ts";
import renderer from "../../services/renderer/renderer.service.ts";
import runs from "../../services/runs/runs.service.ts";
import teams from "../../services/teams/teams.service.ts";
import { loadConfig } from "../../shared/config.ts";
import type { Actions } from "../../shared/contracts/actions.ts";
import { service } from "../../shared/contracts/bus.ts";
import { createMonitorBody } from "../../shared/contracts/monitors/monitors.ts";
import type { Caller } from "../../shared/contracts/teams/caller.ts";
import { DEFAULT_TEAM_ID, newId } from "../../shared/ids.ts";
import { TEST_KEY } from "../../test/support/drivers/api-access.ts";
import { BROWSER_CACHE } from "../../test/support/drivers/runner.ts";
import type { PlannedMonitor } from "./plan-monitors.ts";

const POLL_INTERVAL_MS = 500;
const CALLER: Caller = {
  teamId: DEFAULT_TEAM_ID,
  role: "admin",
  actor: { kind: "key", id: "key_bench", name: "bench" },
};

/**
 * Runs the monitors and alerts services with real renderers, in this process and on the embedded database. The test
 * controls the clock: an hour ends once every monitor was checked in it.
 */
export class MonitoredCorpus {
  readonly #broker: ServiceBroker;
  #monitors: (Service & WithDatabase & WithImages) | null = null;

  private constructor(env: Record<string, string>) {
    const config = loadConfig({
      ...env,
      ...{ SERVICE_BOOTSTRAP_KEY: TEST_KEY, SERVICE_ALLOW_HOSTS: "localhost", SERVICE_PLAN: "business" },
      ...{ SERVICE_CACHE_DIR: BROWSER_CACHE, LOG_LEVEL: "error" },
    });
    this.#broker = new ServiceBroker(brokerOptions(config));
    const corpus = this;
    for (const schema of [billing, teams, runs, renderer, differ, alerts]) this.#broker.createService(schema);
    this.#broker.createService(
      service<Service & WithDatabase & WithImages>({
        name: "monitors",
        mixins: [monitors, imageStore()],
        async started() {
          corpus.#monitors = this;
        },
      }),
    );
  }

  /** @param env environment with a database and a folder of its own */
  static async start(env: Record<string, string>): Promise<MonitoredCorpus> {
    const corpus = new MonitoredCorpus(env);
    await corpus.#broker.start();
    return corpus;
  }

  stop(): Promise<void> {
    return this.#broker.stop();
  }

  /** Adds a monitor that is checked each hour and calls a webhook for any changed pixel. @returns its id */
  async addMonitor(
    { name, url, routes, viewports, options }: PlannedMonitor,
    webhookUrl: string,
  ): Promise<string> {
    const webhook = { url: webhookUrl, secret: "secret-of-the-bench" };
    const body = createMonitorBody.parse({
      ...{ name, url, routes, viewports, alertThreshold: 0, intervalMinutes: 60, alerts: { webhook } },
      options,
    });
    const params: Actions["monitors.create"]["params"] = { id: newId("mon"), body };
    const { id } = await this.#broker.call<Actions["monitors.create"]["result"], typeof params>(
      "monitors.create",
      params,
      { meta: { caller: CALLER } },
    );
    return id;
  }

  /**
   * Makes all monitors due, with pages whose clocks start at this time. Waits until each was checked and reported to
   * the alerts service.
   */
  async runHour(at: Date): Promise<void> {
    const [started] = await this.query<{ at: string }>("select clock_timestamp()::text as at");
    await this.#setClocks(at);
    await this.query("update monitors.monitor set next_at = now() where deleted_at is null");
    for (let open = 1; open > 0; await delay(POLL_INTERVAL_MS)) {
      const rows = await this.query<{ open: number }>(
        `select count(*)::int as open from monitors.monitor m where m.check_id is not null or not exists (
           select from monitors.check c where c.monitor_id = m.id and c.started_at >= ?::timestamptz
             and c.reported_at is not null)`,
        [started?.at],
      );
      open = rows[0]?.open ?? 0;
    }
  }

  /** Waits until every alert was delivered or has failed. */
  async deliverAll(): Promise<void> {
    for (let queued = 1; queued > 0; await delay(POLL_INTERVAL_MS)) {
      const rows = await this.query<{ queued: number }>(
        "select count(*)::int as queued from alerts.notification where status = 'queued'",
      );
      queued = rows[0]?.queued ?? 0;
    }
  }

  /** Queries the database, which all services share here. */
  query<Row extends object>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return this.#started().em().execute(sql, values);
  }

  /** Reads an image by its hash. */
  image(hash: string): Promise<Buffer> {
    return this.#started().images.get(hash);
  }

  /** Sets the start time of the pages' clocks. Stored options are encrypted until this first call. */
  async #setClocks(at: Date): Promise<void> {
    const secrets = secretsOf(this.#started().em());
    const rows = await this.query<{ id: string; options: object }>(
      "select id, options from monitors.monitor where deleted_at is null",
    );
    for (const { id, options } of rows) {
      const withClock = { ...openJson(secrets, options, "capture options"), clock: at.toISOString() };
      await this.query("update monitors.monitor set options = ?::jsonb where id = ?", [
        JSON.stringify(withClock),
        id,
      ]);
    }
  }

  #started(): Service & WithDatabase & WithImages {
    if (!this.#monitors) throw new Error("The monitors service has not started.");
    return this.#monitors;
  }
}
