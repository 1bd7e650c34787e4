import assert from "node:assert/strict";
import { createCommentBody } from "../../../shared/contracts/reviews/comments.ts";
import {
  MIRROR_BOUNDS,
  type MirroredThread,
  type MirroredThreads,
  type MirrorSetting,
} from "../../../shared/contracts/reviews/mirror.ts";
import { newId } from "../../../shared/ids.ts";
import { person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const [ada, bob] = [person("ada"), person("bob")];
const admin = person("dora", "admin");
const { teamId } = ada;
const URL = "https://host.example/octo/site/pull/1#issuecomment-5";

for (const kind of MAIN_DATABASES) {
  describe(`Threads for pull requests on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: ReviewTestContext;
    let project: string;
    let runId: string;

    const add = (body: object, as = ada) =>
      context.ask("runs.createComment", { id: newId("com"), runId, body: createCommentBody.parse(body) }, as);
    const comments = async () =>
      (await context.ask("runs.comments", { runId, query: { limit: 100 } }, ada)).data;
    const threads = async (): Promise<MirroredThread[]> => {
      const all: MirroredThread[] = [];
      for (let after: string | null = null; ; ) {
        const page: MirroredThreads | null = await context.ask("runs.mirroredThreads", {
          teamId,
          runId,
          after,
        });
        assert.ok(page);
        all.push(...page.threads);
        if (page.next === null) return all;
        after = page.next;
      }
    };
    const reply = (threadId: string, text: string, more: object = {}) =>
      context.ask("runs.putMirroredReply", {
        ...{ teamId, id: newId("com"), threadId, text, url: URL, mayAdd: true },
        ...{ account: { id: "77", login: "mona" } },
        ...more,
      });
    const set = async (mirrorThreads: MirrorSetting) => {
      const { data } = await context.ask("runs.projects", { query: { find: project, limit: 1 } }, admin);
      const id = data[0]?.id ?? "";
      return context.ask("runs.changeProject", { id, body: { mirrorThreads } }, admin);
    };

    before(async () => {
      database = await kind.make();
      context = await ReviewTestContext.start(database.env);
      await context.addMembers(ada, bob, admin);
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });
    beforeEach(async () => {
      project = newId("proj");
      context.published.length = 0;
      runId = await context.run({ project, looks: { "/": "red/1" } });
    });

    it("resolves and reopens a thread as on the pull request, and no reply or other team's thread", async () => {
      const { id } = await add({ text: "Why?" });
      const second = await add({ text: "Because", replyTo: id });
      const resolve = (by: string | null, more: object = {}) =>
        context.ask("runs.resolveMirroredThread", { teamId, threadId: id, by, ...more });
      const resolvedBy = async () => (await threads()).find(thread => thread.id === id)?.resolvedBy;
      assert.equal(await resolve("mona"), true);
      assert.equal(await resolvedBy(), "mona");
      assert.equal(await resolve(null), true);
      assert.equal(await resolvedBy(), null);
      assert.equal(await resolve("mona", { teamId: "team_other" }), false);
      assert.equal(await resolve("mona", { threadId: second.id }), false);
      await set("never");
      assert.equal(await resolve("mona"), false);
      assert.equal(await resolvedBy(), null);
    });

    it("are read in pages with their page, latest replies and state", async () => {
      const [screenshot] = (await context.ask("runs.screenshots", { runId, query: { limit: 1 } }, ada)).data;
      const region = { x: 0, y: 0, width: 5, height: 5 };
      const first = await add({ text: "Why?", screenshot: screenshot?.id, region });
      for (let at = 0; at < MIRROR_BOUNDS.replies + 3; at++)
        await add({ text: `Reply ${at}`, replyTo: first.id }, bob);
      const onRun = await add({ text: "x".repeat(2_000) });
      await context.ask("runs.changeComment", { id: onRun.id, body: { resolved: true } }, bob);
      for (let at = 0; at < MIRROR_BOUNDS.perPage; at++) await add({ text: `Thread ${at}` });
      const [one, two, ...others] = await threads();
      assert.deepEqual(
        [
          one?.page,
          one?.isOnRegion,
          one?.omitted,
          one?.comments.length,
          one?.comments[1],
          one?.comments.at(-1),
        ],
        [
          { name: "/", viewport: screenshot?.viewport },
          ...[true, 3, MIRROR_BOUNDS.replies + 1],
          ...[
            { by: "bob", text: "Reply 3" },
            { by: "bob", text: `Reply ${MIRROR_BOUNDS.replies + 2}` },
          ],
        ],
      );
      assert.deepEqual([two?.page, two?.resolvedBy, two?.comments[0]?.text.length], [null, "bob", 1_000]);
      assert.equal(others.length, MIRROR_BOUNDS.perPage);
      assert.equal(
        await context.ask("runs.mirroredThreads", { teamId: "team_other", runId, after: null }),
        null,
      );
    });

    it("get replies as of the code host's account, which notify the thread and stay out of the mirror", async () => {
      const first = await add({ text: "Why?" });
      const text = '<script>alert("x")</script> @bob';
      const id = newId("com");
      assert.equal(await reply(first.id, text, { id }), true);
      assert.equal(await reply(first.id, text, { id }), true);
      const [, stored, ...others] = await comments();
      assert.deepEqual(others, []);
      assert.deepEqual(
        [stored?.by, stored?.countsAs, stored?.externalUrl, stored?.text, stored?.mentions],
        [{ kind: "service", id: "code-host:77", name: "mona" }, "code-host:77", URL, text, []],
      );
      const notify = () =>
        context.published.flatMap(event => event.notify ?? []).filter(each => each.kind === "reply");
      await until(() => notify().length > 0);
      assert.deepEqual(notify(), [
        { kind: "reply", users: ["user_ada"], except: "code-host:77", commentId: id },
      ]);
      assert.deepEqual((await threads())[0]?.comments, [{ by: "ada", text: "Why?" }]);
    });

    it("are reopened by replies of members, and not by those of other accounts", async () => {
      const first = await add({ text: "Why?" });
      const resolved = async () => (await comments())[0]?.resolved?.by ?? null;
      await context.ask("runs.changeComment", { id: first.id, body: { resolved: true } }, ada);
      assert.equal(await reply(first.id, "I'm from elsewhere"), true);
      assert.equal(await resolved(), "ada");
      const member = { id: bob.actor.id, login: bob.actor.name };
      assert.equal(await reply(first.id, "I'm from the team", { account: member }), true);
      assert.equal(await resolved(), null);
      await context.ask("runs.changeComment", { id: first.id, body: { resolved: true } }, ada);
      await add({ text: "Here too", replyTo: first.id }, bob);
      assert.equal(await resolved(), null);
    });

    it("let no one of the team edit a reply of the pull request, and admins delete it", async () => {
      const first = await add({ text: "Why?" });
      const id = newId("com");
      await reply(first.id, "Because", { id });
      const edit = context.ask("runs.changeComment", { id, body: { text: "No" } }, admin);
      await assert.rejects(edit, { type: "forbidden" });
      await assert.rejects(context.ask("runs.deleteComment", { id }, bob), { type: "forbidden" });
      await context.ask("runs.deleteComment", { id }, admin);
      assert.equal(await reply(first.id, "Edited there", { id, mayAdd: false }), false);
      assert.equal((await comments()).length, 1);
    });

    it("change and delete only replies of the pull request", async () => {
      const first = await add({ text: "Why?" });
      const id = newId("com");
      await reply(first.id, "Because", { id });
      await reply(first.id, "Because of that", { id, mayAdd: false });
      assert.equal((await comments())[1]?.text, "Because of that");
      for (const each of [first.id, id]) await context.ask("runs.deleteMirroredReply", { teamId, id: each });
      assert.deepEqual(
        (await comments()).map(comment => comment.id),
        [first.id],
      );
      await context.ask("runs.deleteMirroredReply", { teamId: "team_other", id: first.id });
    });

    it("accept a bounded number of replies from the pull request", async () => {
      const first = await add({ text: "Why?" });
      for (let at = 0; at < MIRROR_BOUNDS.repliesPerRun; at++) await reply(first.id, `Reply ${at}`);
      assert.equal(await reply(first.id, "One more"), false);
      await add({ text: "The team can still comment", replyTo: first.id }, bob);
    });

    it("stay here after an admin turns them off, also for a deleted thread", async () => {
      const first = await add({ text: "Why?" });
      assert.equal((await set("never")).mirrorThreads, "never");
      assert.equal(await reply(first.id, "Because"), false);
      assert.equal(
        (await context.ask("runs.mirroredThreads", { teamId, runId, after: null }))?.setting,
        "never",
      );
      await set("always");
      await context.ask("runs.deleteComment", { id: first.id }, ada);
      assert.equal(await reply(first.id, "Too late"), false);
    });
  });
}
