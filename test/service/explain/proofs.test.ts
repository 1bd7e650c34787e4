import assert from "node:assert/strict";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { ProofResult } from "../../../shared/contracts/runs/proof.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { causeWith } from "../../support/fixtures/explanations.ts";

const FILE = "https://shop.example/app.css";
const PROVEN: ProofResult = {
  ...{ outcome: "proven", files: [FILE], tried: 3, unkept: 0, captures: 2 },
  reason: null,
};

for (const kind of MAIN_DATABASES) {
  describe(`Proofs of causes, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let proofs: CaptureJob[] = [];
    /** Whether captures keep bodies. */
    const keeps: (true | undefined)[] = [];

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      proofs = [];
    });

    const start = async (project: string, look: string, options = {}, routes = ["/"]) => {
      context.compared.length = 0;
      context.render = async job => {
        if (job.proof) return void proofs.push(job);
        keeps.push(job.keepsBodies);
        for (const { id, token } of job.screenshots) {
          const own = captured(job.runId, id, `${project} ${look} ${job.url}`, token);
          await enqueueResult(context.queue, {
            ...{ kind: "captured", ...own, capsuleHash: `${project} ${look} ${new URL(job.url).pathname}` },
            bodies: [{ hash: `${look} body`, bytes: 100 }],
          });
        }
      };
      const body = submitRunBody.parse({ url: "https://shop.example", project, options, routes });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      return id;
    };
    /** Ends a run with one changed screenshot. @returns the run and its screenshot */
    const changed = async (project: string, options = {}, routes = ["/"]) => {
      const first = await start(project, "old", options, routes);
      await context.ended(first);
      await context.ask("runs.approve", { runId: first });
      const runId = await start(project, "new", options, routes);
      await until(async () => context.compared.length === routes.length);
      const file = { url: FILE, change: "changed" as const };
      const explanation = { causes: [causeWith("cause", { file })], effects: [], accessibility: [] };
      for (const { screenshotId, baselineHash, currentHash, token } of context.compared)
        await enqueueResult(context.queue, {
          ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token, explanation },
          ...{ diffPixels: 5, diffRatio: 0.05, regions: [], maskHash: null, fingerprint: screenshotId },
        });
      await context.ended(runId);
      return { runId, id: (await list(runId))[0]?.id ?? "" };
    };
    const list = async (runId: string) => {
      const query = { limit: 1000, cursor: undefined, status: undefined, order: undefined };
      return (await context.ask("runs.screenshots", { runId, query })).data;
    };
    const queued = async () => {
      await until(async () => proofs.length > 0);
      return proofs[0] ?? assert.fail("There is no job.");
    };
    const report = async ({ runId, screenshots }: CaptureJob, result: ProofResult) => {
      for (const { id, token } of screenshots)
        await context.report({ kind: "proved", runId, screenshotId: id, token, ...result });
    };

    it("capture the page with the run's options, and are in the views", async () => {
      const options = { headers: { "X-Preview": "secret" }, masks: ["#clock"] };
      const { runId, id } = await changed("shop", options);
      const running = await context.ask("runs.prove", { id });
      assert.deepEqual([running.status, running.outcome], ["running", null]);
      const job = await queued();
      assert.deepEqual(job.options.headers, options.headers);
      assert.deepEqual(job.options.masks, options.masks);
      assert.deepEqual(job.proof?.capsules, { baseline: "shop old /", current: "shop new /" });
      assert.deepEqual(job.proof?.suspects, [FILE]);
      await report(job, PROVEN);
      const [screenshot] = await list(runId);
      assert.equal(screenshot?.proof?.outcome, "proven");
      assert.equal(
        screenshot?.proof?.text,
        "Proven: with the baseline's `app.css`, the difference vanishes.",
      );
      assert.equal(screenshot?.status, "changed");
      const run = await context.ask("runs.get", { id: runId });
      assert.deepEqual(
        run.causes.map(({ isProven }) => isProven),
        [true],
      );
      const reported = await context.ask("runs.report", { id: runId });
      assert.equal(reported.screenshots[0]?.proof?.outcome, "proven");
    });

    it("mark causes by their file, also of another deployment", async () => {
      const { runId, id } = await changed("deployed");
      await context.ask("runs.prove", { id });
      await report(await queued(), { ...PROVEN, files: ["https://next.shop.example/app.css"] });
      const { causes } = await context.ask("runs.get", { id: runId });
      assert.deepEqual(
        causes.map(({ isProven }) => isProven),
        [true],
      );
    });

    it("mark no cause of another file", async () => {
      const { runId, id } = await changed("another file");
      await context.ask("runs.prove", { id });
      await report(await queued(), { ...PROVEN, files: ["https://shop.example/base.css"] });
      const { causes } = await context.ask("runs.get", { id: runId });
      assert.deepEqual(
        causes.map(({ isProven }) => isProven),
        [undefined],
      );
    });

    it("stay with the causes of a run when an ignore rule hides other screenshots", async () => {
      const { runId, id } = await changed("ruled", {}, ["/", "/noisy"]);
      await context.ask("runs.prove", { id });
      const job = await queued();
      await report(job, PROVEN);
      const shown = await list(runId);
      const noisy = shown.find(each => each.id !== id) ?? assert.fail("There is no other screenshot.");
      const { route, state, environment, viewport } = noisy;
      const place = { project: "ruled", route, state, environment, viewport };
      const rule = await context.ask("runs.acceptRegion", { ...place, threshold: 0.5, runId });
      assert.equal(rule.recompared?.unchanged, 1);
      const causes = async () => {
        const run = await context.ask("runs.get", { id: runId });
        return run.causes.map(({ screenshots, isProven }) => [screenshots, isProven]);
      };
      assert.deepEqual(await causes(), [[1, true]]);
      const { route: provenRoute = "" } = shown.find(each => each.id === id) ?? {};
      const second = { ...place, route: provenRoute, threshold: 0.5, runId };
      const hidden = await context.ask("runs.acceptRegion", second);
      assert.deepEqual(await causes(), []);
      await context.ask("runs.removeRegion", { id: hidden.id, runId });
      assert.deepEqual(await causes(), [[1, true]]);
    });

    it("run once, whoever asks, and end once", async () => {
      const { runId, id } = await changed("once");
      const answers = await Promise.all([1, 2, 3].map(() => context.ask("runs.prove", { id })));
      assert.ok(answers.every(({ status }) => status === "running"));
      const job = await queued();
      await report(job, { ...PROVEN, outcome: "unreachable", files: [], reason: "Gone." });
      await report(job, PROVEN);
      assert.equal((await list(runId))[0]?.proof?.outcome, "unreachable");
      assert.equal(proofs.length, 1);
      // The page may be reachable again.
      assert.equal((await context.ask("runs.prove", { id })).status, "running");
      await until(async () => proofs.length === 2);
      await report(proofs[1] ?? job, PROVEN);
      assert.equal((await context.ask("runs.prove", { id })).outcome, "proven");
      assert.equal(proofs.length, 2);
    });

    it("count as runs that exist, so that their usage isn't given back", async () => {
      const { id } = await changed("usage");
      assert.deepEqual(await context.ask("runs.rendered", { ids: [id] }), { rendered: [], waiting: [] });
      await context.ask("runs.prove", { id });
      assert.deepEqual(await context.ask("runs.rendered", { ids: [id] }), { rendered: [id], waiting: [] });
    });

    it("are refused for screenshots that didn't change, and of other teams", async () => {
      const first = await start("same", "old");
      await context.ended(first);
      const [screenshot] = await list(first);
      await assert.rejects(context.ask("runs.prove", { id: screenshot?.id ?? "" }), { type: "conflict" });
      await assert.rejects(context.ask("runs.prove", { id: "shot_unknown" }), { type: "not_found" });
      const { id } = await changed("foreign");
      const other = { ...caller, teamId: "team_b", actor: { ...caller.actor, id: "key_b" } };
      await assert.rejects(context.ask("runs.prove", { id }, other), { type: "not_found" });
    });

    it("are limited per minute", async () => {
      const routes = Array.from({ length: 11 }, (_, n) => `/${n}`);
      const ids = (await list((await changed("limit", {}, routes)).runId)).map(({ id }) => id);
      const outcomes = await Promise.allSettled(ids.map(id => context.ask("runs.prove", { id })));
      const refused = outcomes.filter(({ status }) => status === "rejected");
      assert.ok(refused.length >= 1);
      for (const outcome of refused)
        assert.equal(outcome.status === "rejected" && outcome.reason.type, "rate_limited");
    });

    it("make captures keep bodies", () => {
      assert.ok(keeps.length > 0 && keeps.every(keep => keep === true));
    });
  });
}
