import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { after, before, describe, it } from "mocha";
import { type Service, ServiceBroker } from "moleculer";
import { type WithQueue, workQueue } from "../../../mixins/work-queue.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { on, service } from "../../../shared/contracts/bus.ts";
import type {
  CapturedScreenshot,
  CaptureJob,
  CompareJob,
  ResultJob,
} from "../../../shared/contracts/runs/jobs.ts";
import type { ListRunsQuery } from "../../../shared/contracts/runs/runs.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { WorkQueue } from "../../../shared/contracts/work-queue.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { until } from "../../support/drivers/until.ts";
import { DATABASES, type DatabaseKind, FLEET, type TestDatabase } from "../../support/servers/databases.ts";

/** Longer than a node without pending events takes to stop. */
const WHILE_STOPPING_MS = 1_000;

const caller: Caller = {
  teamId: "team_a",
  role: "admin",
  actor: { kind: "key", id: "key_a", name: "test" },
};

type Captured = CapturedScreenshot & { token: string };

/** Returns a renderer's result for a page whose pixels are this text. */
function captured(runId: string, screenshotId: string, pixels: string, token = ""): Captured {
  const hash = createHash("sha256").update(pixels).digest("hex");
  const facts = { width: 10, height: 10, stable: true, moving: [], attempts: 1, cutFromHeight: null };
  return { runId, screenshotId, token, hash, ...facts, browser: "chromium 1", rendering: null, timings: {} };
}

/** Queues a result, and waits until it is handled. */
async function report(queue: WorkQueue, result: ResultJob): Promise<void> {
  await enqueueResult(queue, result);
  await isHandled(queue, result.runId);
}

/** Waits until all results of a run are handled. */
function isHandled(queue: WorkQueue, runId: string): Promise<void> {
  return until(async () => (await queue.idsOf("result", runId)).size === 0);
}

const runsServiceOn = (database: DatabaseKind) => () => {
  database.needed();
  let broker: ServiceBroker;
  let made: TestDatabase;
  let queue: WorkQueue;
  const completed: string[] = [];
  const stopped: object[] = [];
  const pendingEvents = new EventEmitter();
  /** Queued comparisons. */
  const compared: CompareJob[] = [];
  /** Handles capture jobs in place of a renderer. */
  let render: (job: CaptureJob) => Promise<void>;

  before(async () => {
    made = await database.make();
    broker = new ServiceBroker(
      brokerOptions(loadConfig({ ...made.env, LOG_LEVEL: "fatal", SERVICE_BOOTSTRAP_KEY: TEST_KEY })),
    );
    broker.createService(billing);
    broker.createService(teams);
    broker.createService(runs);
    broker.createService(
      service<Service & WithQueue>({
        name: "other-end",
        mixins: [workQueue()],
        events: {
          "run.completed": on("run.completed", ({ runId }) => {
            completed.push(runId);
            pendingEvents.emit("completed");
          }),
          "run.stopped": on("run.stopped", run => void stopped.push(run)),
        },
        async started() {
          queue = this.queue;
          const handle = (job: CaptureJob) => render(job);
          this.queue.consume("capture", { concurrency: 2, maxAttempts: 3, handle, fail: async () => {} });
          const compare = async (job: CompareJob) => void compared.push(job);
          this.queue.consume("compare", {
            concurrency: 2,
            maxAttempts: 3,
            handle: compare,
            fail: async () => {},
          });
        },
      }),
    );
    await broker.start();
  });
  after(async () => {
    await broker?.stop();
    await made?.remove();
  });

  const ask = <N extends ActionName>(name: N, params: Actions[N]["params"], as = caller) =>
    broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller: as } });
  const submit = (project: string, count: number, as = caller) => {
    const routes = Array.from({ length: count }, (_, index) => `/${index}`);
    const body = submitRunBody.parse({ url: "https://example.com", routes, project });
    return ask("runs.submit", { id: newId("run"), body }, as);
  };
  const ended = async (id: string) => {
    while (!completed.includes(id)) await once(pendingEvents, "completed");
    return ask("runs.get", { id });
  };
  const tellAll = (pixels: (url: string) => string) => async (job: CaptureJob) => {
    for (const { id, token } of job.screenshots) {
      await enqueueResult(queue, { kind: "captured", ...captured(job.runId, id, pixels(job.url), token) });
    }
  };

  it("ends a small run long before an earlier large one", async () => {
    const submitted = Promise.withResolvers<void>();
    const smallIsOver = Promise.withResolvers<void>();
    let started = 0;
    render = async job => {
      await submitted.promise;
      started += 1;
      // The small run's pages are among the first, so it ends before all others.
      if (started > 100) await smallIsOver.promise;
      await tellAll(url => url)(job);
    };
    const large = await submit("large", 400);
    const small = await submit("small", 5);
    submitted.resolve();
    assert.equal((await ended(small.id)).counts.new, 5);
    smallIsOver.resolve();
    assert.equal((await ended(large.id)).counts.new, 400);
  });

  it("alternates between the runs of one team", async () => {
    const order: string[] = [];
    const submitted = Promise.withResolvers<void>();
    render = async job => {
      await submitted.promise;
      order.push(job.runId);
      await tellAll(url => url)(job);
    };
    const first = await submit("turns one", 200);
    const second = await submit("turns two", 200);
    submitted.resolve();
    await Promise.all([ended(first.id), ended(second.id)]);
    const secondsLead = order.indexOf(second.id);
    assert.ok(secondsLead < 64, `the second run began after ${secondsLead} routes of the first`);
    const firstsTail = order.lastIndexOf(first.id);
    assert.ok(firstsTail > 300, `the first run's last route was number ${firstsTail} of 400`);
  });

  it("returns one run for the same message twice", async () => {
    render = tellAll(url => url);
    const message = { id: newId("run"), body: submitRunBody.parse({ url: "https://example.com" }) };
    const answers = await Promise.all([1, 2, 3].map(() => ask("runs.submit", message)));
    assert.deepEqual(new Set(answers.map(answer => answer.id)), new Set([message.id]));
    assert.ok(answers.every(answer => answer.deduplicated === undefined));
    assert.equal((await ended(message.id)).counts.new, 1);
  });

  it("handles repeated and late results", async () => {
    render = async job => {
      const tellBoth = tellAll(url => url);
      await Promise.all([tellBoth(job), tellBoth(job)]);
      await report(queue, {
        kind: "failed",
        runId: job.runId,
        screenshotId: job.screenshots[0]?.id ?? "",
        token: job.screenshots[0]?.token ?? "",
        stage: "capture",
        reason: "late",
      });
    };
    const { id } = await submit("twice", 3);
    const view = await ended(id);
    assert.deepEqual(view.counts, { unchanged: 0, minor: 0, changed: 0, new: 3, removed: 0, failed: 0 });
    assert.equal(completed.filter(runId => runId === id).length, 1);
  });

  it("refuses a result from a worker without its job", async () => {
    const held = Promise.withResolvers<CaptureJob[]>();
    const jobs: CaptureJob[] = [];
    const release = Promise.withResolvers<void>();
    render = async job => {
      jobs.push(job);
      if (jobs.length === 2) held.resolve(jobs);
      await release.promise;
      await tellAll(() => "genuine")(job);
    };
    const { id: runId } = await submit("forged", 2);
    const [own, other] = (await held.promise).map(({ screenshots: [screenshot] }) => screenshot);
    assert.ok(own && other);
    const forge = (token: string) =>
      report(queue, { kind: "captured", ...captured(runId, other.id, "forged", token) });
    for (const token of ["", own.token, `${other.token}x`, other.token.toLowerCase()]) await forge(token);
    const { token } = own;
    const failed = { kind: "failed", runId, screenshotId: other.id, reason: "forged", token } as const;
    await report(queue, { ...failed, stage: "capture" });
    await report(queue, { ...failed, stage: "compare", token: other.token });
    const statuses = async () =>
      (await ask("runs.screenshots", { runId, query: { limit: 10 } })).data.map(({ status }) => status);
    assert.deepEqual(await statuses(), ["pending", "pending"]);
    assert.equal((await ask("runs.get", { id: runId })).status, "queued");
    release.resolve();
    assert.equal((await ended(runId)).counts.new, 2);
  });

  it("ignores a comparison of other pixels than the row's", async () => {
    render = tellAll(() => "before");
    const first = await submit("stale", 1);
    await ended(first.id);
    await ask("runs.approve", { runId: first.id });
    render = tellAll(() => "after");
    const second = await submit("stale", 1);
    const screenshots = async () =>
      (await ask("runs.screenshots", { runId: second.id, query: { limit: 10 } })).data;
    const hashes = [captured("", "", "before").hash, captured("", "", "after").hash];
    const [baselineHash = "", currentHash = ""] = hashes;
    await until(async () => (await ask("runs.get", { id: second.id })).status === "comparing");
    const [{ id: screenshotId } = { id: "" }] = await screenshots();
    const found = { diffPixels: 3, diffRatio: 0.03, regions: [], fingerprint: "f", maskHash: null };
    await until(() => compared.some(job => job.screenshotId === screenshotId));
    const token = compared.find(job => job.screenshotId === screenshotId)?.token ?? "";
    const about = { runId: second.id, screenshotId, baselineHash, token };
    await report(queue, { kind: "compared", ...about, ...found, currentHash: baselineHash });
    assert.equal((await screenshots())[0]?.status, "pending");
    await report(queue, { kind: "compared", ...about, ...found, currentHash });
    assert.equal((await ended(second.id)).conclusion, "changed");

    const third = await submit("stale", 1);
    assert.equal((await ended(third.id)).conclusion, "changed", "the same two images are not compared again");
    assert.equal(
      (await ask("runs.screenshots", { runId: third.id, query: { limit: 10 } })).data[0]?.diffPixels,
      3,
    );
  });

  it("reuses a comparison only with the same color threshold", async () => {
    render = tellAll(() => "light");
    const first = await submit("shades", 1);
    await ended(first.id);
    await ask("runs.approve", { runId: first.id });
    render = tellAll(() => "lighter");
    const found = { diffRatio: 0, regions: [], fingerprint: null, maskHash: null };
    const look = async (options: SubmitRunInput["options"], diffPixels: number) => {
      compared.length = 0;
      const { id } = await ask("runs.submit", {
        id: newId("run"),
        body: submitRunBody.parse({ url: "https://example.com", routes: ["/0"], project: "shades", options }),
      });
      await until(() => compared.length > 0 || completed.includes(id));
      for (const { colorThreshold: _asked, ...pair } of compared)
        await report(queue, { kind: "compared", ...pair, ...found, diffPixels });
      await ended(id);
      const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 10 } });
      return [compared.map(job => job.colorThreshold), data.map(shot => shot.diffPixels)];
    };
    assert.deepEqual(await look(undefined, 1), [[0.1], [1]]);
    assert.deepEqual(await look({ colorThreshold: 0.02 }, 2), [[0.02], [2]]);
    assert.deepEqual(await look({ colorThreshold: 0.02 }, 3), [[], [2]]);
    assert.deepEqual(await look({ perRoute: { "/0": { colorThreshold: 0.1 } } }, 4), [[], [1]]);
  });

  it("notes that a page's recent screenshots all differ", async () => {
    const found = { diffRatio: 0.5, regions: [], fingerprint: null, maskHash: null, diffPixels: 50 };
    const shows = (text: string, other: string) => tellAll(url => (url.endsWith("/1") ? other : text));
    const look = async (text: string, other: string) => {
      render = shows(text, other);
      compared.length = 0;
      const { id } = await submit("restless", 2);
      const reported = new Set<string>();
      await until(async () => {
        for (const { colorThreshold: _asked, ...pair } of compared) {
          if (reported.has(pair.screenshotId)) continue;
          reported.add(pair.screenshotId);
          await report(queue, { kind: "compared", ...pair, ...found });
        }
        return completed.includes(id);
      });
      const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 10 } });
      return {
        id,
        notes: data.map(shot => shot.notes.filter(note => note.includes("on every load")).length),
      };
    };
    const first = await look("one", "calm");
    await ask("runs.approve", { runId: first.id });
    assert.deepEqual((await look("two", "other")).notes, [0, 0]);
    assert.deepEqual((await look("three", "calmer")).notes, [0, 0]);
    assert.deepEqual((await look("four", "other")).notes, [0, 0]);
    assert.deepEqual((await look("five", "calmest")).notes, [1, 0]);
    assert.deepEqual((await look("two", "most calm")).notes, [0, 0], "it has looked like that before");
    found.diffRatio = 0.001;
    for (const text of ["six", "seven", "eight", "nine"]) await look(text, text);
    found.diffRatio = 0.5;
    assert.deepEqual((await look("ten", "ten")).notes, [0, 0], "what they let pass is no change");
  });

  it("ignores a failed capture after a successful one", async () => {
    render = tellAll(() => "first look");
    const first = await submit("repeated", 1);
    await ended(first.id);
    await ask("runs.approve", { runId: first.id });
    render = async job => {
      await tellAll(() => "second look")(job);
      const [{ id: screenshotId, token } = { id: "", token: "" }] = job.screenshots;
      await report(queue, {
        kind: "failed",
        runId: job.runId,
        screenshotId,
        token,
        stage: "capture",
        reason: "no",
      });
      rendered.resolve();
    };
    const rendered = Promise.withResolvers<void>();
    const { id } = await submit("repeated", 1);
    await rendered.promise;
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 10 } });
    assert.equal(data[0]?.status, "pending", "its comparison is still to come");
  });

  it("keeps and compares the first of two simultaneous captures", async () => {
    render = tellAll(() => "before");
    const first = await submit("two at once", 1);
    await ended(first.id);
    await ask("runs.approve", { runId: first.id });
    compared.length = 0;
    const rendered = Promise.withResolvers<void>();
    render = async ({ runId, screenshots: [{ id, token } = { id: "", token: "" }] }) => {
      const looks = (pixels: string) =>
        report(queue, { kind: "captured", ...captured(runId, id, pixels, token) });
      await Promise.all([looks("one"), looks("two")]);
      rendered.resolve();
    };
    await submit("two at once", 1);
    await rendered.promise;
    assert.deepEqual(
      compared.map(job => job.currentHash),
      [captured("", "", "one").hash],
    );
  });

  it("stores any characters in element names", async () => {
    render = async ({ runId, screenshots: [{ id, token } = { id: "", token: "" }] }) =>
      enqueueResult(queue, {
        kind: "captured",
        ...captured(runId, id, "moving", token),
        stable: false,
        moving: ["#a\0b (text)", "#\ud800 (text)"],
      });
    const { id } = await submit("characters", 1);
    await ended(id);
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 1 } });
    assert.deepEqual(data[0]?.moving, ["#a\ufffdb (text)", "#\ufffd (text)"]);
  });

  it("ignores later results of a canceled run", async () => {
    const started = Promise.withResolvers<CaptureJob>();
    const canceled = Promise.withResolvers<void>();
    render = async job => {
      started.resolve(job);
      await canceled.promise;
      await tellAll(url => url)(job);
    };
    const { id } = await submit("canceled", 1);
    const job = await started.promise;
    assert.equal((await ask("runs.cancel", { id })).status, "canceled");
    assert.equal((await ask("runs.cancel", { id })).status, "canceled");
    assert.deepEqual(stopped, [{ runId: id, teamId: "team_a" }]);
    canceled.resolve();
    await tellAll(url => url)(job);
    await isHandled(queue, id);
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 10 } });
    assert.equal(data[0]?.status, "pending");
  });

  it("returns the idempotency key's run, even if the commit has another one", async () => {
    render = tellAll(url => url);
    const scm = (sha: string) => ({ owner: "o", repo: "r", sha });
    const body = (sha: string) => submitRunBody.parse({ url: "https://example.com", scm: scm(sha) });
    const other = await ask("runs.submit", { id: newId("run"), body: body("aaaaaaa") });
    const own = await ask("runs.submit", { id: newId("run"), body: body("bbbbbbb"), idempotencyKey: "own" });
    assert.notEqual(own.id, other.id);
    const conflict = ask("runs.submit", { id: newId("run"), body: body("aaaaaaa"), idempotencyKey: "own" });
    await assert.rejects(conflict, { type: "invalid_request" });
    const again = await ask("runs.submit", {
      id: newId("run"),
      body: body("bbbbbbb"),
      idempotencyKey: "own",
    });
    assert.equal(again.id, own.id);
  });

  it("counts both halves of two simultaneous reviews", async () => {
    render = tellAll(url => url);
    const { id } = await submit("review", 10);
    await ended(id);
    const { data } = await ask("runs.screenshots", { runId: id, query: { limit: 100 } });
    const ids = data.map(screenshot => screenshot.id);
    await Promise.all([
      ask("runs.approve", { runId: id, screenshots: ids.slice(0, 5) }),
      ask("runs.approve", { runId: id, screenshots: ids.slice(5) }),
    ]);
    assert.equal((await ask("runs.get", { id })).conclusion, "approved");
  });

  it("returns the submitter's name at submission", async () => {
    render = tellAll(url => url);
    const { id } = await submit("whose", 1);
    await ended(id);
    const renamed = { ...caller, actor: { ...caller.actor, name: "another name" } };
    assert.equal((await ask("runs.get", { id }, renamed)).submittedBy, "test");
    const [listed] = (await ask("runs.list", { query: { limit: 20, project: "whose" } }, renamed)).data;
    assert.equal(listed?.submittedBy, "test");
  });

  it("lists runs without those of monitors on request, in pages", async () => {
    render = tellAll(url => url);
    const ofTeam = { ...caller, teamId: "team_watching" };
    const names = ["one", "monitor/mon_1", "two", "monitor/mon_1/2", "three", "monitor/mon_2"];
    for (const project of names) await submit(project, 1, ofTeam);
    const listed = async (query: Omit<ListRunsQuery, "limit">) => {
      const pages: string[][] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await ask(
          "runs.list",
          { query: { ...query, limit: 2, ...(cursor && { cursor }) } },
          ofTeam,
        );
        pages.push(page.data.map(run => run.project));
        cursor = page.nextCursor;
      }
      return pages;
    };
    assert.deepEqual(await listed({ monitors: "0" }), [["three", "two"], ["one"]]);
    assert.deepEqual((await listed({ monitors: "1" })).flat(), names.toReversed());
    assert.deepEqual((await listed({})).flat(), names.toReversed());
    const projects = async (monitors?: "0") =>
      (await ask("runs.projects", { query: { limit: 3, ...(monitors && { monitors }) } }, ofTeam)).data;
    assert.deepEqual(
      (await projects("0")).map(({ name }) => name),
      ["three", "two", "one"],
    );
    assert.deepEqual(
      (await projects()).map(({ name }) => name),
      ["monitor/mon_2", "three", "monitor/mon_1/2"],
    );
  });

  it("sets the default branch of runs without a branch, but not of pull requests", async () => {
    render = tellAll(url => url);
    const submitAt = async (sha: string, more: object) => {
      const scm = { owner: "o", repo: "branches", sha, ...more };
      const body = submitRunBody.parse({ url: "https://branches.example", scm });
      return (await ask("runs.submit", { id: newId("run"), body })).id;
    };
    const first = await submitAt("aaaaaaa", { defaultBranch: "trunk" });
    const pulled = await submitAt("bbbbbbb", { pr: 7 });
    const moved = await submitAt("ccccccc", { defaultBranch: "next" });
    const branchOf = async (id: string) => (await ask("runs.get", { id })).branch;
    assert.deepEqual(
      [await branchOf(first), await branchOf(pulled), await branchOf(moved)],
      ["trunk", null, "next"],
    );
    const project = "o/branches";
    const { data } = await ask("runs.list", { query: { limit: 20, project, branch: "trunk" } });
    assert.deepEqual(
      data.map(run => [run.id, run.branch]),
      [[first, "trunk"]],
    );
  });

  it("shows nothing of another team", async () => {
    render = tellAll(url => url);
    const { id } = await submit("mine", 1);
    await ended(id);
    const stranger = { ...caller, teamId: "team_b" };
    const refused = { type: "not_found" };
    await assert.rejects(ask("runs.get", { id }, stranger), refused);
    await assert.rejects(ask("runs.cancel", { id }, stranger), refused);
    await assert.rejects(ask("runs.approve", { runId: id }, stranger), refused);
    await assert.rejects(ask("runs.reject", { runId: id, reason: "no" }, stranger), refused);
    await assert.rejects(ask("runs.screenshots", { runId: id, query: { limit: 10 } }, stranger), refused);
    await assert.rejects(ask("runs.report", { id }, stranger), refused);
    assert.deepEqual((await ask("runs.list", { query: { limit: 20 } }, stranger)).data, []);
  });

  it("lists the runs of one project of this team", async () => {
    render = tellAll(url => url);
    const stranger = { ...caller, teamId: "team_c" };
    const own = [await submit("listed", 1), await submit("listed", 1)].map(({ id }) => id);
    await submit("listed too", 1);
    const theirs = await submit("listed", 1, stranger);
    const list = async (project: string, as = caller) =>
      (await ask("runs.list", { query: { limit: 20, project } }, as)).data.map(({ id }) => id);
    assert.deepEqual(await list("listed"), own.toReversed());
    assert.deepEqual(await list("listed", stranger), [theirs.id]);
    assert.deepEqual(await list("listed too", stranger), []);
    assert.deepEqual(await list("never was"), []);
    await Promise.all([...own].map(ended));
  });

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
    const askThere = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
      busy.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta: { caller } });
    const heard: string[] = [];
    const read: (string | null)[] = [];
    const through = Promise.withResolvers<void>();
    const hear = async ({ runId }: { runId: string }) => {
      heard.push(runId);
      await through.promise;
      read.push((await askThere("runs.get", { id: runId })).conclusion);
    };
    for (const each of [billing, teams, runs]) busy.createService(each);
    busy.createService(
      service<Service & WithQueue>({
        name: "other-end",
        mixins: [workQueue()],
        events: { "run.completed": on("run.completed", hear), "run.reviewed": on("run.reviewed", hear) },
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
    const first = await askThere("runs.submit", { id: newId("run"), body });
    await until(() => heard.length === 1);
    const second = await askThere("runs.submit", { id: newId("run"), body });
    await until(() => heard.length === 2);
    assert.equal((await askThere("runs.get", { id: first.id })).conclusion, "new");
    await askThere("runs.approve", { runId: first.id });
    assert.equal((await askThere("runs.get", { id: first.id })).conclusion, "approved");
    assert.deepEqual(heard, [first.id, second.id, first.id]);
    const stopped = busy.stop();
    await delay(WHILE_STOPPING_MS);
    through.resolve();
    await stopped;
    assert.deepEqual(read.toSorted(), ["approved", "approved", "new"]);
    await own.remove();
  });

  // This test takes long, and only the fleet has the limit on message size.
  if (database === FLEET)
    it("completes a run of 2,000 screenshots, and returns it in pages", async () => {
      render = tellAll(url => url);
      const routes = Array.from({ length: 500 }, (_, index) => `/${index}`);
      const viewports = [320, 640, 960, 1280];
      const body = submitRunBody.parse({ url: "https://example.com", routes, viewports, project: "huge" });
      const { id } = await ask("runs.submit", { id: newId("run"), body });
      assert.equal((await ended(id)).counts.new, 2000);
      const report = await ask("runs.report", { id });
      assert.equal(report.screenshots.length, 500);
      assert.ok(JSON.stringify(report).length < 1_000_000, "each part small enough for one message");
    });
};

for (const database of [...DATABASES, FLEET])
  describe(`The runs service on ${database.name}`, runsServiceOn(database));
