import { type Context, type Service, ServiceBroker, type ServiceSchema } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import type { WithImages } from "../../../mixins/image-store.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import alertsService from "../../../services/alerts/alerts.service.ts";
import type { AlertsContext } from "../../../services/alerts/alerts-context.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { Meta } from "../../../shared/contracts/bus.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type {
  AlertChannels,
  AlertedMonitor,
  CheckOutcome,
  CheckReport,
} from "../../../shared/contracts/monitors/alert-actions.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import type { NoticePerson } from "../../../shared/contracts/teams/notices.ts";
import { notFound } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { Links } from "../../../shared/links/links.ts";

const LINK_KEY = "key of the tests' links";

/** A row of the notifications. */
export interface NotificationRow {
  id: string;
  channel: string;
  kind: string;
  status: string;
  attempts: number;
  answer: string | null;
  target: unknown;
  waitSeconds: number;
}

/** A node with the alerts service, and fakes of the services it calls. */
export class AlertsTestContext {
  readonly broker: ServiceBroker;
  readonly #env: Record<string, string>;
  /** Recorded team activity. */
  readonly noted: Noted[] = [];
  /** Teams that were deleted for good. */
  readonly gone = new Set<string>();
  /** Monitors that were deleted. */
  readonly deleted = new Set<string>();
  /** What the monitors service says about monitors. */
  readonly alerted = new Map<string, AlertedMonitor>();
  /** Addresses of every team's admins. */
  readonly admins: string[] = [];
  /** Members of every team. */
  people: NoticePerson[] = [];
  /** What digests say, by run. */
  readonly digests = new Map<string, DigestFacts>();

  private constructor(env: Record<string, string>, others: ServiceSchema[]) {
    this.#env = env;
    this.broker = new ServiceBroker(
      brokerOptions(loadConfig({ LOG_LEVEL: "fatal", SERVICE_ALLOW_HOSTS: "localhost", ...env })),
    );
    this.broker.createService({
      name: "runs",
      actions: {
        linkKey: () => LINK_KEY,
        digest: ({ params: { runId } }: Context<{ runId: string }>) => this.digests.get(runId) ?? null,
      },
    });
    this.broker.createService({
      name: "teams",
      events: { "activity.noted": (context: Context<Noted>) => void this.noted.push(context.params) },
      actions: {
        isOpen: () => true,
        note: (context: Context<Noted>) => {
          this.noted.push(context.params);
          return null;
        },
        noticePeople: () => this.people,
        adminAddresses: () => ({ name: "Acme", addresses: this.admins }),
        existing: (context: Context<{ ids: string[] }>) =>
          context.params.ids.filter(id => !this.gone.has(id)),
      },
    });
    this.broker.createService({
      name: "monitors",
      actions: {
        get: ({ params: { id }, meta: { caller } }: Context<{ id: string }, Meta>) => {
          if (caller?.teamId !== `team_of_${id}`) throw notFound("monitor", id);
          return { id };
        },
        alerted: ({ params: { id } }: Context<{ id: string }>) => this.alerted.get(id) ?? null,
        exists: ({ params: { id, teamId } }: Context<{ id: string; teamId: string }>) =>
          teamId === `team_of_${id}` && !this.deleted.has(id),
      },
    });
    for (const schema of [alertsService, ...others]) this.broker.createService(schema);
  }

  static async start(env: Record<string, string>, others: ServiceSchema[] = []): Promise<AlertsTestContext> {
    const testContext = new AlertsTestContext(env, others);
    await testContext.broker.start();
    return testContext;
  }

  /** Starts another node, or the same one again after it stopped. */
  again(env: Record<string, string> = {}): Promise<AlertsTestContext> {
    return AlertsTestContext.start({ ...this.#env, ...env });
  }

  stop(): Promise<void> {
    return this.broker.stop();
  }

  /** Returns the started service. */
  get service(): Service & WithDatabase & WithImages & { context: AlertsContext } {
    // biome-ignore lint/plugin: Moleculer does not know what its services have of their own.
    return this.broker.getLocalService("alerts") as Service &
      WithDatabase &
      WithImages & { context: AlertsContext };
  }

  em() {
    return this.service.em();
  }

  /** Makes the node send due notifications. */
  wake(): void {
    this.service.context.wake();
  }

  links(): Links {
    return new Links(loadConfig(this.#env).baseUrl, LINK_KEY);
  }

  call<N extends ActionName>(
    name: N,
    params: Actions[N]["params"],
    teamId?: string,
  ): Promise<Actions[N]["result"]> {
    const actor = { kind: "key", id: "key_a", name: "test" } as const;
    const meta = teamId === undefined ? {} : { caller: { teamId, role: "viewer" as const, actor } };
    return this.broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta });
  }

  /** Reports a check of this monitor. Each report has a new check, a second after the one before. */
  report(monitorId: string, channels: AlertChannels, outcome: CheckOutcome, more: Partial<CheckReport> = {}) {
    return this.call("alerts.report", reportOn(monitorId, channels, outcome, more));
  }

  /** Returns a monitor's notifications in order. */
  async notifications(monitorId: string | null): Promise<NotificationRow[]> {
    const rows: NotificationRow[] = await this.em().execute(
      `select id, channel, kind, status, attempts, answer, target,
         extract(epoch from next_at - now())::float as "waitSeconds"
       from alerts.notification where monitor_id is not distinct from ?::text order by seq`,
      [monitorId],
    );
    return rows;
  }

  /** Makes a monitor's queued notifications due. */
  async makeDue(monitorId: string): Promise<void> {
    await this.em().execute(
      "update alerts.notification set next_at = now(), leased_until = null where monitor_id = ? and status = 'queued'",
      [monitorId],
    );
    this.wake();
  }
}

let made = 0;

export function reportOn(
  monitorId: string,
  channels: AlertChannels,
  outcome: CheckOutcome,
  more: Partial<CheckReport> = {},
): CheckReport {
  made += 1;
  return {
    checkId: newId("run"),
    runId: newId("run"),
    at: new Date(Date.UTC(2026, 0, 1) + made * 1_000).toISOString(),
    monitor: {
      id: monitorId,
      teamId: `team_of_${monitorId}`,
      name: "Acme shop",
      url: "https://shop.example",
      channels,
    },
    outcome,
    uncaptured: [],
    ...more,
  };
}

/** Returns an outcome in which these pages changed by 10% at 1280 px. */
export function changedPages(...routes: string[]): CheckOutcome {
  const images = { baseline: null, current: null, diff: null };
  return {
    kind: "changed",
    regressions: routes.map(route => ({ route, viewport: 1280, diffRatio: 0.1, images })),
  };
}
