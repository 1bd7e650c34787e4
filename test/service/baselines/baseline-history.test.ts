import assert from "node:assert/strict";
import { pageName } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { BaselineView, ListBaselinesQuery } from "../../../shared/contracts/runs/baselines.ts";
import { contextOn } from "../../support/contexts/context-on.ts";
import { person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { OPEN_AND_DARK } from "../../support/fixtures/sites/job-pages.ts";

const [ada, bob] = [person("ada"), person("bob")];
const otherTeam = { ...person("eve"), teamId: "team_of_others" };

for (const kind of MAIN_DATABASES) {
  describe(`Baselines and their history on ${kind.name}`, () => {
    let context: ReviewTestContext;
    let projects = 0;
    /** Each test has its own project. */
    let project: string;

    contextOn(
      kind,
      env => ReviewTestContext.start(env),
      started => {
        context = started;
      },
    );
    beforeEach(() => {
      projects += 1;
      project = `project ${projects}`;
    });

    const approve = (runId: string, as = ada) => context.ask("runs.approve", { runId }, as);
    const run = (looks: Record<string, string>, pr?: number) =>
      context.run({ project, looks, ...(pr && { pr }) });
    const approved = async (look: string, pr?: number, as = ada) => {
      const id = await run({ "/": look }, pr);
      await approve(id, as);
      return id;
    };
    const baselines = async (query: Partial<ListBaselinesQuery> = {}, as = ada) =>
      context.ask("runs.baselines", { query: { project, limit: 100, ...query } }, as);
    const place = () => ({
      ...{ project, route: "/", state: null, environment: null, viewport: 1280, limit: 100 },
    });
    const history = async (more = {}, as = ada) =>
      (await context.ask("runs.baselineHistory", { query: { ...place(), ...more } }, as)).data;
    const restore = (id: string | undefined, as = ada) =>
      context.ask("runs.restoreBaseline", { id: id ?? "" }, as);
    const lookedLike = async (look: string) => {
      const id = await run({ "/": look });
      return context.conclusion(id);
    };
    const named = ({ runId, inForce, branch, pr }: BaselineView) => ({ runId, inForce, branch, pr });

    it("lists current baselines by route and width, in pages, of one branch or pull request", async () => {
      const routes = ["/", "/A", "/a", "/b%_", `/${"x".repeat(1_900)}`];
      const first = await run(Object.fromEntries(routes.map(route => [route, "old/1"])));
      await approve(first);
      const second = await run({ "/": "red/1" });
      await approve(second, bob);
      const { data } = await baselines();
      assert.deepEqual(data.map(({ route }) => route).sort(), [...routes].sort());
      const home = data.find(({ route }) => route === "/");
      assert.deepEqual(
        { runId: home?.runId, by: home?.approvedBy, branch: home?.branch, pr: home?.pr, kept: home?.runKept },
        { runId: second, by: ["bob"], branch: "main", pr: null, kept: true },
      );
      assert.match(home?.image ?? "", /\/v1\/images\//);

      const inParts: string[] = [];
      let cursor: string | null | undefined;
      do {
        const part = await baselines({ limit: 2, ...(cursor && { cursor }) });
        assert.ok(part.data.length <= 2);
        inParts.push(...part.data.map(({ id }) => id));
        cursor = part.nextCursor;
      } while (cursor !== null);
      assert.deepEqual(
        inParts,
        data.map(({ id }) => id),
      );

      assert.deepEqual(
        (await baselines({ find: "B%_" })).data.map(({ route }) => route),
        ["/b%_"],
      );
      assert.equal((await baselines({ route: "/a" })).data.length, 1);
      assert.equal((await baselines({ viewport: 375 })).data.length, 0);
      assert.equal((await baselines({ pr: 3 })).data.length, 0);
      await approved("blue/1", 3);
      assert.equal((await baselines({ pr: 3 })).data.length, 1);
      assert.equal((await baselines({ branch: "main" })).data.length, routes.length);
    });

    it("shows nothing of another team, and refuses its cursors", async () => {
      await approved("old/1");
      assert.deepEqual((await baselines({}, otherTeam)).data, []);
      assert.deepEqual(await history({}, otherTeam), []);
      const seen = await context.ask("runs.screenshotHistory", { query: place() }, otherTeam);
      assert.deepEqual(seen.data, []);
      const theirs = await context.ask("runs.projects", { query: { limit: 10 } }, otherTeam);
      assert.deepEqual(theirs.data, []);
      const [baseline] = await history();
      await assert.rejects(restore(baseline?.id, otherTeam), { type: "not_found" });
      for (const cursor of ["x", Buffer.from('["/"]').toString("base64url"), "W10"])
        await assert.rejects(baselines({ cursor }), { type: "invalid_request" }, cursor);
    });

    it("lists a page's history with the approved changes and the current baselines", async () => {
      const first = await approved("old/1");
      const second = await approved("red/1", undefined, bob);
      const pulled = await approved("blue/1", 7);
      const all = await history();
      assert.deepEqual(all.map(named), [
        { runId: pulled, inForce: true, branch: null, pr: 7 },
        { runId: second, inForce: true, branch: "main", pr: null },
        { runId: first, inForce: false, branch: "main", pr: null },
      ]);
      const [inPull, latest, oldest] = all;
      assert.match(inPull?.commit ?? "", /^[0-9a-f]{40}$/);
      assert.equal(latest?.commit, null);
      assert.equal(oldest?.change, null, "there was nothing to compare with");
      assert.equal(latest?.change?.diffRatio, 0.03);
      assert.equal(latest?.change?.images.baseline, oldest?.image);
      assert.deepEqual((await history({ pr: 7 })).map(named), all.slice(0, 1).map(named));
      assert.deepEqual((await history({ branch: "main" })).map(named), all.slice(1).map(named));

      const page = (cursor?: string) =>
        context.ask("runs.baselineHistory", { query: { ...place(), limit: 2, ...(cursor && { cursor }) } });
      const { data, nextCursor } = await page();
      const rest = await page(nextCursor ?? "");
      assert.deepEqual([...data, ...rest.data].map(named), all.map(named));
      assert.equal(rest.nextCursor, null);
    });

    it("restores an approval as the baseline of the next run, and can restore the other one again", async () => {
      await approved("old/1");
      await approved("red/1", undefined, bob);
      const [red, old] = await history();
      const view = await restore(old?.id, bob);
      assert.equal(view.inForce, true);
      assert.equal(view.restored?.by, "bob");
      assert.deepEqual(view.approvedBy, ["ada"], "keeps the approver");
      const after = await history();
      assert.deepEqual(
        after.map(({ id, inForce }) => [id, inForce]),
        [
          [old?.id, true],
          [red?.id, false],
        ],
      );
      assert.equal(await lookedLike("old/1"), "passed");
      assert.equal(await lookedLike("red/1"), "changed");
      // A repeated restore changes nothing.
      assert.deepEqual(await restore(old?.id, ada), view);
      await restore(red?.id);
      assert.equal(await lookedLike("red/1"), "passed");
    });

    it("restores one state in one environment, and leaves the others of the page", async () => {
      const more = { routes: ["/"], options: OPEN_AND_DARK };
      const runAll = (looks: Record<string, string>) => context.run({ project, looks, more });
      const statuses = async (looks: Record<string, string>) =>
        Object.fromEntries(
          (await context.screenshots(await runAll(looks))).map(page => [pageName(page), page.status]),
        );
      for (const look of ["old/1", "red/1"]) await approve(await runAll({ "/": look }));
      const [red, old] = await history({ state: "open", environment: "dark" });
      const key = { state: "open", environment: "dark" };
      for (const baseline of [red, old])
        assert.deepEqual({ state: baseline?.state, environment: baseline?.environment }, key);
      // The same pixels are rejected on another page.
      const runId = await runAll({ "/": "old/1" });
      const other = (await context.screenshots(runId)).find(page => pageName(page) === "/ (dark)");
      await context.ask("runs.reject", { runId, screenshots: [other?.id ?? ""], reason: "not here" }, bob);
      await assert.rejects(restore((await history({ environment: "dark" }))[1]?.id), { type: "conflict" });
      await restore(old?.id);
      assert.deepEqual(
        (await history(key)).map(({ id, inForce }) => [id, inForce]),
        [
          [old?.id, true],
          [red?.id, false],
        ],
      );
      const changed = { "/": "changed", "/ › open": "changed", "/ (dark)": "changed" };
      assert.deepEqual(await statuses({ "/": "old/1" }), { ...changed, "/ › open (dark)": "unchanged" });
      for (const page of [{}, { state: "open" }, { environment: "dark" }])
        assert.deepEqual(
          (await history(page)).map(({ inForce }) => inForce),
          [true, false],
        );
    });

    it("restores no rejected or undone approval", async () => {
      await approved("old/1");
      const latest = await approved("red/1");
      const [, old] = await history();
      const back = await run({ "/": "old/1" });
      await context.ask("runs.reject", { runId: back, reason: "that was the fault" }, bob);
      await assert.rejects(restore(old?.id), { type: "conflict" });
      assert.equal((await history())[1]?.inForce, false);
      await context.ask("runs.dismiss", { runId: back, reason: "it was none", own: true }, bob);
      assert.equal((await restore(old?.id)).inForce, true);
      await context.ask("runs.reject", { runId: old?.runId ?? "", reason: "no" }, bob);
      assert.deepEqual((await history()).map(named), [
        { runId: latest, inForce: true, branch: "main", pr: null },
      ]);
      await assert.rejects(restore(old?.id), { type: "not_found" });
    });

    it("lists a page's status and capture times in each run", async () => {
      const first = await approved("old/1");
      const second = await run({ "/": "red/1" });
      await run({ "/other": "red/1" });
      const { data } = await context.ask("runs.screenshotHistory", { query: place() });
      assert.deepEqual(
        data.map(({ runId, status, review, diffRatio }) => [runId, status, review, diffRatio]),
        [
          [second, "changed", null, 0.03],
          [first, "new", "approved", null],
        ],
      );
      assert.deepEqual(data[0]?.timings, { load: 13 });
      assert.equal(data[0]?.browser, "chromium 1");
      const part = await context.ask("runs.screenshotHistory", { query: { ...place(), limit: 1 } });
      const rest = await context.ask("runs.screenshotHistory", {
        query: { ...place(), limit: 1, cursor: part.nextCursor ?? "" },
      });
      assert.deepEqual([...part.data, ...rest.data], data);
      assert.equal(rest.nextCursor, null);
    });

    it("lists projects with the branches and pull requests that have approvals", async () => {
      await approved("old/1");
      await approved("red/1", 12);
      await approved("blue/1", 3);
      const { data } = await context.ask("runs.projects", {
        query: { limit: 10, find: project.toUpperCase() },
      });
      const found = data.find(({ name }) => name === project);
      assert.deepEqual(
        { branches: found?.branches, pulls: found?.pullRequests, main: found?.defaultBranch },
        { branches: ["main"], pulls: [12, 3], main: "main" },
      );
    });
  });
}
