import assert from "node:assert/strict";
import {
  COMMENT_BOUNDS,
  changeCommentBody,
  createCommentBody,
} from "../../../shared/contracts/reviews/comments.ts";
import { newId } from "../../../shared/ids.ts";
import { contextOn } from "../../support/contexts/context-on.ts";
import { keyOf, person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";

const [ada, bob] = [person("ada"), person("bob")];
const admin = person("dora", "admin");

for (const kind of MAIN_DATABASES) {
  describe(`Comments on ${kind.name}`, () => {
    let context: ReviewTestContext;
    let runId: string;
    let screenshot: string;

    const add = (body: object, as = ada, id = newId("com"), to = runId) =>
      context.ask("runs.createComment", { id, runId: to, body: createCommentBody.parse(body) }, as);
    const change = (id: string, body: object, as = ada) =>
      context.ask("runs.changeComment", { id, body: changeCommentBody.parse(body) }, as);
    const remove = (id: string, as = ada) => context.ask("runs.deleteComment", { id }, as);
    const listed = async (to = runId) =>
      (await context.ask("runs.comments", { runId: to, query: { limit: 100 } })).data;

    contextOn(
      kind,
      env => ReviewTestContext.start(env),
      started => {
        context = started;
      },
    );
    beforeEach(async () => {
      runId = await context.run({ project: newId("proj"), looks: { "/": "red/1" } });
      screenshot = (await context.screenshot(runId)).id;
    });

    it("are on a run, a screenshot or a region, and replies are where their thread is", async () => {
      const region = { x: 1, y: 2, width: 3, height: 4 };
      const onRun = await add({ text: "On all\nof it" });
      const onRegion = await add({ text: "Too red", screenshot, region });
      const reply = await add({ text: "Agreed", replyTo: onRegion.id }, bob);
      const again = await add({ text: "Fixed", replyTo: reply.id });
      assert.deepEqual(await listed(), [onRun, onRegion, reply, again]);
      assert.deepEqual([onRun.screenshotId, onRun.region, onRun.threadId], [null, null, onRun.id]);
      assert.deepEqual([onRegion.screenshotId, onRegion.region], [screenshot, region]);
      for (const { threadId, screenshotId, region: place } of [reply, again])
        assert.deepEqual([threadId, screenshotId, place], [onRegion.id, screenshot, region]);
      assert.equal(reply.by.name, "bob");
    });

    it("are listed in pages, oldest first", async () => {
      const ids = [];
      for (const text of ["1", "2", "3"]) ids.push((await add({ text })).id);
      const first = await context.ask("runs.comments", { runId, query: { limit: 2 } });
      const cursor = first.nextCursor ?? assert.fail();
      const second = await context.ask("runs.comments", { runId, query: { limit: 2, cursor } });
      assert.deepEqual(
        [...first.data, ...second.data].map(({ id }) => id),
        ids,
      );
      assert.equal(second.nextCursor, null);
    });

    it("are added once, however often the message arrives", async () => {
      const id = newId("com");
      await add({ text: "Once" }, ada, id);
      await add({ text: "Once" }, ada, id);
      assert.equal((await listed()).length, 1);
    });

    it("resolve with their thread, and a reply reopens it", async () => {
      const first = await add({ text: "Why?", screenshot });
      const reply = await add({ text: "Because", replyTo: first.id }, bob);
      await change(reply.id, { resolved: true }, bob);
      const resolved = async () => (await listed())[0]?.resolved;
      assert.equal((await resolved())?.by, "bob");
      await change(first.id, { resolved: true });
      assert.equal((await resolved())?.by, "bob", "the first one resolved it");
      await change(first.id, { resolved: false });
      assert.equal(await resolved(), null);
      await change(first.id, { resolved: true });
      await add({ text: "Not yet", replyTo: first.id });
      assert.equal(await resolved(), null);
    });

    it("are edited by their author only, also with the author's keys", async () => {
      const { id } = await add({ text: "Tpyo" });
      await assert.rejects(change(id, { text: "Mine now" }, bob), /Only its author can edit/);
      await assert.rejects(change(id, { text: "Mine now" }, admin), /Only its author can edit/);
      const edited = await change(id, { text: "Typo" }, keyOf("laptop", "ada"));
      assert.equal(edited.text, "Typo");
      assert.notEqual(edited.editedAt, null);
    });

    it("are deleted by their author or an admin, the first of a thread with its replies", async () => {
      const first = await add({ text: "First" });
      const reply = await add({ text: "Reply", replyTo: first.id }, bob);
      await assert.rejects(remove(first.id, bob), /You can delete your own comments/);
      await remove(reply.id, admin);
      assert.deepEqual(
        (await listed()).map(({ id }) => id),
        [first.id],
      );
      await add({ text: "Reply", replyTo: first.id }, bob);
      await remove(first.id);
      assert.deepEqual(await listed(), []);
      await assert.rejects(remove(first.id), /has no comment/);
    });

    it("refuse what belongs to another run or team", async () => {
      const other = await context.run({ project: newId("proj"), looks: { "/": "red/1" } });
      const comment = await add({ text: "Here" });
      await assert.rejects(
        add({ text: "x", replyTo: comment.id }, ada, newId("com"), other),
        /not a comment on this run/,
      );
      await assert.rejects(
        add({ text: "x", screenshot }, ada, newId("com"), other),
        /not a screenshot of this run/,
      );
      const stranger = { ...ada, teamId: newId("team") };
      await assert.rejects(add({ text: "x" }, stranger), /has no run/);
      await assert.rejects(change(comment.id, { resolved: true }, stranger), /has no comment/);
      await assert.rejects(
        context.ask("runs.comments", { runId, query: { limit: 1 } }, stranger),
        /has no run/,
      );
    });

    // Adds hundreds, one after the other in the embedded database.
    const itOnServer = kind.name === "PostgreSQL" ? it : () => {};
    itOnServer("are bounded in number", async () => {
      const first = await add({ text: "1" });
      for (let size = 1; size < COMMENT_BOUNDS.perRun; size += 50)
        await Promise.all(
          Array.from({ length: Math.min(50, COMMENT_BOUNDS.perRun - size) }, () => add({ text: "x" })),
        );
      await assert.rejects(add({ text: "one more" }), /at most 500 comments/);
      await remove(first.id);
      await add({ text: "one more" });
    });

    it("give an approval its note", async () => {
      await context.ask("runs.approve", { runId, note: "Wanted by design" });
      assert.deepEqual(
        (await context.screenshot(runId)).reviews.map(({ verdict, reason }) => [verdict, reason]),
        [["approved", "Wanted by design"]],
      );
    });
  });
}

describe("A comment's body", () => {
  it("is bounded, and has a screenshot for a region", () => {
    const region = { x: 0, y: 0, width: 1, height: 1 };
    const refused = [
      {},
      { text: " " },
      { text: "x".repeat(COMMENT_BOUNDS.chars + 1) },
      { text: "bell \u0007" },
      { text: "x", region },
      { text: "x", screenshot: "shot_1", region: { ...region, width: 0 } },
      { text: "x", screenshot: "shot_1", region: { ...region, x: -1 } },
      { text: "x", screenshot: "shot_1", replyTo: "com_1" },
      { text: "x", more: 1 },
    ];
    for (const body of refused)
      assert.equal(createCommentBody.safeParse(body).success, false, JSON.stringify(body));
    assert.equal(changeCommentBody.safeParse({}).success, false);
    assert.equal(createCommentBody.safeParse({ text: "x", screenshot: "shot_1", region }).success, true);
  });
});
