import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { CaptureJob } from "../../../shared/contracts/runs/jobs.ts";
import type { ListRunsQuery } from "../../../shared/contracts/runs/runs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { tunnelKey } from "../../../shared/contracts/runs/tunnels.ts";
import { newId } from "../../../shared/ids.ts";
import { caller, RunsTestContext } from "../../support/contexts/runs-context.ts";
import { DATABASES, type DatabaseKind, FLEET, type TestDatabase } from "../../support/databases/databases.ts";

const runsServiceOn = (database: DatabaseKind) => () => {
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

  it("returns one run for the same message twice", async () => {
    context.render = context.reportAll(url => url);
    const message = { id: newId("run"), body: submitRunBody.parse({ url: "https://example.com" }) };
    const answers = await Promise.all([1, 2, 3].map(() => context.ask("runs.submit", message)));
    assert.deepEqual(new Set(answers.map(answer => answer.id)), new Set([message.id]));
    assert.ok(answers.every(answer => answer.deduplicated === undefined));
    assert.equal((await context.ended(message.id)).counts.new, 1);
  });

  it("returns the idempotency key's run, even if the commit has another one", async () => {
    context.render = context.reportAll(url => url);
    const scm = (sha: string) => ({ owner: "o", repo: "r", sha });
    const body = (sha: string) => submitRunBody.parse({ url: "https://example.com", scm: scm(sha) });
    const other = await context.ask("runs.submit", { id: newId("run"), body: body("aaaaaaa") });
    const own = await context.ask("runs.submit", {
      id: newId("run"),
      body: body("bbbbbbb"),
      idempotencyKey: "own",
    });
    assert.notEqual(own.id, other.id);
    const conflict = context.ask("runs.submit", {
      id: newId("run"),
      body: body("aaaaaaa"),
      idempotencyKey: "own",
    });
    await assert.rejects(conflict, { type: "invalid_request" });
    const again = await context.ask("runs.submit", {
      id: newId("run"),
      body: body("bbbbbbb"),
      idempotencyKey: "own",
    });
    assert.equal(again.id, own.id);
  });

  it("gives a tunnel to its jobs by the team's own key, and never repeats its run", async () => {
    const jobs: CaptureJob[] = [];
    const render = context.reportAll(url => url);
    context.render = async job => {
      jobs.push(job);
      await render(job);
    };
    const tunnel = "t".repeat(43);
    const scm = { owner: "o", repo: "local", sha: "ccccccc" };
    const body = submitRunBody.parse({ url: "http://localhost:3000", scm, tunnel });
    const [first, second] = [
      await context.ask("runs.submit", { id: newId("run"), body }),
      await context.ask("runs.submit", { id: newId("run"), body }),
    ];
    assert.notEqual(first.id, second.id);
    for (const { id } of [first, second]) await context.ended(id);
    const [{ tunnel: key } = { tunnel: "" }] = jobs;
    assert.match(key ?? "", /^[0-9a-f]{64}$/);
    assert.deepEqual([...new Set(jobs.map(job => job.tunnel))], [tunnelKey(caller.teamId, tunnel)]);
    assert.notEqual(key, tunnelKey("team_b", tunnel));
    const { tunnel: _tunnel, ...direct } = body;
    await assert.rejects(context.ask("runs.submit", { id: newId("run"), body: direct }), {
      type: "invalid_request",
      message: /localhost/,
    });
  });

  it("counts both halves of two simultaneous reviews", async () => {
    context.render = context.reportAll(url => url);
    const { id } = await context.submit("review", 10);
    await context.ended(id);
    const { data } = await context.ask("runs.screenshots", { runId: id, query: { limit: 100 } });
    const ids = data.map(screenshot => screenshot.id);
    await Promise.all([
      context.ask("runs.approve", { runId: id, screenshots: ids.slice(0, 5) }),
      context.ask("runs.approve", { runId: id, screenshots: ids.slice(5) }),
    ]);
    assert.equal((await context.ask("runs.get", { id })).conclusion, "approved");
  });

  it("returns the submitter's name at submission", async () => {
    context.render = context.reportAll(url => url);
    const { id } = await context.submit("whose", 1);
    await context.ended(id);
    const renamed = { ...caller, actor: { ...caller.actor, name: "another name" } };
    assert.equal((await context.ask("runs.get", { id }, renamed)).submittedBy, "test");
    const [listed] = (await context.ask("runs.list", { query: { limit: 20, project: "whose" } }, renamed))
      .data;
    assert.equal(listed?.submittedBy, "test");
  });

  it("lists runs without those of monitors on request, in pages", async () => {
    context.render = context.reportAll(url => url);
    const ofTeam = { ...caller, teamId: "team_watching" };
    const names = ["one", "monitor/mon_1", "two", "monitor/mon_1/2", "three", "monitor/mon_2"];
    for (const project of names) await context.submit(project, 1, ofTeam);
    const listed = async (query: Omit<ListRunsQuery, "limit">) => {
      const pages: string[][] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await context.ask(
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
      (await context.ask("runs.projects", { query: { limit: 3, ...(monitors && { monitors }) } }, ofTeam))
        .data;
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
    context.render = context.reportAll(url => url);
    const submitAt = async (sha: string, more: object) => {
      const scm = { owner: "o", repo: "branches", sha, ...more };
      const body = submitRunBody.parse({ url: "https://branches.example", scm });
      return (await context.ask("runs.submit", { id: newId("run"), body })).id;
    };
    const first = await submitAt("aaaaaaa", { defaultBranch: "trunk" });
    const pulled = await submitAt("bbbbbbb", { pr: 7 });
    const moved = await submitAt("ccccccc", { defaultBranch: "next" });
    const branchOf = async (id: string) => (await context.ask("runs.get", { id })).branch;
    assert.deepEqual(
      [await branchOf(first), await branchOf(pulled), await branchOf(moved)],
      ["trunk", null, "next"],
    );
    const project = "o/branches";
    const { data } = await context.ask("runs.list", { query: { limit: 20, project, branch: "trunk" } });
    assert.deepEqual(
      data.map(run => [run.id, run.branch]),
      [[first, "trunk"]],
    );
  });

  it("shows nothing of another team", async () => {
    context.render = context.reportAll(url => url);
    const { id } = await context.submit("mine", 1);
    await context.ended(id);
    const otherTeam = { ...caller, teamId: "team_b" };
    const refused = { type: "not_found" };
    await assert.rejects(context.ask("runs.get", { id }, otherTeam), refused);
    await assert.rejects(context.ask("runs.cancel", { id }, otherTeam), refused);
    await assert.rejects(context.ask("runs.approve", { runId: id }, otherTeam), refused);
    await assert.rejects(context.ask("runs.reject", { runId: id, reason: "no" }, otherTeam), refused);
    await assert.rejects(
      context.ask("runs.screenshots", { runId: id, query: { limit: 10 } }, otherTeam),
      refused,
    );
    await assert.rejects(context.ask("runs.report", { id }, otherTeam), refused);
    assert.deepEqual((await context.ask("runs.list", { query: { limit: 20 } }, otherTeam)).data, []);
  });

  it("lists the runs of one project of this team", async () => {
    context.render = context.reportAll(url => url);
    const otherTeam = { ...caller, teamId: "team_c" };
    const own = [await context.submit("listed", 1), await context.submit("listed", 1)].map(({ id }) => id);
    await context.submit("listed too", 1);
    const theirs = await context.submit("listed", 1, otherTeam);
    const list = async (project: string, as = caller) =>
      (await context.ask("runs.list", { query: { limit: 20, project } }, as)).data.map(({ id }) => id);
    assert.deepEqual(await list("listed"), own.toReversed());
    assert.deepEqual(await list("listed", otherTeam), [theirs.id]);
    assert.deepEqual(await list("listed too", otherTeam), []);
    assert.deepEqual(await list("never was"), []);
    await Promise.all([...own].map(id => context.ended(id)));
  });
};

for (const database of [...DATABASES, FLEET])
  describe(`The runs service on ${database.name}`, runsServiceOn(database));
