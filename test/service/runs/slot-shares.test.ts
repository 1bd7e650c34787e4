import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { service } from "../../../shared/contracts/bus.ts";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { type SubmittedRun, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { DATABASES, type DatabaseKind, FLEET, type TestDatabase } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";

/** Reported slot time of a page by team, in ms. No page really takes that long. */
const HELD_MS = new Map([
  ["team_slow", 10_000],
  ["team_fast", 1_000],
]);

/** Returns a renderer's result for a page. */
function captured(
  { runId, teamId }: CaptureJob,
  { id: screenshotId, token }: CaptureJob["screenshots"][number],
) {
  const hash = createHash("sha256").update(screenshotId).digest("hex");
  const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };
  const heldMs = HELD_MS.get(teamId) ?? 5_000;
  return {
    kind: "captured",
    runId,
    screenshotId,
    token,
    hash,
    heldMs,
    ...facts,
    browser: "x 1",
    rendering: null,
    timings: {},
  } as const;
}

const slotsOn = (database: DatabaseKind) => () => {
  database.needed();
  let broker: ServiceBroker;
  let made: TestDatabase;
  let queue: WorkQueue;
  /** Jobs in the order in which they got the only slot. */
  let started: CaptureJob[] = [];
  /** Until then, the first job holds the slot. */
  let release = Promise.withResolvers<void>();

  before(async () => {
    made = await database.make();
    const env = { ...made.env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY, RENDER_CONCURRENCY: "1" };
    broker = new ServiceBroker(brokerOptions(loadConfig(env)));
    for (const each of [billing, teams, runs]) broker.createService(each);
    broker.createService(
      service<Service & WithQueue>({
        name: "other-end",
        mixins: [workQueue()],
        async started() {
          queue = this.queue;
          const handle = async (job: CaptureJob) => {
            started.push(job);
            await release.promise;
            for (const each of job.screenshots) await enqueueResult(queue, captured(job, each));
            // The slot is free once the result is written and the next route is dispatched, so the order is
            // deterministic.
            await until(async () => (await queue.idsOf("result", job.runId)).size === 0);
          };
          queue.consume("capture", { concurrency: 1, maxAttempts: 3, handle, fail: async () => {} });
        },
      }),
    );
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });
  beforeEach(() => {
    started = [];
    release = Promise.withResolvers<void>();
  });

  const submit = async (teamId: string, project: string, count: number) => {
    const routes = Array.from({ length: count }, (_, index) => `/${index}`);
    const body = submitRunBody.parse({ url: "https://example.com", routes, project });
    const caller = { teamId, role: "admin", actor: { kind: "key", id: "key_a", name: "test" } } as const;
    return broker.call<SubmittedRun, object>("runs.submit", { id: newId("run"), body }, { meta: { caller } });
  };
  const ends = async (count: number) => {
    release.resolve();
    await until(async () => {
      const [capture, , result] = await queue.load();
      return (
        started.length >= count && capture?.waiting === 0 && capture.underWay === 0 && result?.waiting === 0
      );
    });
  };

  it("starts a team's only page before the third page of a team with a hundred", async () => {
    await submit("team_a", "large", 100);
    await until(() => started.length === 1);
    await submit("team_b", "single", 1);
    await ends(101);
    // One page had the slot and one waited for it when the other team submitted.
    assert.equal(
      started.findIndex(job => job.teamId === "team_b"),
      2,
    );
  });

  it("starts it as soon beside a team with thirty runs, each in its own project", async () => {
    for (let at = 0; at < 30; at += 1) await submit("team_a", `many ${at}`, 1);
    await until(() => started.length === 1);
    await submit("team_b", "single", 1);
    await ends(31);
    assert.equal(
      started.findIndex(job => job.teamId === "team_b"),
      2,
    );
  });

  it("gives a small run of the same project every second slot beside a large one", async () => {
    await submit("team_a", "same", 20);
    await until(() => started.length === 1);
    const small = await submit("team_a", "same", 3);
    await ends(23);
    const turns = started.flatMap((job, at) => (job.runId === small.id ? [at] : []));
    assert.deepEqual(turns, [2, 4, 6]);
  });

  it("charges for slot time: ten short pages per long one", async () => {
    await submit("team_slow", "p", 30);
    await until(() => started.length === 1);
    await submit("team_fast", "p", 60);
    await ends(90);
    const first = started.slice(0, 60).map(({ teamId }) => teamId);
    const slow = first.filter(teamId => teamId === "team_slow").length;
    assert.ok(slow >= 5 && slow <= 9, `${slow} of the first 60: ${first}`);
  });
};

for (const database of [...DATABASES, FLEET])
  describe(`The slots of the renderers on ${database.name}`, slotsOn(database));
