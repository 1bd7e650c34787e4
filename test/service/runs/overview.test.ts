import assert from "node:assert/strict";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";

for (const kind of MAIN_DATABASES) {
  describe(`The overview of a project, on ${kind.name}`, () => {
    let context: RunsTestContext;
    runsContextOn(kind, started => {
      context = started;
    });

    const run = async (look: string, timings: Record<string, Record<string, number>> = {}) => {
      context.render = async job => {
        for (const { id, token } of job.screenshots) {
          const { pathname } = new URL(job.url);
          const own = captured(job.runId, id, `${look} ${pathname}`, token);
          const facts = { ...own, timings: timings[pathname] ?? {} };
          await enqueueResult(context.queue, { kind: "captured", ...facts });
        }
      };
      const body = submitRunBody.parse({
        url: "https://shop.example",
        project: "shop",
        routes: ["/", "/cart"],
      });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      await context.ended(id);
      return id;
    };
    const overview = (days = 7, as: Caller = caller) =>
      context.ask("runs.overview", { query: { project: "shop", days } }, as);

    it("counts runs and screenshots by day, and ranks pages by their time", async () => {
      const first = await run("old", { "/": { navigate: 100, shoot: 50 }, "/cart": { navigate: 900 } });
      await context.ask("runs.approve", { runId: first });
      await run("old", { "/": { navigate: 50 }, "/cart": { navigate: 300 } });
      const { totals, days, slowest, flakiest } = await overview();
      assert.deepEqual(
        { ...totals, medianMs: typeof totals.medianMs },
        {
          ...{ runs: 2, changed: 1, failed: 0, screenshots: 4, changedScreenshots: 2, medianMs: "number" },
          ...{ captures: 4, noisyCaptures: 0 },
        },
      );
      assert.equal(days.length, 7);
      assert.deepEqual(days.at(-1), { day: new Date().toISOString().slice(0, 10), ...totals });
      assert.deepEqual([days[0]?.runs, days[0]?.medianMs], [0, null]);
      assert.deepEqual(
        slowest.map(({ route, ms, captures }) => [route, ms, captures]),
        [
          ["/cart", 600, 2],
          ["/", 100, 2],
        ],
      );
      assert.deepEqual(flakiest, []);
    });

    it("counts captures that were noise by day", async () => {
      context.compare = job =>
        enqueueResult(context.queue, {
          ...{ kind: "compared", ...job, diffPixels: 3, diffRatio: 0.5, regions: [] },
          ...{ fingerprint: null, maskHash: null },
        });
      const before = (await overview()).totals;
      const runId = await run("noisy");
      await context.ask("runs.reject", { runId, reason: "a clock", noise: true });
      const { totals, days } = await overview();
      assert.deepEqual(
        [totals.captures - before.captures, totals.noisyCaptures - before.noisyCaptures],
        [2, 2],
      );
      assert.deepEqual(
        [days.at(-1)?.captures, days.at(-1)?.noisyCaptures],
        [totals.captures, totals.noisyCaptures],
      );
    });

    it("is of its own team only", async () => {
      await assert.rejects(overview(7, { ...caller, teamId: "team_other" }), { type: "not_found" });
    });
  });
}
