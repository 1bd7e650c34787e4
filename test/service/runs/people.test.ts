import assert from "node:assert/strict";
import { createBuildBody } from "../../../shared/contracts/builds/builds.ts";
import { createCommentBody } from "../../../shared/contracts/reviews/comments.ts";
import { inboxQuery } from "../../../shared/contracts/reviews/inbox.ts";
import { reviewerRulesBody } from "../../../shared/contracts/reviews/reviewers.ts";
import { listRunsQuery } from "../../../shared/contracts/runs/runs.ts";
import { submitRunBody } from "../../../shared/contracts/runs/submit-run.ts";
import { newId } from "../../../shared/ids.ts";
import { keyOf, person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const [ada, bob, eve] = [person("ada"), person("bob"), person("eve", "viewer")];
const admin = person("dora", "admin");

for (const kind of MAIN_DATABASES) {
  describe(`Reviewing together on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: ReviewTestContext;
    let project: string;

    const add = (runId: string, body: object, as = ada) =>
      context.ask("runs.createComment", { id: newId("com"), runId, body: createCommentBody.parse(body) }, as);
    const inbox = (as = ada, query: object = {}) =>
      context.ask("runs.inbox", { query: inboxQuery.parse({ project, ...query }) }, as);
    const idsIn = async (as = ada, query: object = {}) =>
      (await inbox(as, query)).data.map(({ run }) => run.id);
    const assign = (runId: string, reviewers: string[], as = ada) =>
      context.ask("runs.putReviewers", { runId, reviewers }, as);
    /** Returns the people to notify of the latest event that names some. */
    const notified = async (runId: string, kind: string) => {
      const find = () =>
        context.published
          .filter(({ subject }) => subject === runId)
          .flatMap(({ notify = [] }) => notify)
          .findLast(notify => notify.kind === kind);
      await until(() => find() !== undefined);
      return find();
    };

    before(async () => {
      database = await kind.make();
      context = await ReviewTestContext.start(database.env);
      await context.addMembers(ada, bob, eve, admin);
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });
    beforeEach(() => {
      project = newId("proj");
      context.published.length = 0;
    });

    describe("Mentions", () => {
      it("are members of the team only, and notified once", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        const comment = await add(runId, { text: "@Bob @mallory @ada please look" });
        assert.deepEqual(
          comment.mentions.map(({ login }) => login),
          ["ada", "bob"],
        );
        const notify = await notified(runId, "mention");
        assert.deepEqual(notify, {
          kind: "mention",
          users: ["user_ada", "user_bob"],
          except: "user_ada",
          commentId: comment.id,
        });
      });

      it("notify the others of a thread of a reply, and those whom an edit adds", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        const first = await add(runId, { text: "Why?" });
        const reply = await add(runId, { text: "Because", replyTo: first.id }, bob);
        assert.deepEqual((await notified(runId, "reply"))?.users, ["user_ada"]);
        await context.ask("runs.changeComment", { id: reply.id, body: { text: "Because @dora" } }, bob);
        assert.deepEqual((await notified(runId, "mention"))?.users, ["user_dora"]);
        const [, changed] = (await context.ask("runs.comments", { runId, query: { limit: 9 } })).data;
        assert.deepEqual(changed?.mentions, [{ id: "user_dora", login: "dora" }]);
      });

      it("are read for a digest with less than their whole text", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        const { id } = await add(runId, { text: "x".repeat(2_000) });
        const { teamId } = ada;
        const facts = await context.ask("runs.digest", { teamId, runId, commentIds: [id] });
        assert.equal(facts?.comments[0]?.text, "x".repeat(1_000));
      });

      it("wait in the inbox until the thread is resolved or answered", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        const first = await add(runId, { text: "@bob look" });
        assert.deepEqual(await idsIn(bob, { filter: "mentions" }), [runId]);
        assert.deepEqual(await idsIn(bob), [runId]);
        assert.deepEqual(await idsIn(ada, { filter: "mentions" }), []);
        const [item] = (await inbox(bob)).data;
        assert.deepEqual([item?.mentions[0]?.text, item?.isAssigned], ["@bob look", false]);
        await add(runId, { text: "Done", replyTo: first.id }, bob);
        assert.deepEqual(await idsIn(bob, { filter: "mentions" }), []);
        const again = await add(runId, { text: "@bob and this?", replyTo: first.id });
        assert.deepEqual(await idsIn(bob, { filter: "mentions" }), [runId]);
        await context.ask("runs.changeComment", { id: again.id, body: { resolved: true } }, ada);
        assert.deepEqual(await idsIn(bob, { filter: "mentions" }), []);
      });
    });

    describe("Reviewers", () => {
      it("are assigned by hand, notified if they are new, and replaced", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" }, as: keyOf("ci") });
        await assign(runId, ["bob", "dora"]);
        assert.deepEqual((await notified(runId, "review"))?.users, ["user_bob", "user_dora"]);
        context.published.length = 0;
        const { reviewers } = await assign(runId, ["dora", "ada"], bob);
        assert.deepEqual(
          reviewers.map(({ login, assignedBy }) => [login, assignedBy]),
          [
            ["dora", "ada"],
            ["ada", "bob"],
          ],
        );
        assert.deepEqual((await notified(runId, "review"))?.users, ["user_ada"]);
      });

      it("are members who can review", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        await assert.rejects(assign(runId, ["bob", "mallory"]), error => {
          assert.match(JSON.stringify(error), /reviewers\[1\].*not a member/);
          return true;
        });
        await assert.rejects(assign(runId, ["eve"]), /viewer|invalid/i);
        assert.deepEqual((await context.ask("runs.reviewers", { runId })).reviewers, []);
        await assert.rejects(assign("run_none", []), /no run/);
      });

      it("are assigned by the routes of pages that need review", async () => {
        const rules = [
          { routes: ["/pay*"], reviewers: ["bob"] },
          { routes: ["/", "/about"], reviewers: ["ada", "DORA"] },
        ];
        await context.ask("runs.putReviewerRules", { project, ...reviewerRulesBody.parse({ rules }) }, admin);
        const first = await context.run({ project, looks: { "/pay/card": "red/1", "/": "red/1" } });
        const names = async (runId: string) =>
          (await context.ask("runs.reviewers", { runId })).reviewers.map(({ login }) => login).sort();
        assert.deepEqual(await names(first), ["bob", "dora"], "without the submitter");
        const notify = await notified(first, "review");
        assert.deepEqual([notify?.users.toSorted(), notify?.isForAll], [["user_bob", "user_dora"], true]);
        await context.ask("runs.approve", { runId: first }, bob);
        const next = await context.run({ project, looks: { "/pay/card": "blue/1", "/": "red/1" } });
        assert.deepEqual(await names(next), ["bob"], "only changed pages count");
      });

      it("leave the rules when they leave the team, and rules without a reviewer go", async () => {
        const [gone, lost] = [person("gus"), person("lou")];
        await context.addMembers(gone, lost);
        const rules = [
          { routes: ["/pay*"], reviewers: ["gus"] },
          { routes: ["/"], reviewers: ["gus", "lou", "bob"] },
        ];
        await context.ask("runs.putReviewerRules", { project, ...reviewerRulesBody.parse({ rules }) }, admin);
        const stored = async () =>
          (await context.ask("runs.reviewerRules", { project }, admin)).rules.map(rule => rule.reviewers);
        await context.ask("teams.manage", { remove: ["gus"] }, admin);
        await until(async () => (await stored()).length === 1);
        assert.deepEqual(await stored(), [["lou", "bob"]]);
        const runId = await context.run({ project, looks: { "/pay/card": "red/1", "/": "red/1" } });
        const { reviewers } = await context.ask("runs.reviewers", { runId });
        assert.deepEqual(reviewers.map(({ login }) => login).sort(), ["bob", "lou"]);
      });
    });

    describe("The inbox", () => {
      it("has the assigned runs until the person has decided, and all that need review", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1", "/b": "red/2" } });
        assert.deepEqual([await idsIn(bob), await idsIn(bob, { filter: "all" })], [[], [runId]]);
        await assign(runId, ["bob"]);
        const { data, counts } = await inbox(bob);
        const [item] = data;
        assert.deepEqual([item?.run.id, item?.open, item?.isAssigned], [runId, 2, true]);
        assert.deepEqual(item?.screenshots.map(({ route }) => route).sort(), ["/", "/b"]);
        assert.match(item?.screenshots[0]?.image ?? "", /^http.*\/v1\/images\//);
        assert.ok(counts.mine >= 1 && counts.all >= 1);
        await context.set({ requiredApprovals: 2 });
        await context.ask("runs.approve", { runId }, bob);
        assert.deepEqual([await idsIn(bob), await idsIn(bob, { filter: "all" })], [[], [runId]]);
        await context.set({});
      });

      it("folds the runs that a newer one of the same pull request replaces", async () => {
        const [first, second] = [
          await context.run({ project, looks: { "/": "red/1" }, pr: 7 }),
          await context.run({ project, looks: { "/": "red/2" }, pr: 7 }),
        ];
        const third = await context.run({
          ...{ project, looks: { "/": "red/3" }, pr: 7 },
          scm: { message: "Fix the header", author: "grace" },
        });
        const { data } = await inbox(ada, { filter: "all" });
        assert.deepEqual(
          data.map(({ run, superseded }) => [run.id, superseded]),
          [[third, [second, first]]],
        );
        assert.deepEqual([data[0]?.commit.message, data[0]?.commit.author], ["Fix the header", "grace"]);
      });

      it("keeps a run whose undecided pages a newer one doesn't have", async () => {
        const submit = (looks: Parameters<typeof context.run>[0]["looks"], partial: boolean) =>
          context.run({ project, looks, pr: 7, more: { partial } });
        const needReview = async () => {
          const query = listRunsQuery.parse({ project, needsReview: "1" });
          const { data } = await context.ask("runs.list", { query });
          const listed = data.map(({ id }) => id);
          assert.deepEqual(await idsIn(ada, { filter: "all" }), listed);
          return listed;
        };
        const openIn = async (runId: string) =>
          (await context.ask("runs.digest", { ...{ teamId: ada.teamId, runId }, commentIds: [] }))?.open;
        const whole = await submit({ "/": "red/1", "/b": "red/1" }, false);
        const part = await submit({ "/": "red/2" }, true);
        assert.deepEqual([await needReview(), await openIn(whole)], [[part, whole], 2]);
        // A build and a Storybook know nothing about routes.
        const scm = { owner: "acme", repo: "shop", sha: "a".repeat(40), pr: 7 };
        const hash = "b".repeat(64);
        const upload = async (subset: boolean, ...names: string[]) => {
          const screenshots = names.map(name => ({ name, hash }));
          const body = createBuildBody.parse({ project, scm, subset, screenshots });
          const { id } = await context.ask("runs.createBuild", { id: newId("run"), body });
          const image = { hash, imageHash: hash, width: 10, height: 10 };
          await context.ask("runs.recordUpload", { id, image });
          await context.ask("runs.finalizeBuild", { id, body: {} });
          return context.completed(id);
        };
        const build = await upload(false, "Card", "Button");
        const storybook = submitRunBody.parse({
          url: "https://stories.example",
          project,
          scm,
          storybook: true,
        });
        const { id: stories } = await context.ask("runs.submit", { id: newId("run"), body: storybook });
        const smaller = await upload(true, "Card");
        assert.deepEqual(await needReview(), [smaller, build, part, whole]);
        const other = await upload(false, "Card");
        const same = await submit({ "/": "red/3" }, true);
        assert.deepEqual(await needReview(), [same, other, whole]);
        const last = await submit({ "/": "red/4" }, false);
        assert.deepEqual([await needReview(), await openIn(whole)], [[last, other], 0]);
        const { data } = await inbox(ada, { filter: "all" });
        assert.deepEqual(
          data.map(({ superseded }) => superseded),
          [
            [same, part, whole],
            [smaller, build],
          ],
        );
        await context.ask("runs.cancel", { id: stories });
      });

      it("is listed in pages", async () => {
        const ids = [];
        for (const pr of [1, 2, 3]) ids.unshift(await context.run({ project, looks: { "/": "red/1" }, pr }));
        const first = await inbox(ada, { filter: "all", limit: 2 });
        const cursor = first.nextCursor ?? assert.fail();
        const second = await inbox(ada, { filter: "all", limit: 2, cursor });
        assert.deepEqual(
          [...first.data, ...second.data].map(({ run }) => run.id),
          ids,
        );
        assert.equal(second.nextCursor, null);
      });

      it("shows other teams nothing", async () => {
        const runId = await context.run({ project, looks: { "/": "red/1" } });
        const stranger = { ...person("ada"), teamId: "team_other" };
        assert.deepEqual(await idsIn(stranger, { filter: "all" }), []);
        await assert.rejects(assign(runId, ["ada"], stranger), /no run/);
      });
    });

    it("notify the submitter and the author of a pull request of a decision, not the reviewer", async () => {
      const scm = { author: "grace" };
      const runId = await context.run({ project, looks: { "/": "red/1" }, pr: 4, scm, as: bob });
      await context.ask("runs.approve", { runId }, ada);
      assert.deepEqual(await notified(runId, "decision"), {
        ...{ kind: "decision", users: ["user_bob"], login: "grace", except: "user_ada" },
      });
    });
  });
}
