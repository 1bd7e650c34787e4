import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { caller, RunsTestContext } from "../../support/contexts/runs-context.ts";
import { FLEET, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";

const otherTeam: Caller = { ...caller, teamId: "team_of_others" };

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

const listed = (names: string[]) => names.map(name => ({ name, hash: hash(name) }));

for (const kind of [...MAIN_DATABASES, FLEET]) {
  describe(`Builds of shards on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: RunsTestContext;

    before(async () => {
      database = await kind.make();
      context = await RunsTestContext.start({ ...database.env });
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });

    const create = (body: object, as = caller) =>
      context.ask("runs.createBuild", { id: newId("run"), body: createBuildBody.parse(body) }, as);
    const finalize = (id: string, shard?: string) =>
      context.ask("runs.finalizeBuild", { id, body: { shard } });
    const store = async (id: string, names: string[], as = caller) => {
      for (const name of names) {
        const image = { hash: hash(name), imageHash: hash(`png ${name}`), width: 10, height: 10 };
        await context.ask("runs.recordUpload", { id, image }, as);
      }
    };

    /** Carries the approvals of a merged pull request in a project. */
    const carryOf =
      (pr: number, runIds: string[] = []) =>
      (project: string, teamId = caller.teamId) => {
        const merged = { pr, sha: "a".repeat(40), branch: null, runIds };
        const into = { branch: "main", defaultBranch: "main", sha: "b".repeat(40) };
        return context.ask("runs.carryApprovals", { teamId, project, merged, into });
      };

    it("joins shards by their nonce, and ends with the last one", async () => {
      const shard = (name: string, names: string[]) =>
        create({
          project: "three shards",
          parallel: { nonce: "ci-1", total: 3 },
          shard: name,
          screenshots: listed(names),
        });
      const names = [["a", "b"], ["c"], ["d"]];
      const builds = await Promise.all(names.map((each, index) => shard(String(index), each)));
      const id = builds[0]?.id ?? "";
      assert.deepEqual(new Set(builds.map(build => build.id)), new Set([id]));
      await store(id, names.flat());
      assert.equal((await finalize(id, "0")).open, true);
      assert.equal((await finalize(id, "0")).open, true);
      assert.equal((await finalize(id, "1")).open, true);
      const last = await finalize(id, "2");
      assert.deepEqual([last.open, last.screenshots, last.shards.finalized], [false, 4, 3]);
      assert.deepEqual(await finalize(id, "2"), { ...last, status: (await context.ended(id)).status });
      const run = await context.ended(id);
      assert.deepEqual([run.conclusion, run.counts.new], ["new", 4]);
      await assert.rejects(shard("3", ["e"]), /accepts no more screenshots/);
    });

    it("reports nothing as removed if one of the shards has only some of its screenshots", async () => {
      const parts = { scm: { owner: "acme", repo: "partial", sha: "a".repeat(40) } };
      const whole = await create({ ...parts, screenshots: listed(["a", "b"]) });
      await store(whole.id, ["a", "b"]);
      await finalize(whole.id);
      await context.ended(whole.id);
      await context.ask("runs.approve", { runId: whole.id });
      const shard = (name: string, names: string[], subset: boolean) => {
        const parallel = { nonce: "ci-2", total: 2 };
        return create({ ...parts, parallel, shard: name, subset, screenshots: listed(names) });
      };
      const { id } = await shard("1", ["a"], false);
      await shard("2", [], true);
      await finalize(id, "1");
      await finalize(id, "2");
      const { counts } = await context.ended(id);
      assert.deepEqual([counts.unchanged, counts.removed], [1, 0]);
    });

    it("keeps what is known to a team from other teams", async () => {
      const body = { project: "secret", screenshots: listed(["x"]) };
      const own = await create(body);
      await store(own.id, ["x"]);
      assert.deepEqual((await create(body)).uploads, []);
      assert.equal((await create(body, otherTeam)).uploads.length, 1);
      assert.equal((await create({ ...body, project: "another" })).uploads.length, 1);
      const requests = [
        () => context.ask("runs.build", { id: own.id }, otherTeam),
        () => context.ask("runs.findUpload", { id: own.id, hash: hash("x") }, otherTeam),
        () => context.ask("runs.finalizeBuild", { id: own.id, body: {} }, otherTeam),
        () => store(own.id, ["x"], otherTeam),
      ];
      for (const request of requests) await assert.rejects(request(), /has no build/);
    });

    it("refuses too many screenshots, contested names and images that nobody listed", async () => {
      const batch = (index: number) => listed(Array.from({ length: 500 }, (_, at) => `${index}-${at}`));
      const parallel = { nonce: "large" };
      const { id } = await create({ project: "large", parallel, shard: "1", screenshots: batch(0) });
      for (const index of [1, 2, 3])
        await context.ask("runs.addShard", { id, body: { shard: "1", screenshots: batch(index) } });
      const more = { shard: "2", screenshots: listed(["one more"]) };
      await assert.rejects(context.ask("runs.addShard", { id, body: more }), /make 2,001 screenshots/);
      const contested = { shard: "2", screenshots: [{ name: "0-1", hash: hash("other") }] };
      await assert.rejects(context.ask("runs.addShard", { id, body: contested }), /another shard listed/);
      await assert.rejects(store(id, ["nobody listed this"]), /has no image/);
      assert.equal((await context.ask("runs.build", { id })).uploads.length, 500);
      await assert.rejects(finalize(id), /images of the build must be uploaded first/);
    });

    it("refuses a nonce of another commit, and requests about a canceled build", async () => {
      const build = (sha: string) => ({
        scm: { owner: "acme", repo: "nonce", sha: sha.repeat(40) },
        parallel: { nonce: "1" },
        shard: "1",
        screenshots: listed(["a"]),
      });
      const { id } = await create(build("a"));
      await assert.rejects(create(build("b")), /is of another commit/);
      await context.ask("runs.cancel", { id });
      await assert.rejects(finalize(id), /is canceled and accepts no more/);
      await assert.rejects(create(build("a")), /is canceled and accepts no more/);
    });

    it("finds repeats by their idempotency key, at the same time too", async () => {
      const body = createBuildBody.parse({ project: "repeats" });
      const send = () =>
        context.ask("runs.createBuild", { id: newId("run"), body, idempotencyKey: "repeats-1" });
      const [first, second] = await Promise.all([send(), send()]);
      assert.equal(first.id, second.id);
      await assert.rejects(finalize(first.id), /has no screenshots/);
    });

    it("refuses an idempotency key of a run, or of a build of another project", async () => {
      const idempotencyKey = "elsewhere-1";
      const send = (project: string, key = idempotencyKey) => {
        const body = createBuildBody.parse({ project });
        return context.ask("runs.createBuild", { id: newId("run"), body, idempotencyKey: key });
      };
      const first = await send("one place");
      const refusal = { type: "invalid_request", message: new RegExp(`Idempotency-Key.*${first.id}`) };
      await assert.rejects(send("another place"), refusal);
      assert.equal((await send("one place")).id, first.id);
      const run = submitRunBody.parse({ url: "https://example.com", project: "one place" });
      const captured = { id: newId("run"), body: run, idempotencyKey: "elsewhere-2" };
      await context.ask("runs.submit", captured);
      await assert.rejects(send("one place", "elsewhere-2"), { type: "invalid_request" });
    });

    it("carries approvals of named builds when their pull request is merged", async () => {
      const scm = { owner: "acme", repo: "carry", sha: "a".repeat(40), branch: "feature", pr: 5 };
      const { id } = await create({ scm, name: "storybook", screenshots: listed(["a"]) });
      await store(id, ["a"]);
      await finalize(id);
      await context.ended(id);
      await context.ask("runs.approve", { runId: id });
      const carry = carryOf(5);
      assert.deepEqual(await carry("acme/car"), { carried: 0 });
      assert.deepEqual(await carry("acme/carry"), { carried: 1 });
      assert.deepEqual(await carry("acme/carry"), { carried: 0 });
    });

    it("carries approvals of other projects whose runs checked the merged pull request", async () => {
      const scm = { owner: "acme", repo: "elsewhere", sha: "a".repeat(40), branch: "feature", pr: 6 };
      const runIds = [];
      for (const more of [{}, { name: "storybook" }]) {
        const { id } = await create({ scm, project: "design system", ...more, screenshots: listed(["a"]) });
        await store(id, ["a"]);
        await finalize(id);
        await context.ended(id);
        await context.ask("runs.approve", { runId: id });
        runIds.push(id);
      }
      const [, build] = runIds;
      const carry = carryOf(6, build === undefined ? [] : [build]);
      assert.deepEqual(await carryOf(6)("acme/elsewhere"), { carried: 0 });
      assert.deepEqual(await carry("acme/elsewhere", "team_other"), { carried: 0 });
      assert.deepEqual(await carry("acme/elsewhere"), { carried: 2 }, "of the project and all its builds");
      assert.deepEqual(await carry("acme/elsewhere"), { carried: 0 });
    });

    it("keeps captured pages and uploaded screenshots of a project apart", async () => {
      const project = "both";
      context.render = context.reportAll(url => url);
      const captured = async () => {
        const { id } = await context.submit(project, 1);
        const { counts } = await context.ended(id);
        await context.ask("runs.approve", { runId: id });
        return counts;
      };
      const uploaded = async (names: string[]) => {
        const { id } = await create({ project, screenshots: listed(names) });
        await store(id, names);
        await finalize(id);
        const { counts } = await context.ended(id);
        await context.ask("runs.approve", { runId: id });
        return counts;
      };
      assert.deepEqual([(await captured()).new, (await uploaded(["a", "b"])).new], [1, 2]);
      const [run, build] = [await captured(), await uploaded(["a"])];
      assert.deepEqual([run.unchanged, run.removed], [1, 0]);
      assert.deepEqual([build.unchanged, build.removed], [1, 1]);
      context.render = async () => {};
    });

    it("lists screenshots with long metadata in pages that fit into a message", async () => {
      const names = Array.from({ length: 40 }, (_, index) => `long ${index}`);
      const titlePath = Array.from({ length: 20 }, () => "ü".repeat(500));
      const screenshots = listed(names).map(each => ({ ...each, titlePath }));
      const { id } = await create({ project: "long metadata", screenshots });
      await store(id, names);
      await finalize(id);
      await context.ended(id);
      const query = { limit: 100 };
      const first = await context.ask("runs.screenshots", { runId: id, query });
      const report = await context.ask("runs.report", { id });
      for (const { length } of [first, report].map(page => Buffer.from(JSON.stringify(page))))
        assert.ok(length > 400_000 && length < 600_000, `${length} bytes`);
      let shown = first.data.length;
      for (let { nextCursor } = first; nextCursor !== null; ) {
        const page = await context.ask("runs.screenshots", {
          runId: id,
          query: { ...query, cursor: nextCursor },
        });
        shown += page.data.length;
        nextCursor = page.nextCursor;
      }
      assert.equal(shown, names.length);
    });

    it("never captures the screenshots of a build", async () => {
      const jobs: string[] = [];
      context.render = async ({ runId }) => void jobs.push(runId);
      const { id } = await create({ project: "no jobs", screenshots: listed(["a"]) });
      await store(id, ["a"]);
      await context.submit("no jobs", 1);
      await finalize(id);
      const { conclusion } = await context.ended(id);
      assert.equal(conclusion, "new");
      await delay(100);
      assert.equal(jobs.includes(id), false);
    });
  });
}
