import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { on, service } from "../../../shared/contracts/bus.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { caller, captured } from "../../support/contexts/runs-context.ts";
import { DATABASES, type DatabaseKind, FLEET } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";

/** Longer than a node without pending events takes to stop. */
const WHILE_STOPPING_MS = 1_000;

const restartsOn = (database: DatabaseKind) => () => {
  database.needed();

  it("receives the results of jobs that it queues at its start", async () => {
    const own = await database.make();
    const options = () => brokerOptions(loadConfig({ ...own.env, LOG_LEVEL: "fatal" }));
    const node = (onCompleted: () => void) => {
      const restarted = new ServiceBroker(options());
      restarted.createService(billing);
      restarted.createService(runs);
      restarted.createService(
        service<Service & WithQueue>({
          name: "other-end",
          mixins: [workQueue()],
          events: { "run.completed": on("run.completed", onCompleted) },
          async started() {
            const handle = async ({ runId, screenshots }: CaptureJob) => {
              for (const { id, token } of screenshots)
                await enqueueResult(this.queue, {
                  kind: "captured",
                  ...captured(runId, id, "pixels", token),
                });
            };
            this.queue.consume("capture", { concurrency: 2, maxAttempts: 3, handle, fail: async () => {} });
          },
        }),
      );
      return restarted;
    };
    const alone = new ServiceBroker(options());
    alone.createService(billing);
    alone.createService(runs);
    await alone.start();
    const body = submitRunBody.parse({ url: "https://example.com" });
    for (let count = 0; count < 3; count++)
      await alone.call("runs.submit", { id: newId("run"), body }, { meta: { caller } });
    await alone.stop();
    const all = Promise.withResolvers<void>();
    let ends = 0;
    const restarted = node(() => {
      ends += 1;
      if (ends === 3) all.resolve();
    });
    await restarted.start();
    await all.promise;
    await restarted.stop();
    await own.remove();
  });

  it("continues while a listener is slow, and stops once it is done", async () => {
    const own = await database.make();
    const env = { ...own.env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY };
    const busy = new ServiceBroker(brokerOptions(loadConfig(env)));
    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
      busy.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
    const received: string[] = [];
    const read: (string | null)[] = [];
    const through = Promise.withResolvers<void>();
    const receive = async ({ runId }: { runId: string }) => {
      received.push(runId);
      await through.promise;
      read.push((await ask("runs.get", { id: runId })).conclusion);
    };
    for (const each of [billing, teams, runs]) busy.createService(each);
    busy.createService(
      service<Service & WithQueue>({
        name: "other-end",
        mixins: [workQueue()],
        events: {
          "run.completed": on("run.completed", receive),
          "run.reviewed": on("run.reviewed", receive),
        },
        async started() {
          const handle = async ({ runId, screenshots }: CaptureJob) => {
            for (const { id, token } of screenshots)
              await enqueueResult(this.queue, { kind: "captured", ...captured(runId, id, "pixels", token) });
          };
          this.queue.consume("capture", { concurrency: 2, maxAttempts: 3, handle, fail: async () => {} });
        },
      }),
    );
    await busy.start();
    const body = submitRunBody.parse({ url: "https://example.com" });
    const first = await ask("runs.submit", { id: newId("run"), body });
    await until(() => received.length === 1);
    const second = await ask("runs.submit", { id: newId("run"), body });
    await until(() => received.length === 2);
    assert.equal((await ask("runs.get", { id: first.id })).conclusion, "new");
    await ask("runs.approve", { runId: first.id });
    assert.equal((await ask("runs.get", { id: first.id })).conclusion, "approved");
    assert.deepEqual(received, [first.id, second.id, first.id]);
    const stopped = busy.stop();
    await delay(WHILE_STOPPING_MS);
    through.resolve();
    await stopped;
    assert.deepEqual(read.toSorted(), ["approved", "approved", "new"]);
    await own.remove();
  });
};

for (const database of [...DATABASES, FLEET])
  describe(`Starts and stops of the runs service on ${database.name}`, restartsOn(database));
