import assert from "node:assert/strict";
import {
  type CompareInput,
  type ComparisonView,
  compareQuery,
} from "../../../shared/contracts/comparisons/comparisons.ts";
import type { Explanation } from "../../../shared/contracts/runs/explanation.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { enqueueResult } from "../../../shared/contracts/work-queue.ts";
import { newId } from "../../../shared/ids.ts";
import { runsContextOn } from "../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { explanationWith } from "../../support/fixtures/explanations.ts";

const PADDING = "`.card` padding 12px → 16px";
const stranger = { ...caller, teamId: "team_b" };

for (const kind of MAIN_DATABASES) {
  describe(`Comparisons of two sides, on ${kind.name}`, () => {
    let context: RunsTestContext;

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      context.compared.length = 0;
    });

    /** Captures these pages with these pixels, each with a capsule. @returns the id of the run */
    const capture = async (project: string, pages: Record<string, string>, more: object = {}) => {
      context.render = async job => {
        const pixels = pages[new URL(job.url).pathname] ?? "";
        for (const { id, token } of job.screenshots) {
          const environment = job.environment ? " dark" : "";
          const own = captured(job.runId, id, `${pixels}${environment}`, token);
          const capsuleHash = `capsule of ${pixels}${environment}`;
          await enqueueResult(context.queue, { kind: "captured", ...own, capsuleHash });
        }
      };
      const routes = Object.keys(pages);
      const body = submitRunBody.parse({ url: "https://shop.example", project, routes, ...more });
      const { id } = await context.ask("runs.submit", { id: newId("run"), body });
      await context.ended(id);
      return id;
    };
    const compare = (query: CompareInput, as = caller): Promise<ComparisonView> =>
      context.ask("runs.compare", { query: compareQuery.parse(query) }, as);
    /** Answers the queued comparisons as a differ does. */
    const answer = async (expected: number, explanation?: Explanation) => {
      await until(async () => context.compared.length === expected);
      for (const { runId, screenshotId, baselineHash, currentHash, token } of context.compared.splice(0)) {
        await enqueueResult(context.queue, {
          ...{ kind: "compared", runId, screenshotId, baselineHash, currentHash, token },
          ...{ diffPixels: 5, diffRatio: 0.05, maskHash: "mask", fingerprint: screenshotId },
          regions: [{ x: 1, y: 2, width: 3, height: 4 }],
          ...(explanation && { explanation }),
        });
      }
      await context.whenHandled(caller.teamId);
    };
    const statuses = ({ data }: ComparisonView) => data.map(({ route, status }) => `${route} ${status}`);

    it("compare only differing pairs, once, with explanations and groups", async () => {
      const base = await capture("one", { "/": "home", "/a": "a", "/b": "b", "/old": "old" });
      const head = await capture("two", { "/": "home", "/a": "a2", "/b": "b2", "/new": "new" });
      const first = await compare({ base: `run:${base}`, head });
      assert.deepEqual(statuses(first), [
        "/ unchanged",
        "/a comparing",
        "/b comparing",
        "/new added",
        "/old removed",
      ]);
      assert.deepEqual([first.status, first.progress], ["comparing", { total: 3, compared: 1 }]);
      await Promise.all([compare({ base, head }), compare({ base, head })]);
      await answer(2, explanationWith(PADDING));
      const done = await compare({ base, head });
      assert.deepEqual([done.status, done.progress], ["completed", { total: 3, compared: 3 }]);
      assert.deepEqual(done.counts, {
        ...{ unchanged: 1, minor: 0, changed: 2, added: 1, removed: 1, failed: 0, comparing: 0 },
      });
      assert.deepEqual(
        done.groups.map(({ cause, pages }) => [cause, pages.length]),
        [[PADDING, 2]],
      );
      assert.deepEqual(
        done.causes.map(({ text, screenshots }) => [text, screenshots]),
        [[PADDING, 2]],
      );
      const changed = done.data[1];
      assert.deepEqual(changed?.regions, [{ x: 1, y: 2, width: 3, height: 4 }]);
      assert.match(changed?.images.diff ?? "", /\/v1\/images\/team_a\//);
      assert.equal(changed?.base?.runId, base);
      await compare({ base, head });
      await compare({ base, head, route: "/a" });
      assert.equal(context.compared.length, 0, "a stored comparison costs no other");
    });

    it("give the differ both capsules, the ignore regions and no image", async () => {
      const base = await capture("regions", { "/": "clock 1" });
      const head = await capture(
        "regions",
        { "/": "clock 2" },
        { branch: "other", options: { ignoreRegions: [{ x: 0, y: 0, width: 5, height: 5 }] } },
      );
      // The run itself has no baseline, so the only comparison is this one.
      await compare({ base, head });
      await until(async () => context.compared.length === 1);
      const [job] = context.compared;
      assert.deepEqual(job?.capsules, { baseline: "capsule of clock 1", current: "capsule of clock 2" });
      assert.deepEqual(
        job?.ignoreRegions?.map(({ x, y, width, height }) => [x, y, width, height]),
        [[0, 0, 5, 5]],
      );
      await answer(1);
    });

    it("compare branches by their latest baselines, with the default branch for the others", async () => {
      const main = await capture("shop", { "/": "main", "/about": "about" });
      await context.ask("runs.approve", { runId: main });
      const query = { base: "branch:shop:main", head: "branch:shop:feature" };
      await assert.rejects(compare(query), /no baselines on the branch feature/);
      const ending = capture("shop", { "/": "feature" }, { branch: "feature", partial: true });
      await answer(1);
      await context.ask("runs.approve", { runId: await ending });
      await compare(query);
      await answer(1);
      assert.deepEqual(statuses(await compare(query)), ["/ changed", "/about unchanged"]);
    });

    it("compare two environments of one run", async () => {
      const run = await capture(
        "modes",
        { "/": "home" },
        { options: { environments: { dark: { colorScheme: "dark" } } } },
      );
      const query = { base: run, head: run, baseEnvironment: "default", headEnvironment: "dark" };
      await compare(query);
      await answer(1);
      const { data } = await compare(query);
      assert.deepEqual(
        data.map(({ environment, base, status }) => [environment, base?.environment, status]),
        [["dark", null, "changed"]],
      );
    });

    it("refuse what the team doesn't have, and unfinished runs", async () => {
      const run = await capture("private", { "/": "secret" });
      await context.ask("runs.approve", { runId: run });
      const own = { base: run, head: run };
      for (const query of [own, { ...own, base: "branch:private:main" }, { ...own, base: newId("look") }])
        await assert.rejects(compare(query, stranger), { type: "not_found" });
      await assert.rejects(compare({ ...own, head: newId("run") }), /retention period/);
      await assert.rejects(compare({ ...own, head: newId("mon") }), { type: "not_found" });
      context.render = async () => {};
      const { id } = await context.submit("private", 1);
      await assert.rejects(compare({ ...own, head: id }), { type: "conflict" });
    });

    it("ignore results without the job's token, and show failed comparisons", async () => {
      const base = await capture("fail", { "/": "1" });
      const head = await capture("fail-2", { "/": "2" });
      await compare({ base, head });
      await until(async () => context.compared.length === 1);
      const [job] = context.compared;
      assert.ok(job);
      const { runId, screenshotId } = job;
      const failed = { kind: "failed", runId, screenshotId, stage: "compare", reason: "broken" } as const;
      await context.report({ ...failed, token: "forged" });
      assert.equal((await compare({ base, head })).status, "comparing");
      await context.report({ ...failed, token: job.token });
      const { status, data } = await compare({ base, head });
      assert.deepEqual([status, data[0]?.status], ["completed", "failed"]);
      assert.match(data[0]?.error ?? "", /could not be compared/);
    });

    it("continue a list with its cursor, and refuse that of another comparison", async () => {
      const run = await capture("pages", { "/": "1", "/a": "2", "/b": "3" });
      const query = { base: run, head: run, limit: 2 };
      const { data, nextCursor } = await compare(query);
      assert.deepEqual([data.length, nextCursor === null], [2, false]);
      const rest = await compare({ ...query, cursor: nextCursor ?? "" });
      assert.deepEqual([statuses(rest), rest.nextCursor], [["/b unchanged"], null]);
      await assert.rejects(compare({ ...query, route: "/a", cursor: nextCursor ?? "" }), {
        type: "invalid_request",
      });
    });

    it("are computed once for all parts of a list", async () => {
      const routes = Array.from({ length: 9 }, (_, index) => `/${index}`);
      const pages = Object.fromEntries(routes.map(route => [route, route]));
      const base = await capture("parts", pages);
      await context.ask("runs.approve", { runId: base });
      const query = { base: "branch:parts:main", head: base, limit: 4 };
      const first = await compare(query);
      // A list is of one moment, so later baselines count for the next one.
      const ending = capture("parts", { "/8": "other" }, { partial: true });
      await answer(1);
      await context.ask("runs.approve", { runId: await ending });
      const rest: string[] = [];
      for (let { nextCursor } = first; nextCursor !== null; ) {
        const part = await compare({ ...query, cursor: nextCursor });
        rest.push(...statuses(part));
        nextCursor = part.nextCursor;
      }
      assert.deepEqual(
        rest,
        ["/4", "/5", "/6", "/7", "/8"].map(route => `${route} unchanged`),
      );
      await assert.rejects(compare({ ...query, cursor: first.nextCursor ?? "" }, stranger), {
        type: "not_found",
      });
      assert.equal((await compare(query)).status, "comparing");
      await answer(1);
      assert.equal((await compare(query)).counts.changed, 1);
    });

    it("compare the other pages, even if as many fail as may be open", async () => {
      const pagesOf = (look: string) =>
        Object.fromEntries(Array.from({ length: 205 }, (_, index) => [`/${index}`, `${look} ${index}`]));
      const base = await capture("failing", pagesOf("before"));
      const head = await capture("failing-2", pagesOf("after"));
      await compare({ base, head });
      await until(async () => context.compared.length === 200);
      for (const { runId, screenshotId, token } of context.compared.splice(0)) {
        const failed = { kind: "failed", runId, screenshotId, stage: "compare", reason: "broken" } as const;
        await enqueueResult(context.queue, { ...failed, token });
      }
      await context.whenHandled(caller.teamId);
      await compare({ base, head });
      await answer(5);
      const { status, counts } = await compare({ base, head });
      assert.deepEqual([status, counts.failed, counts.changed], ["completed", 200, 5]);
    });

    it("have at most 200 open comparisons of a team", async () => {
      const pagesOf = (look: string) =>
        Object.fromEntries(Array.from({ length: 230 }, (_, index) => [`/${index}`, `${look} ${index}`]));
      const base = await capture("many", pagesOf("old"));
      const head = await capture("many-2", pagesOf("new"));
      await compare({ base, head });
      await until(async () => context.compared.length >= 200);
      assert.equal(context.compared.length, 200);
      await compare({ base, head });
      await answer(200);
      assert.equal((await compare({ base, head })).counts.comparing, 30);
      await answer(30);
      assert.equal((await compare({ base, head })).status, "completed");
    });
  });
}
