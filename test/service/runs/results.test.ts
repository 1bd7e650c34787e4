import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import { type SubmitRunInput, submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { captured, RunsTestContext } from "../../support/contexts/runs-context.ts";
import { DATABASES, type DatabaseKind, FLEET, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const resultsOn = (database: DatabaseKind) => () => {
  database.needed();
  let testDatabase: TestDatabase;
  let context: RunsTestContext;

  before(async () => {
    testDatabase = await database.make();
    context = await RunsTestContext.start(testDatabase.env);
  });
  after(async () => {
    await context?.stop();
    await testDatabase?.remove();
  });

  it("ends a small run long before an earlier large one", async () => {
    const submitted = Promise.withResolvers<void>();
    const smallIsOver = Promise.withResolvers<void>();
    let started = 0;
    context.render = async job => {
      await submitted.promise;
      started += 1;
      // The small run's pages are among the first, so it ends before all others.
      if (started > 100) await smallIsOver.promise;
      await context.reportAll(url => url)(job);
    };
    const large = await context.submit("large", 400);
    const small = await context.submit("small", 5);
    submitted.resolve();
    assert.equal((await context.ended(small.id)).counts.new, 5);
    smallIsOver.resolve();
    assert.equal((await context.ended(large.id)).counts.new, 400);
  });

  it("alternates between the runs of one team", async () => {
    const order: string[] = [];
    const submitted = Promise.withResolvers<void>();
    context.render = async job => {
      await submitted.promise;
      order.push(job.runId);
      await context.reportAll(url => url)(job);
    };
    const first = await context.submit("turns one", 200);
    const second = await context.submit("turns two", 200);
    submitted.resolve();
    await Promise.all([context.ended(first.id), context.ended(second.id)]);
    const secondsLead = order.indexOf(second.id);
    assert.ok(secondsLead < 64, `the second run began after ${secondsLead} routes of the first`);
    const firstsTail = order.lastIndexOf(first.id);
    assert.ok(firstsTail > 300, `the first run's last route was number ${firstsTail} of 400`);
  });

  it("handles repeated and late results", async () => {
    context.render = async job => {
      const reportAll = context.reportAll(url => url);
      await Promise.all([reportAll(job), reportAll(job)]);
      await context.report({
        kind: "failed",
        runId: job.runId,
        screenshotId: job.screenshots[0]?.id ?? "",
        token: job.screenshots[0]?.token ?? "",
        stage: "capture",
        reason: "late",
      });
    };
    const { id } = await context.submit("twice", 3);
    const view = await context.ended(id);
    assert.deepEqual(view.counts, { unchanged: 0, minor: 0, changed: 0, new: 3, removed: 0, failed: 0 });
    assert.equal(context.completed.filter(runId => runId === id).length, 1);
  });

  it("refuses a result from a worker without its job", async () => {
    const held = Promise.withResolvers<CaptureJob[]>();
    const jobs: CaptureJob[] = [];
    const release = Promise.withResolvers<void>();
    context.render = async job => {
      jobs.push(job);
      if (jobs.length === 2) held.resolve(jobs);
      await release.promise;
      await context.reportAll(() => "genuine")(job);
    };
    const { id: runId } = await context.submit("forged", 2);
    const [own, other] = (await held.promise).map(({ screenshots: [screenshot] }) => screenshot);
    assert.ok(own && other);
    const forge = (token: string) =>
      context.report({ kind: "captured", ...captured(runId, other.id, "forged", token) });
    for (const token of ["", own.token, `${other.token}x`, other.token.toLowerCase()]) await forge(token);
    const { token } = own;
    const failed = { kind: "failed", runId, screenshotId: other.id, reason: "forged", token } as const;
    await context.report({ ...failed, stage: "capture" });
    await context.report({ ...failed, stage: "compare", token: other.token });
    const statuses = async () =>
      (await context.ask("runs.screenshots", { runId, query: { limit: 10 } })).data.map(
        ({ status }) => status,
      );
    assert.deepEqual(await statuses(), ["pending", "pending"]);
    assert.equal((await context.ask("runs.get", { id: runId })).status, "queued");
    release.resolve();
    assert.equal((await context.ended(runId)).counts.new, 2);
  });

  it("ignores a comparison of other pixels than the row's", async () => {
    context.render = context.reportAll(() => "before");
    const first = await context.submit("stale", 1);
    await context.ended(first.id);
    await context.ask("runs.approve", { runId: first.id });
    context.render = context.reportAll(() => "after");
    const second = await context.submit("stale", 1);
    const screenshots = async () =>
      (await context.ask("runs.screenshots", { runId: second.id, query: { limit: 10 } })).data;
    const hashes = [captured("", "", "before").hash, captured("", "", "after").hash];
    const [baselineHash = "", currentHash = ""] = hashes;
    await until(async () => (await context.ask("runs.get", { id: second.id })).status === "comparing");
    const [{ id: screenshotId } = { id: "" }] = await screenshots();
    const found = { diffPixels: 3, diffRatio: 0.03, regions: [], fingerprint: "f", maskHash: null };
    await until(() => context.compared.some(job => job.screenshotId === screenshotId));
    const token = context.compared.find(job => job.screenshotId === screenshotId)?.token ?? "";
    const about = { runId: second.id, screenshotId, baselineHash, token };
    await context.report({ kind: "compared", ...about, ...found, currentHash: baselineHash });
    assert.equal((await screenshots())[0]?.status, "pending");
    await context.report({ kind: "compared", ...about, ...found, currentHash });
    assert.equal((await context.ended(second.id)).conclusion, "changed");

    const third = await context.submit("stale", 1);
    assert.equal(
      (await context.ended(third.id)).conclusion,
      "changed",
      "the same two images are not compared again",
    );
    assert.equal(
      (await context.ask("runs.screenshots", { runId: third.id, query: { limit: 10 } })).data[0]?.diffPixels,
      3,
    );
  });

  it("reuses a comparison only with the same color threshold", async () => {
    context.render = context.reportAll(() => "light");
    const first = await context.submit("shades", 1);
    await context.ended(first.id);
    await context.ask("runs.approve", { runId: first.id });
    context.render = context.reportAll(() => "lighter");
    const found = { diffRatio: 0, regions: [], fingerprint: null, maskHash: null };
    const look = async (options: SubmitRunInput["options"], diffPixels: number) => {
      context.compared.length = 0;
      const { id } = await context.ask("runs.submit", {
        id: newId("run"),
        body: submitRunBody.parse({ url: "https://example.com", routes: ["/0"], project: "shades", options }),
      });
      await until(() => context.compared.length > 0 || context.completed.includes(id));
      for (const { colorThreshold: _asked, ...pair } of context.compared)
        await context.report({ kind: "compared", ...pair, ...found, diffPixels });
      await context.ended(id);
      const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
      return [context.compared.map(job => job.colorThreshold), data.map(shot => shot.diffPixels)];
    };
    assert.deepEqual(await look(undefined, 1), [[0.1], [1]]);
    assert.deepEqual(await look({ colorThreshold: 0.02 }, 2), [[0.02], [2]]);
    assert.deepEqual(await look({ colorThreshold: 0.02 }, 3), [[], [2]]);
    assert.deepEqual(await look({ perRoute: { "/0": { colorThreshold: 0.1 } } }, 4), [[], [1]]);
  });

  it("notes that a page's recent screenshots all differ", async () => {
    const found = { diffRatio: 0.5, regions: [], fingerprint: null, maskHash: null, diffPixels: 50 };
    const shows = (text: string, other: string) =>
      context.reportAll(url => (url.endsWith("/1") ? other : text));
    const look = async (text: string, other: string) => {
      context.render = shows(text, other);
      context.compared.length = 0;
      const { id } = await context.submit("restless", 2);
      const reported = new Set<string>();
      await until(async () => {
        for (const { colorThreshold: _asked, ...pair } of context.compared) {
          if (reported.has(pair.screenshotId)) continue;
          reported.add(pair.screenshotId);
          await context.report({ kind: "compared", ...pair, ...found });
        }
        return context.completed.includes(id);
      });
      const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
      return {
        id,
        notes: data.map(shot => shot.notes.filter(note => note.includes("on every load")).length),
      };
    };
    const first = await look("one", "calm");
    await context.ask("runs.approve", { runId: first.id });
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
    context.render = context.reportAll(() => "first look");
    const first = await context.submit("repeated", 1);
    await context.ended(first.id);
    await context.ask("runs.approve", { runId: first.id });
    context.render = async job => {
      await context.reportAll(() => "second look")(job);
      const [{ id: screenshotId, token } = { id: "", token: "" }] = job.screenshots;
      await context.report({
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
    const { id } = await context.submit("repeated", 1);
    await rendered.promise;
    const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
    assert.equal(data[0]?.status, "pending", "its comparison is still to come");
  });

  it("keeps and compares the first of two simultaneous captures", async () => {
    context.render = context.reportAll(() => "before");
    const first = await context.submit("two at once", 1);
    await context.ended(first.id);
    await context.ask("runs.approve", { runId: first.id });
    context.compared.length = 0;
    const rendered = Promise.withResolvers<void>();
    context.render = async ({ runId, screenshots: [{ id, token } = { id: "", token: "" }] }) => {
      const looks = (pixels: string) =>
        context.report({ kind: "captured", ...captured(runId, id, pixels, token) });
      await Promise.all([looks("one"), looks("two")]);
      rendered.resolve();
    };
    await context.submit("two at once", 1);
    await rendered.promise;
    assert.deepEqual(
      context.compared.map(job => job.currentHash),
      [captured("", "", "one").hash],
    );
  });

  it("stores any characters in element names", async () => {
    context.render = async ({ runId, screenshots: [{ id, token } = { id: "", token: "" }] }) =>
      enqueueResult(context.queue, {
        kind: "captured",
        ...captured(runId, id, "moving", token),
        stable: false,
        moving: ["#a\0b (text)", "#\ud800 (text)"],
      });
    const { id } = await context.submit("characters", 1);
    await context.ended(id);
    const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 1 } });
    assert.deepEqual(data[0]?.moving, ["#a\ufffdb (text)", "#\ufffd (text)"]);
  });

  it("ignores later results of a canceled run", async () => {
    const started = Promise.withResolvers<CaptureJob>();
    const canceled = Promise.withResolvers<void>();
    context.render = async job => {
      started.resolve(job);
      await canceled.promise;
      await context.reportAll(url => url)(job);
    };
    const { id } = await context.submit("canceled", 1);
    const job = await started.promise;
    assert.equal((await context.ask("runs.cancel", { id })).status, "canceled");
    assert.equal((await context.ask("runs.cancel", { id })).status, "canceled");
    assert.deepEqual(context.stopped, [{ runId: id, teamId: "team_a" }]);
    canceled.resolve();
    await context.reportAll(url => url)(job);
    await context.whenHandled(id);
    const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 10 } });
    assert.equal(data[0]?.status, "pending");
  });

  // This test takes long, and only the fleet has the limit on message size.
  if (database === FLEET)
    it("completes a run of 2,000 screenshots, and returns it in pages", async () => {
      context.render = context.reportAll(url => url);
      const routes = Array.from({ length: 500 }, (_, index) => `/${index}`);
      const viewports = [320, 640, 960, 1280];
      const body = submitRunBody.parse({ url: "https://example.com", routes, viewports, project: "huge" });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      assert.equal((await context.ended(id)).counts.new, 2000);
      const report = await context.ask("runs.report", { id });
      assert.equal(report.screenshots.length, 500);
      assert.ok(JSON.stringify(report).length < 1_000_000, "each part small enough for one message");
    });
};

for (const database of [...DATABASES, FLEET])
  describe(`The results of jobs on ${database.name}`, resultsOn(database));
