import assert from "node:assert/strict";
import { compareQuery } from "../../../shared/contracts/comparisons/comparisons.ts";
import { looksQuery } from "../../../shared/contracts/comparisons/looks.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";

const BANNER = "`#banner` was added";
const query = looksQuery.parse({ route: "/", viewport: 1280 });

for (const kind of MAIN_DATABASES) {
  describe(`Looks of monitored pages, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let monitorId = "";
    /** How many pixels the next comparisons find with a slightly different color, instead of changed ones. */
    let faintPixels = 0;

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      monitorId = newId("mon");
      faintPixels = 0;
    });

    /** Captures the page with these pixels, and answers its comparisons like a differ. */
    const capture = async (project: string, pixels: string, fingerprint = pixels, more: object = {}) => {
      context.compared.length = 0;
      context.render = async job => {
        for (const { id, token } of job.screenshots)
          await enqueueResult(context.queue, {
            ...{ kind: "captured", ...captured(job.runId, id, pixels, token) },
            capsuleHash: `capsule of ${pixels}`,
          });
      };
      const body = submitRunBody.parse({ url: "https://shop.example", project, ...more });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      const isEnded = async () => (await context.ask("runs.get", { id })).completedAt !== null;
      await until(async () => context.compared.length > 0 || (await isEnded()));
      await answer(fingerprint);
      await context.ended(id);
      return id;
    };
    const answer = async (fingerprint: string) => {
      for (const { runId, screenshotId, baselineHash, currentHash, token } of context.compared.splice(0)) {
        await enqueueResult(context.queue, {
          ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token, fingerprint },
          ...(faintPixels > 0
            ? { faintPixels, diffPixels: 0, diffRatio: 0 }
            : { diffPixels: 50, diffRatio: 0.5 }),
          ...{ regions: [], maskHash: null },
          explanation: explanationWith(BANNER),
        });
        await context.whenHandled(runId);
      }
    };
    const listPages = async (runId: string) =>
      (await context.ask("runs.screenshots", { runId, query: { limit: 10 } })).data;
    /** Ends a check of the monitor, so many minutes ago. @returns its id */
    const check = async (pixels: string, minutesAgo: number, checkId = newId("chk")) => {
      const project = `monitor/${monitorId}`;
      const runId = await capture(project, pixels);
      const pages = (await listPages(runId)).map(({ id: screenshotId }) => ({ runId, screenshotId }));
      const at = new Date(Date.now() - minutesAgo * 60_000).toISOString();
      const seen = { teamId: caller.teamId, project, checkId, at, pages };
      await Promise.all([context.ask("runs.recordLooks", seen), context.ask("runs.recordLooks", seen)]);
      return { checkId, runId, seen };
    };
    const list = (as = caller) =>
      context.ask("runs.looks", { project: `monitor/${monitorId}`, site: "https://shop.example", query }, as);

    it("have each distinct look once, with its time and the cause of its change", async () => {
      const first = await check("old", 50);
      await context.ask("runs.approve", { runId: first.runId });
      const second = await check("old", 40);
      await check("banner", 30);
      await check("old", 20);
      assert.equal((await list()).status, "comparing");
      await until(async () => context.compared.length === 2);
      await answer("banner");
      const { status, looks } = await list();
      assert.deepEqual(
        looks.map(({ checks, change }) => [checks, change?.explanation?.causes[0]?.text]),
        [
          [2, undefined],
          [1, BANNER],
          [1, BANNER],
        ],
      );
      assert.equal(status, "completed");
      assert.deepEqual(
        looks.map(({ until: end }) => end),
        [looks[1]?.from, looks[2]?.from, null],
      );
      assert.deepEqual([looks[0]?.checkId, looks[0]?.seenAt], [first.checkId, second.seen.at]);
      await context.ask("runs.recordLooks", second.seen);
      assert.equal((await list()).looks.length, 3, "a late repetition changes nothing");
      assert.deepEqual((await list({ ...caller, teamId: "team_b" })).looks, []);
    });

    it("tell slightly different colors apart", async () => {
      const first = await check("blue", 50);
      await context.ask("runs.approve", { runId: first.runId });
      faintPixels = 50;
      await check("other blue", 40);
      const { looks } = await list();
      assert.deepEqual(
        looks.map(({ checks }) => checks),
        [1, 1],
      );
      await until(async () => context.compared.length === 1);
      await answer("other blue");
      const { change } = (await list()).looks[1] ?? {};
      assert.deepEqual([change?.status, change?.diffPixels, change?.faintPixels], ["compared", 0, 50]);
    });

    it("are sides of comparisons, by time, by check and by id", async () => {
      const first = await check("old", 50);
      const second = await check("new", 30);
      const { looks } = await list();
      const at = new Date(Date.now() - 40 * 60_000).toISOString();
      const compare = (base: string, head: string, as = caller) =>
        context.ask("runs.compare", { query: compareQuery.parse({ base, head }) }, as);
      const all = await Promise.all([
        compare(`${monitorId}@${at}`, monitorId),
        compare(`${monitorId}@${first.checkId}`, `${monitorId}@${second.checkId}`),
        compare(looks[0]?.id ?? "", looks[1]?.id ?? ""),
      ]);
      for (const { data } of all)
        assert.deepEqual(
          data.map(({ base, head }) => [base?.runId, head?.runId]),
          [[first.runId, second.runId]],
        );
      await assert.rejects(compare(`${monitorId}@2020-01-01`, monitorId), /later moment/);
      await assert.rejects(compare(monitorId, monitorId, { ...caller, teamId: "team_b" }), {
        type: "not_found",
      });
      await assert.rejects(compare(looks[0]?.id ?? "", monitorId, { ...caller, teamId: "team_b" }), {
        type: "not_found",
      });
    });

    it("mark the same change of a later run, which still needs review", async () => {
      const project = `shop of ${monitorId}`;
      const main = await capture(project, "old");
      await context.ask("runs.approve", { runId: main });
      const first = await check("old", 50);
      await context.ask("runs.approve", { runId: first.runId });
      const { seen } = await check("banner", 30);
      const runId = await capture(project, "banner", "banner", { branch: "feature" });
      const [page] = await listPages(runId);
      assert.deepEqual(
        [page?.status, page?.review, page?.production?.since, page?.production?.monitorId],
        ["changed", null, seen.at, monitorId],
      );
      const { looks } = await list();
      assert.equal(page?.production?.lookId, looks[1]?.id);
      assert.match(page?.production?.link ?? "", new RegExp(`/monitors/${monitorId}\\?look=look_`));
      const { screenshots } = await context.ask("runs.report", { id: runId });
      assert.equal(screenshots[0]?.production?.since, seen.at);
    });

    it("mark nothing that production no longer has", async () => {
      const project = `fixed of ${monitorId}`;
      await context.ask("runs.approve", { runId: await capture(project, "old") });
      const first = await check("old", 50);
      await context.ask("runs.approve", { runId: first.runId });
      await check("broken", 30);
      await check("old", 10);
      const runId = await capture(project, "broken", "broken", { branch: "feature" });
      assert.equal((await listPages(runId))[0]?.production, null);
    });

    it("are deleted with the monitor", async () => {
      for (let index = 0; index < 3; index += 1) await check(`look ${index}`, 50 - index);
      assert.equal((await list()).looks.length, 3);
      await context.ask("runs.deleteBaselines", { teamId: caller.teamId, project: `monitor/${monitorId}` });
      assert.equal((await list()).looks.length, 0);
    });
  });
}
