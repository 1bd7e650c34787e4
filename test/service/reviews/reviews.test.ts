import assert from "node:assert/strict";
import pg from "pg";
import type { Actor, Caller } from "../../../shared/contracts/teams/caller.ts";
import { keyOf, person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { TableHold } from "../../support/drivers/table-hold.ts";
import { until } from "../../support/drivers/until.ts";

const [ada, bob, cleo] = [person("ada"), person("bob"), person("cleo")];
const admin = person("dora", "admin");

for (const kind of DATABASES) {
  describe(`Reviews on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: ReviewTestContext;
    let projects = 0;
    /** Each test has its own project. */
    let project: string;

    before(async () => {
      database = await kind.make();
      context = await ReviewTestContext.start(database.env);
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });
    beforeEach(async () => {
      projects += 1;
      project = `project ${projects}`;
      context.beforeComparing = async () => {};
      await context.set({});
    });

    const approve = (runId: string, as = ada, screenshots?: string[]) =>
      context.ask("runs.approve", { runId, ...(screenshots && { screenshots }) }, as);
    const reject = (runId: string, as = ada) =>
      context.ask("runs.reject", { runId, reason: `no, says ${as.actor.name}` }, as);
    const dismiss = (runId: string, as = ada, own = false) =>
      context.ask("runs.dismiss", { runId, reason: "a slip", own }, as);
    const run = (look: string, pr?: number, as?: Caller) =>
      context.run({ project, looks: { "/": look }, ...(pr && { pr }), ...(as && { as }) });
    const merge = (head: { branch: string | null; sha: string } = { branch: null, sha: "c".repeat(40) }) =>
      context.ask("runs.carryApprovals", {
        ...{ teamId: ada.teamId, project, merged: { pr: 7, ...head, runIds: [] } },
        into: { branch: "main", defaultBranch: "main", sha: null },
      });
    const review = async (runId: string) => (await context.screenshot(runId)).review;
    /** Creates a project whose default branch has this look. */
    const createProject = async (look = "old/1") => {
      await approve(await run(look));
    };

    describe("with two required approvals", () => {
      beforeEach(() => context.set({ requiredApprovals: 2 }));

      it("wait for another reviewer, and make no baseline until then", async () => {
        const first = await run("red/1");
        const half = await approve(first);
        assert.deepEqual(half, { runId: first, approved: 0, pending: 1, rejected: 0, conclusion: "new" });
        assert.deepEqual(await review(first), { state: "pending", approvals: 1, required: 2 });
        assert.equal(await context.conclusion(await run("red/1")), "new", "there is no baseline yet");
        assert.deepEqual(await approve(first, bob), {
          ...half,
          approved: 1,
          pending: 0,
          conclusion: "approved",
        });
        assert.deepEqual(await review(first), { state: "approved", approvals: 2, required: 2 });
        assert.equal(await context.conclusion(await run("red/1")), "passed");
      });

      it("count a user once, however often and with any of the user's keys", async () => {
        const id = await run("red/1");
        for (const as of [ada, ada, keyOf("one", "ada"), keyOf("two", "ada")])
          assert.equal((await approve(id, as)).pending, 1, as.actor.name);
        const { reviews } = await context.screenshot(id);
        assert.equal(reviews.length, 1, "a repeated review adds no row");
        assert.equal(reviews[0]?.countsAs, ada.actor.id);
        assert.equal((await approve(id, keyOf("nobody's"))).approved, 1);
      });

      it("count both of two simultaneous approvals once", async () => {
        const id = await run("red/1");
        await Promise.all([ada, bob, ada, bob].map(as => approve(id, as)));
        assert.deepEqual(await review(id), { state: "approved", approvals: 2, required: 2 });
        assert.equal((await context.screenshot(id)).reviews.length, 2);
        assert.equal(await context.conclusion(id), "approved");
      });

      it("keep a screenshot rejected as long as one reviewer rejects it", async () => {
        const id = await run("red/1");
        await approve(id);
        assert.equal((await reject(id, bob)).conclusion, "rejected");
        const more = await approve(id, cleo);
        assert.deepEqual([more.approved, more.rejected, more.conclusion], [0, 1, "rejected"]);
        assert.equal(
          (await approve(id, bob)).conclusion,
          "approved",
          "a later approval replaces the rejection",
        );
      });

      it("keep decided screenshots when the team changes its requirement", async () => {
        const id = await run("red/1");
        await approve(id);
        await context.set({ requiredApprovals: 3 });
        assert.equal(
          (await approve(id, bob)).pending,
          1,
          "what is open is held to what the team asks for now",
        );
        await context.set({ requiredApprovals: 1 });
        assert.deepEqual(await review(id), { state: "pending", approvals: 2, required: 3 });
        assert.equal((await approve(id, bob)).conclusion, "approved", "requires another review");
        await context.set({ requiredApprovals: 5 });
        assert.equal((await approve(id, cleo)).conclusion, "approved");
        assert.deepEqual(await review(id), { state: "approved", approvals: 3, required: 1 });
        assert.equal((await dismiss(id, cleo)).conclusion, "approved", "enough approvals remain");
      });
    });

    describe("without self-approval", () => {
      beforeEach(() => context.set({ allowSelfApproval: false }));

      const refused = { type: "forbidden", message: /You submitted this run.*Ask a reviewer or admin/ };

      it("refuse the submitter's approval with any of the user's keys, and allow a rejection", async () => {
        const byHer = await run("red/1", undefined, ada);
        const byHerKey = await run("red/2", undefined, keyOf("ci", "ada"));
        for (const id of [byHer, byHerKey]) {
          await assert.rejects(approve(id, ada), refused);
          await assert.rejects(approve(id, keyOf("other", "ada")), refused);
          assert.deepEqual((await context.screenshot(id)).reviews, []);
        }
        assert.equal((await approve(byHer, bob)).conclusion, "approved");
        assert.equal((await reject(byHerKey, ada)).conclusion, "rejected");
      });

      it("count a key without a user only as itself", async () => {
        const ci = keyOf("ci");
        const id = await run("red/1", undefined, ci);
        await assert.rejects(approve(id, ci), refused);
        assert.equal((await approve(id, ada)).conclusion, "approved");
      });
    });

    describe("an approval of the same change", () => {
      it("carries to later pushes of the pull request, with its origin, and becomes the baseline", async () => {
        await createProject();
        const first = await run("red/1", 7);
        assert.equal((await approve(first)).conclusion, "approved");
        const second = await run("red/2", 7);
        assert.equal(await context.conclusion(second), "approved");
        const carried = await context.screenshot(second);
        assert.equal(carried.status, "changed");
        assert.deepEqual(carried.review, { state: "approved", approvals: 0, required: 1 });
        assert.deepEqual([carried.carried?.runId, carried.carried?.by], [first, ["ada"]]);
        assert.deepEqual(carried.reviews, []);
        const third = await context.screenshot(await run("red/3", 7));
        assert.deepEqual(
          third.carried,
          carried.carried,
          "from where it was approved, not from where it passed by",
        );
        const again = await context.screenshot(await run("red/2", 7));
        assert.deepEqual(
          [again.status, again.baseline?.runId],
          ["unchanged", second],
          "its pixels are approved",
        );
      });

      it("doesn't carry to another pull request, page, or change, or to the default branch", async () => {
        await createProject();
        await approve(await run("red/1", 7));
        assert.equal(await context.conclusion(await run("red/2", 8)), "changed");
        assert.equal(await context.conclusion(await run("blue/1", 7)), "changed");
        const elsewhere = await context.run({ project, looks: { "/b": "old/1" } });
        await approve(elsewhere);
        assert.equal(
          await context.conclusion(await context.run({ project, looks: { "/b": "red/2" }, pr: 7 })),
          "changed",
        );
        await approve(await run("red/1"));
        await approve(await run("old/1"));
        assert.equal(await context.conclusion(await run("red/2")), "changed", "the default branch");
      });

      it("carries only with enough approvals", async () => {
        await createProject();
        await context.set({ requiredApprovals: 2 });
        const first = await run("red/1", 7);
        await approve(first);
        assert.equal(await context.conclusion(await run("red/2", 7)), "changed");
        await approve(first, bob);
        const third = await context.screenshot(await run("red/3", 7));
        assert.deepEqual(third.carried?.by, ["ada", "bob"]);
      });

      it("doesn't conclude a run with other changes or failed pages", async () => {
        await createProject();
        await approve(await context.run({ project, looks: { "/b": "old/1" } }));
        await approve(await run("red/1", 7));
        const mixed = await context.run({ project, looks: { "/": "red/2", "/b": "blue/1" }, pr: 7 });
        assert.equal(await context.conclusion(mixed), "changed");
        const [carried, open] = await context.screenshots(mixed);
        assert.deepEqual([carried?.review?.state, open?.review], ["approved", null]);
        assert.equal((await approve(mixed, ada, [open?.id ?? ""])).conclusion, "approved");
        const failed = await context.run({ project, looks: { "/": "red/3", "/b": null }, pr: 7 });
        assert.equal(await context.conclusion(failed), "changed");
        assert.equal((await approve(failed)).conclusion, "approved", "a reviewer saw the failure");
      });

      it("never overrides a rejection of that change in any run until it is dismissed", async () => {
        await createProject();
        const first = await run("red/1", 7);
        const second = await run("red/2", 7);
        await reject(first, bob);
        await approve(second, ada);
        for (const pixels of ["red/3", "red/2", "red/1"])
          assert.equal(
            await context.conclusion(await run(pixels, 7)),
            "changed",
            `an older rejection, ${pixels}`,
          );
        await dismiss(first, bob);
        const third = await run("red/4", 7);
        assert.equal(await context.conclusion(third), "approved");
        await reject(third, bob);
        assert.equal(await context.conclusion(await run("red/5", 7)), "changed", "a newer one");
        await dismiss(third, admin);
        assert.equal(await context.conclusion(await run("red/6", 7)), "approved");
      });

      it("carries again once the rejecting reviewer approves the change", async () => {
        await createProject();
        await reject(await run("red/1", 7), bob);
        await approve(await run("red/2", 7), bob);
        assert.equal(await context.conclusion(await run("red/3", 7)), "approved");
      });

      it("ends everywhere when it is dismissed", async () => {
        for (const takeBack of [reject, dismiss]) {
          project = `${project} ${takeBack.name}`;
          await createProject();
          const first = await run("red/1", 7);
          await approve(first);
          const second = await run("red/2", 7);
          await takeBack(first);
          assert.equal(await context.conclusion(second), "changed");
          assert.deepEqual([await review(second), (await context.screenshot(second)).carried], [null, null]);
          assert.equal(await context.conclusion(await run("red/2", 7)), "changed", "its pixels too");
        }
      });

      it("applies to the default branch after the merge until it is dismissed", async () => {
        await createProject();
        const first = await run("red/1", 7);
        await approve(first);
        assert.deepEqual([await merge(), await merge()], [{ carried: 1 }, { carried: 0 }]);
        await approve(first, bob);
        assert.equal(await context.conclusion(await run("red/1")), "passed");
        await dismiss(first, admin);
        assert.equal(await context.conclusion(await run("red/1")), "changed");
        assert.equal(await context.conclusion(await run("old/1")), "passed", "as before the merge");
      });

      it("isn't carried at a merge while a reviewer rejects it in a later push", async () => {
        await createProject();
        await approve(await run("red/1", 7));
        const second = await run("red/2", 7);
        await reject(second, bob);
        assert.deepEqual(await merge(), { carried: 0 });
        assert.equal(await context.conclusion(await run("red/1")), "changed");
        await dismiss(second, bob, true);
        assert.deepEqual(await merge(), { carried: 1 });
        assert.equal(await context.conclusion(await run("red/2")), "passed", "what was approved last");
      });

      it("isn't carried at a merge in place of a later, rejected approval", async () => {
        await createProject();
        await approve(await run("red/1", 7));
        const second = await run("blue/1", 7);
        await approve(second);
        await reject(await run("blue/2", 7), bob);
        assert.deepEqual(await merge(), { carried: 0 });
      });

      it("isn't carried from the pull request's branch while a reviewer rejects it in the pull request", async () => {
        await createProject();
        const sha = "c".repeat(40);
        await reject(await run("red/1", 7), bob);
        const onBranch = { looks: { "/": "red/1" }, project, scm: { sha, branch: "topic" } };
        await approve(await context.run(onBranch));
        assert.deepEqual(await merge({ branch: "topic", sha }), { carried: 0 });
        await approve(await run("red/2", 7), bob);
        assert.deepEqual(await merge({ branch: "topic", sha }), { carried: 1 });
      });

      it("never stays where it was carried to while it was dismissed", async () => {
        await createProject();
        const first = await run("teal/1", 7);
        await approve(first);
        context.beforeComparing = async () => void dismissals.push(dismiss(first));
        const dismissals: Promise<unknown>[] = [];
        const second = await run("teal/2", 7);
        await Promise.all(dismissals);
        assert.equal(dismissals.length, 1);
        assert.equal(await context.conclusion(second), "changed");
        assert.equal((await context.screenshot(second)).carried, null);
      });

      if (kind.name === "PostgreSQL") {
        it("can't be dismissed between the search for it and its carrying", async () => {
          await createProject();
          const first = await run("lilac/1", 7);
          await approve(first);
          const url = database.env.DATABASE_URL ?? "";
          const hold = await TableHold.ofUpdates(url, "runs.screenshot", "new.carried_run_id is not null");
          const ended = run("lilac/2", 7);
          await hold.caught();
          let isDismissed = false;
          const dismissed = dismiss(first).then(() => {
            isDismissed = true;
          });
          await until(async () => isDismissed || (await hold.keepsWaiting()));
          await hold.release();
          await dismissed;
          const second = await ended;
          assert.equal(await context.conclusion(second), "changed");
          assert.equal((await context.screenshot(second)).carried, null);
        });
      }

      if (kind.name === "PostgreSQL") {
        it("is dismissed even if another review locks the runs in the opposite order", async () => {
          await createProject();
          const first = await run("red/1", 7);
          await approve(first);
          const second = await run("red/2", 7);
          const other = new pg.Client({ connectionString: database.env.DATABASE_URL });
          await other.connect();
          const lock = (id: string) => other.query("select from runs.run where id = $1 for update", [id]);
          const waiting = "select from pg_locks where locktype = 'transactionid' and not granted";
          try {
            // With this timeout, the review detects the deadlock first.
            await other.query("begin; set local deadlock_timeout = '20s'");
            await lock(second);
            const rejected = reject(first, bob);
            await until(async () => ((await other.query(waiting)).rowCount ?? 0) > 0);
            await lock(first);
            await other.query("commit");
            assert.equal((await rejected).conclusion, "rejected");
            assert.equal(await context.conclusion(second), "changed");
          } finally {
            await other.end();
          }
        });
      }

      it("can be rejected where it was carried to, and applies again when that is dismissed", async () => {
        await createProject();
        const first = await run("red/1", 7);
        await approve(first);
        const second = await run("red/2", 7);
        assert.equal((await reject(second, bob)).conclusion, "rejected");
        assert.equal(await context.conclusion(first), "approved", "there it is as it was");
        assert.equal((await dismiss(second, bob)).conclusion, "approved");
        assert.equal(await context.conclusion(await run("red/2", 7)), "passed", "it is the baseline again");
        assert.equal((await dismiss(second, admin)).conclusion, "changed", "an admin ends the carry, too");
      });
    });

    describe("dismissed", () => {
      it("don't count any more, and lose their baseline", async () => {
        await createProject();
        const id = await run("red/1");
        await approve(id);
        assert.deepEqual(await dismiss(id), { runId: id, dismissed: 1, conclusion: "changed" });
        assert.equal(await review(id), null);
        assert.equal(
          await context.conclusion(await run("old/1")),
          "passed",
          "what was the baseline is it again",
        );
      });

      it("are the reviewer's own, or all for an admin", async () => {
        const id = await run("red/1");
        await assert.rejects(dismiss(id), { type: "conflict" });
        await reject(id, bob);
        await assert.rejects(dismiss(id, ada), { type: "forbidden" });
        await assert.rejects(dismiss(id, admin, true), { type: "conflict" });
        await approve(id, ada);
        assert.equal((await dismiss(id, bob)).conclusion, "approved", "hers alone stood in the way");
        await reject(id, bob);
        assert.equal((await dismiss(id, admin)).conclusion, "new");
        await assert.rejects(dismiss(id, admin), { type: "conflict" });
      });

      it("stay visible with reviewer, verdict, time, and reason", async () => {
        const id = await run("red/1");
        await approve(id, ada);
        await reject(id, bob);
        await dismiss(id, bob);
        const { reviews } = await context.screenshot(id);
        const by = ({ name }: Actor) => name;
        assert.deepEqual(
          reviews.map(review => [by(review.by), review.verdict, review.reason, review.stands]),
          [
            ["ada", "approved", null, true],
            ["bob", "rejected", "no, says bob", false],
            ["bob", "dismissed", "a slip", false],
          ],
        );
        const times = reviews.map(({ at }) => at);
        assert.deepEqual(times, times.toSorted());
        const { screenshots } = await context.ask("runs.report", { id });
        assert.deepEqual(screenshots[0]?.reviews, reviews);
      });
    });

    it("are returned in pages for a run with many long rejections", async () => {
      const routes = Array.from({ length: 90 }, (_, index) => [`/${index}`, `page ${index}/1`]);
      const id = await context.run({ project, looks: Object.fromEntries(routes) });
      for (const as of [ada, bob, cleo])
        await context.ask("runs.reject", { runId: id, reason: `${as.actor.name} ${"x".repeat(1990)}` }, as);
      const page = await context.ask("runs.screenshots", { runId: id, query: { limit: 100 } });
      assert.ok(page.nextCursor !== null && page.data.length > 1);
      assert.ok(JSON.stringify(page).length < 530_000);
      const query = { limit: 100, cursor: page.nextCursor };
      const rest = await context.ask("runs.screenshots", { runId: id, query });
      assert.equal(page.data.length + rest.data.length, 90);
    });

    it("are limited per screenshot", async () => {
      const id = await run("red/1");
      for (let times = 0; times < 14; times++) {
        await approve(id);
        await dismiss(id);
      }
      await approve(id);
      await reject(id, bob);
      await assert.rejects(approve(id, cleo), { type: "conflict", message: /maximum of 30 reviews/ });
      assert.equal(
        (await dismiss(id, bob)).conclusion,
        "approved",
        "what stands can be dismissed all the same",
      );
    });
  });
}
