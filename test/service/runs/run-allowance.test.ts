import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { type EntityManager, type WithDatabase, database as withDatabase } from "../../../mixins/database.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billingService from "../../../services/billing/billing.service.ts";
import { periodAt } from "../../../services/billing/usage/period.rule.ts";
import runsService from "../../../services/runs/runs.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { broadcast, service } from "../../../shared/contracts/bus.ts";
import { TRIALS_PER_MINUTE, trialBody } from "../../../shared/contracts/configuration/trials.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { NoteEntity } from "../../support/databases/database-node.ts";
import { type DatabaseKind, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import {
  countedUsage,
  countTeamRows,
  failRun,
  insertApproval,
  orphanedScreenshots,
  startRendering,
  withBrokenRoute,
} from "../../support/rows/run-rows.ts";

const LIMIT = { type: "plan_limit_exceeded", code: 402 };
const URL = "https://example.com";
const ROLE: Role = "admin";

const allowanceOn = (database: DatabaseKind) => () => {
  database.needed();
  let broker: ServiceBroker;
  let made: TestDatabase;
  let em: () => EntityManager;
  let teams = 0;
  /** Teams that the teams service knows. */
  let existing: string[] = [];

  before(async () => {
    made = await database.make();
    const config = loadConfig({ ...made.env, SERVICE_PLAN: "free", LOG_LEVEL: "fatal" });
    broker = new ServiceBroker(brokerOptions(config));
    broker.createService(billingService);
    broker.createService(runsService);
    broker.createService({ name: "teams", actions: { existing: () => existing } });
    broker.createService(
      service<Service & WithDatabase>({
        name: "onlooker",
        mixins: [withDatabase({ schema: "onlooker", entities: [NoteEntity], migrations: [] })],
        async started() {
          em = () => this.em();
        },
      }),
    );
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });

  /** Returns a new team for one test. */
  const team = (): Caller => {
    teams += 1;
    return { teamId: `team_${teams}`, role: ROLE, actor: { kind: "key", id: "key_a", name: "test" } };
  };
  const ask = <N extends ActionName>(name: N, params: Actions[N]["params"], caller: Caller) =>
    broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  const submit = (
    caller: Caller,
    body: Partial<SubmitRunInput> = {},
    { id = newId("run"), ...more }: { id?: string; idempotencyKey?: string } = {},
  ) => ask("runs.submit", { id, body: submitRunBody.parse({ url: URL, ...body }), ...more }, caller);
  const used = ({ teamId }: Caller) => countedUsage(em(), teamId, periodAt(new Date()).start);
  const stored = async ({ teamId }: Caller) => (await countTeamRows(em(), teamId))[0];
  const routes = (count: number) => Array.from({ length: count }, (_, index) => `/${index}`);
  /** Uses all but this number of runs. */
  const leave = async (caller: Caller, runs: number) => {
    for (let count = runs; count < 50; count++)
      await ask("billing.take", { runId: newId("run"), teamId: caller.teamId, screenshots: 1 }, caller);
  };

  it("accepts exactly the remaining runs of a hundred simultaneous submissions", async () => {
    const caller = team();
    await leave(caller, 20);
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => submit(caller)));
    for (const outcome of outcomes)
      if (outcome.status === "rejected") assert.equal(outcome.reason.type, LIMIT.type, outcome.reason.stack);
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 20);
    assert.equal(await stored(caller), 20);
    assert.deepEqual(await used(caller), { runs: 50, screenshots: 50 });
  });

  it("counts exactly the submitted screenshots", async () => {
    const caller = team();
    const perRoute = { "/1": { viewports: [320] } };
    await submit(caller, { routes: routes(3), viewports: [640, 1280], options: { perRoute } });
    assert.deepEqual(await used(caller), { runs: 1, screenshots: 5 });
    await submit(caller, { routes: routes(1), project: "example.com" });
    assert.deepEqual(await used(caller), { runs: 2, screenshots: 6 });
  });

  it("counts the screenshots of trials, and refunds those that the limit of a minute refuses", async () => {
    const caller = team();
    const steps = [{ action: "screenshot" }, { action: "screenshot", name: "again" }];
    const attempt = (id = newId("run")) => {
      const body = trialBody.parse({ url: URL, configuration: { steps } });
      return ask("runs.submitTrial", { id, project: "shop", body }, caller);
    };
    const id = newId("run");
    await Promise.all([attempt(id), attempt(id)]);
    assert.deepEqual(await used(caller), { runs: 1, screenshots: 2 });
    await Promise.allSettled(Array.from({ length: 12 }, () => attempt()));
    assert.deepEqual(await used(caller), { runs: TRIALS_PER_MINUTE, screenshots: 2 * TRIALS_PER_MINUTE });
  });

  it("leaves no rows of refused runs", async () => {
    const caller = team();
    await assert.rejects(submit(caller, { routes: routes(300), viewports: [320, 640] }), LIMIT);
    assert.deepEqual(await used(caller), { runs: 0, screenshots: 0 });
    const [storedRuns, projects] = await countTeamRows(em(), caller.teamId);
    assert.deepEqual([storedRuns, projects], [0, 0]);
  });

  it("counts no invalid submissions", async () => {
    const caller = team();
    await assert.rejects(submit(caller, { url: "http://127.0.0.1/" }), { type: "invalid_request" });
    await submit(caller, {}, { idempotencyKey: "one" });
    const other = submit(caller, { routes: ["/other"] }, { idempotencyKey: "one" });
    await assert.rejects(other, { type: "invalid_request" });
    assert.deepEqual(await used(caller), { runs: 1, screenshots: 1 });
  });

  it("counts no repeats of any kind", async () => {
    const caller = team();
    const scm = { owner: "o", repo: "r", sha: "aaaaaaa" };
    const id = newId("run");
    const key = { idempotencyKey: "same" };
    await Promise.all([1, 2, 3].map(() => submit(caller, {}, { id })));
    await Promise.all([1, 2, 3].map(() => submit(caller, { scm })));
    await Promise.all([1, 2, 3].map(() => submit(caller, {}, key)));
    assert.equal(await stored(caller), 3);
    assert.deepEqual(await used(caller), { runs: 3, screenshots: 3 });
  });

  it("answers repeats at the limit, even while the first run is being written", async () => {
    const caller = team();
    const scm = { owner: "o", repo: "r", sha: "bbbbbbb" };
    await leave(caller, 1);
    const answers = await Promise.all(Array.from({ length: 10 }, () => submit(caller, { scm })));
    assert.equal(new Set(answers.map(answer => answer.id)).size, 1);
    assert.equal((await submit(caller, { scm })).id, answers[0]?.id);
    await assert.rejects(submit(caller, { scm: { ...scm, sha: "ccccccc" } }), LIMIT);
    assert.deepEqual(await used(caller), { runs: 50, screenshots: 50 });
  });

  it("refunds only runs that were canceled before anything was rendered", async () => {
    const caller = team();
    const waiting = await submit(caller, { routes: routes(4) });
    const rendering = await submit(caller, { routes: routes(5) });
    await startRendering(em(), rendering.id);
    for (const { id } of [waiting, rendering, waiting, rendering])
      assert.equal((await ask("runs.cancel", { id }, caller)).status, "canceled");
    assert.deepEqual(await used(caller), { runs: 1, screenshots: 5 });
  });

  it("accepts as many new runs as were canceled", async () => {
    const caller = team();
    await leave(caller, 1);
    for (let round = 0; round < 3; round++) {
      const { id } = await submit(caller);
      await assert.rejects(submit(caller), LIMIT);
      await ask("runs.cancel", { id }, caller);
    }
    assert.deepEqual(await used(caller), { runs: 49, screenshots: 49 });
  });

  it("refunds runs that could not be written", async () => {
    const caller = team();
    await withBrokenRoute(em(), () => assert.rejects(submit(caller, { routes: ["/", "/broken"] }), /broken/));
    assert.deepEqual(await used(caller), { runs: 0, screenshots: 0 });
    assert.equal(await stored(caller), 0);
  });

  it("deletes the usage of a deleted team only", async () => {
    const [deleted, other] = [team(), team()];
    for (const caller of [deleted, other]) {
      const run = await submit(caller, { routes: routes(2) });
      for (let count = 0; count < 12; count++) await submit(caller);
      const approval = { id: `base_${run.id}`, runId: run.id, screenshotId: run.id, hash: null };
      await insertApproval(em(), approval);
    }
    const left = ({ teamId }: Caller) => countTeamRows(em(), teamId);
    assert.deepEqual(await left(deleted), [13, 1, 1, 1, 13]);
    existing = [deleted.teamId];
    await broadcast(broker, "team.gone", { teamId: deleted.teamId });
    assert.deepEqual(await left(deleted), [13, 1, 1, 1, 13], "the team still exists");
    existing = [];
    await broadcast(broker, "team.gone", { teamId: deleted.teamId });
    assert.deepEqual(await left(deleted), [0, 0, 0, 0, 0]);
    assert.deepEqual(await left(other), [13, 1, 1, 1, 13]);
    assert.deepEqual(await orphanedScreenshots(em()), []);
  });

  it("returns which runs were rendered, and which may still be", async () => {
    const caller = team();
    const [waiting, rendering, canceled, failed] = await Promise.all([1, 2, 3, 4].map(() => submit(caller)));
    assert.ok(waiting && rendering && canceled && failed);
    await startRendering(em(), rendering.id);
    await failRun(em(), failed.id);
    await ask("runs.cancel", { id: canceled.id }, caller);
    const ids = [waiting, rendering, canceled, failed].map(run => run.id);
    const answer = await ask("runs.rendered", { ids: [...ids, newId("run")] }, caller);
    assert.deepEqual(answer.waiting, [waiting.id]);
    assert.deepEqual(answer.rendered.toSorted(), [rendering.id, failed.id].toSorted());
  });
};

for (const database of MAIN_DATABASES)
  describe(`The allowance of a submission on ${database.name}`, allowanceOn(database));
