import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ServiceBroker } from "moleculer";
import { connect, type NatsConnection } from "nats";
import { JetStreamQueue } from "../../../mixins/queue/jetstream-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { CaptureJob, ResultJob } from "../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { TEST_KEY, TEST_SECRET_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";
import { LockedNats, passwordOf } from "../../support/servers/locked-nats.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const HOSTILE = "renderer-1";
const VICTIM = "renderer-2";
const SECRET = "Bearer of-the-victims-job";
const caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "key", id: "key_a", name: "test" },
} as const;

const hashOf = (pixels: string) => createHash("sha256").update(pixels).digest("hex");
const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };

describe("A hostile renderer with only its NATS permissions", () => {
  let nats: LockedNats;
  let core: ServiceBroker;
  let victim: JetStreamQueue;
  let hostile: NatsConnection;
  const held = Promise.withResolvers<CaptureJob>();
  const release = Promise.withResolvers<void>();
  const refused: string[] = [];
  const heard: string[] = [];

  needs("nats-server", "database");

  before(async () => {
    nats = await LockedNats.start();
    const env = { NATS_URL: nats.urlOf("core"), DATABASE_URL: await createDatabase() };
    const more = {
      IMAGE_STORE_URL: "file:///tmp/no-images",
      SERVICE_BOOTSTRAP_KEY: TEST_KEY,
      SERVICE_SECRET_KEY: TEST_SECRET_KEY,
    };
    core = new ServiceBroker(brokerOptions(loadConfig({ ...env, ...more, LOG_LEVEL: "fatal" })));
    for (const each of [billing, teams, runs]) core.createService(each);
    await core.start();
    hostile = await connect({
      servers: `127.0.0.1:${nats.server.port}`,
      user: HOSTILE,
      pass: passwordOf(HOSTILE),
      inboxPrefix: `_INBOX_${HOSTILE}`,
    });
    for (const subject of [
      `_INBOX_${VICTIM}.>`,
      `_INBOX_${VICTIM}.*`,
      "_INBOX_core.>",
      "*.>",
      ">",
      "$JS.ACK.>",
      "vrs.work.>",
      `MOL-vrs.*.worker.${VICTIM}.>`,
      "MOL-vrs.*.worker.>",
      "MOL-vrs.>",
    ])
      hostile.subscribe(subject, {
        callback: (error, message) => void (error ? refused.push(subject) : heard.push(message.subject)),
      });
    await hostile.flush();
    const log = { info: () => {}, warn: () => {} };
    const place = { addresses: [nats.urlOf(VICTIM)], replicas: 1, name: "victim", log, isWorker: true };
    victim = new JetStreamQueue(place);
    await victim.start();
    victim.consume("capture", {
      concurrency: 1,
      maxAttempts: 3,
      async handle(job) {
        held.resolve(job);
        await release.promise;
        for (const { id: screenshotId, token } of job.screenshots)
          await enqueueResult(victim, { ...captured(job.runId, screenshotId, "genuine"), token });
      },
      fail: async () => {},
    });
  });

  after(async () => {
    release.resolve();
    await hostile?.close();
    await victim?.close();
    await core?.stop();
    await nats?.close();
  });

  const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
    core.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
  const captured = (runId: string, screenshotId: string, pixels: string) =>
    ({
      kind: "captured",
      runId,
      screenshotId,
      hash: hashOf(pixels),
      ...facts,
      browser: "chromium 1",
      rendering: null,
      timings: {},
    }) as const;

  it("can't read another renderer's job, and its results for that job change nothing", async () => {
    const options = { headers: { Authorization: SECRET } };
    const body = submitRunBody.parse({ url: "https://example.com", project: "victim", options });
    const { id: runId } = await ask("runs.submit", { id: newId("run"), body });
    const job = await held.promise;
    assert.equal(job.options.headers?.Authorization, SECRET);
    const [{ id: screenshotId, token } = { id: "", token: "" }] = job.screenshots;

    const forged: (Omit<ResultJob, "token"> & { token?: string })[] = [
      captured(runId, screenshotId, "forged"),
      { ...captured(runId, screenshotId, "forged"), token: "a".repeat(token.length) },
      { kind: "started", runId, screenshotId },
    ];
    for (const [index, result] of forged.entries()) {
      // JetStream accepts it, because the subject is the renderer's own. The consumer rejects it.
      const subject = `vrs.work.result.${runId}.forged-${index}`;
      await hostile.request(subject, JSON.stringify(result), { timeout: 10_000 });
    }
    const results = async () =>
      (await hostile.jetstreamManager({ checkAPI: false })).streams.info("vrs-result");
    await until(async () => (await results()).state.messages === 0);
    const screenshots = async () =>
      (await ask("runs.screenshots", { runId, query: { limit: 10 } })).data.map(({ status }) => status);
    assert.deepEqual(await screenshots(), ["pending"]);

    release.resolve();
    await until(async () => (await ask("runs.get", { id: runId })).status === "completed");
    const report = await ask("runs.report", { id: runId });
    assert.match(JSON.stringify(report), new RegExp(hashOf("genuine")));
    await hostile.flush();
    assert.deepEqual(heard, []);
    assert.equal(refused.length, 10);
  });
});
