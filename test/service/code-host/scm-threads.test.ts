import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { mirrorDueThreads } from "../../../services/scm/threads/mirror-threads.ts";
import { requestMirror, requestOpenMirrors } from "../../../services/scm/threads/thread.store.ts";
import type { MirroredThread } from "../../../shared/contracts/reviews/mirror.ts";
import { PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { APP_ID } from "../../support/fakes/code-host/host-answer.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { expireMirrorLeases, forgetThreadComments } from "../../support/rows/scm-rows.ts";

const RUN = "run_0";

const threadsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    const thread = (id: string, fields: Partial<MirroredThread> = {}): MirroredThread => ({
      ...{ id, screenshotId: "shot_1", page: { name: "/pricing", viewport: 1280 }, isOnRegion: false },
      ...{ comments: [{ by: "ada", text: `About ${id}` }], omitted: 0, resolvedBy: null },
      ...fields,
    });
    /** Shows these threads in the run, and mirrors them as after the event. */
    const show = async (...threads: MirroredThread[]) => {
      context.cloud.threadsOfRuns.set(RUN, threads);
      await requestMirror(context.em(), RUN);
      await mirrorDueThreads(context.node);
    };
    const written = () => on.repository.comments.filter(({ body }) => body.includes("<!-- vrs thread"));
    const bodyOf = (id: string) =>
      written().find(({ body }) => body.includes(`vrs thread ${id} `))?.body ?? "";
    const writes = () => context.host.requests.filter(name => /^(POST|PATCH|DELETE) .*comments/.test(name));
    const comment = async (fields: Parameters<ScmTestContext["commentEvent"]>[1], of = on.repository) =>
      Object((await context.send("issue_comment", context.commentEvent(of, fields))).body).reason;
    const quote = (id: string) => `> [x](https://vrs.example/review/${RUN}?shot=shot_1&comment=${id})\n\n`;
    const replies = () => [...context.cloud.replies.values()];

    describe("A thread", () => {
      it("gets one comment, which is updated in place and says that it is resolved", async () => {
        await on.begin();
        await show(thread("com_1"), thread("com_2"));
        assert.equal(written().length, 2);
        assert.match(bodyOf("com_1"), /review\/run_0\?shot=shot_1&#38;comment=com_1"/);
        const [first] = written();
        const replied = [
          { by: "ada", text: "Why?" },
          { by: "bob", text: "Because" },
        ];
        await show(thread("com_1", { comments: replied, resolvedBy: "bob" }), thread("com_2"));
        assert.deepEqual(written().map(({ id }) => id).length, 2);
        assert.equal(written()[0]?.id, first?.id);
        assert.match(bodyOf("com_1"), /Because[\s\S]*Resolved by bob/);
      });

      it("costs no request while it stays the same", async () => {
        await on.begin();
        await show(thread("com_1"));
        const before = writes().length;
        await show(thread("com_1"));
        await show(thread("com_1"));
        assert.equal(writes().length, before);
      });

      it("loses its comment when it is deleted", async () => {
        await on.begin();
        await show(thread("com_1"), thread("com_2"));
        await show(thread("com_2"));
        assert.deepEqual([written().length, bodyOf("com_1")], [1, ""]);
        await show();
        assert.deepEqual(written(), []);
      });

      it("gets no other comment after its comment was deleted on the pull request", async () => {
        await on.begin();
        await show(thread("com_1"));
        on.repository.comments.splice(0);
        await show(thread("com_1", { resolvedBy: "ada" }));
        await show(thread("com_1"));
        assert.deepEqual(written(), []);
      });

      it("gets no second comment if the response to the first was lost", async () => {
        await on.begin();
        await show(thread("com_1"));
        await forgetThreadComments(context.em());
        await show(thread("com_1", { resolvedBy: "ada" }));
        assert.equal(written().length, 1);
        assert.match(bodyOf("com_1"), /Resolved/);
      });

      it("is retried while the code host does not respond, and once after a locked conversation", async () => {
        await on.begin();
        context.host.failures.push({ match: /^POST .*issues/, status: 500, times: 100 });
        await show(thread("com_1"));
        assert.deepEqual(written(), []);
        context.host.failures.length = 0;
        await context.age("10 minutes");
        await mirrorDueThreads(context.node);
        assert.equal(written().length, 1);

        context.host.failures.push({ match: /^PATCH .*comments/, status: 403, times: 100 });
        await show(thread("com_1", { resolvedBy: "ada" }));
        const before = writes().length;
        await show(thread("com_1", { resolvedBy: "ada" }));
        assert.equal(writes().length, before);
      });

      it("is written by one node at a time, and by another after that one stopped", async () => {
        await on.begin();
        context.cloud.threadsOfRuns.set(RUN, [thread("com_1")]);
        await requestMirror(context.em(), RUN);
        await Promise.all([mirrorDueThreads(context.node), mirrorDueThreads(context.makeNode())]);
        assert.equal(written().length, 1);
        await expireMirrorLeases(context.em());
        await show(thread("com_1", { resolvedBy: "ada" }));
        assert.match(bodyOf("com_1"), /Resolved/);
      });

      it("is found without its event while the pull request is open", async () => {
        await on.begin();
        await on.end("changed");
        context.cloud.threadsOfRuns.set(RUN, [thread("com_1")]);
        await requestOpenMirrors(context.em());
        await mirrorDueThreads(context.node);
        assert.equal(written().length, 1);
      });

      it("stays in the dashboard of a public repository, unless its project says otherwise", async () => {
        await on.begin();
        on.repository.isPrivate = false;
        await show(thread("com_1"));
        assert.deepEqual(written(), []);
        context.cloud.mirrorSetting = "always";
        await show(thread("com_1"));
        assert.equal(written().length, 1);
        context.cloud.mirrorSetting = "never";
        await show(thread("com_1", { resolvedBy: "ada" }));
        assert.doesNotMatch(bodyOf("com_1"), /Resolved/);
        await show();
        assert.deepEqual(written(), [], "a deleted thread disappears all the same");
      });

      it("is one of at most 50, and the first of them keep their comments", async () => {
        await on.begin();
        const all = Array.from({ length: 60 }, (_, at) => thread(`com_${String(at).padStart(2, "0")}`));
        await show(...all);
        assert.equal(written().length, 50);
        await show(...all);
        assert.deepEqual([written().length, bodyOf("com_55")], [50, ""]);
        assert.notEqual(bodyOf("com_49"), "");
        await show(...all.filter(({ id }) => id !== "com_07"));
        assert.deepEqual([written().length, bodyOf("com_07")], [50, ""]);
        assert.notEqual(bodyOf("com_50"), "");
      });
    });

    describe("A comment on the pull request", () => {
      beforeEach(async () => {
        await on.begin();
        await show(thread("com_1"), thread("com_2"));
      });

      it("that quotes a thread becomes a reply, once", async () => {
        const payload = context.commentEvent(on.repository, {
          body: `${quote("com_1")}I'll fix it. <b>Now</b>`,
        });
        await context.send("issue_comment", payload, { id: "delivery-1" });
        const { body } = await context.send("issue_comment", payload, { id: "delivery-1" });
        assert.match(Object(body).reason, /Duplicate/);
        await context.send("issue_comment", payload);
        const [reply, ...others] = replies();
        assert.deepEqual(others, []);
        assert.deepEqual(
          [reply?.threadId, reply?.text, reply?.account],
          ["com_1", "I'll fix it. <b>Now</b>", { id: "77", login: "mona" }],
        );
        assert.match(reply?.url ?? "", /^https:\/\/host\.example\/octo\/site\/pull\/1#issuecomment-5$/);
      });

      it("that links the thread's comment becomes a reply", async () => {
        const [, second] = written();
        await comment({ body: `https://host.example/octo/site/pull/1#issuecomment-${second?.id}\nFixed` });
        assert.deepEqual(
          replies().map(({ threadId, text }) => [threadId, text]),
          [["com_2", "Fixed"]],
        );
      });

      it("stays outside of threads without a quote, of another pull request, or on an issue", async () => {
        assert.match(await comment({ body: "Looks good to me" }), /in no thread/);
        assert.match(await comment({ body: `${quote("com_1")}Hi`, pull: 2 }), /in no thread/);
        assert.match(await comment({ body: `${quote("com_9")}Hi` }), /in no thread/);
        assert.match(await comment({ body: `${quote("com_1")}Hi`, isIssue: true }), /on an issue/);
        const other = new HostedRepository("octo", "other");
        context.host.install(other);
        assert.match(await comment({ body: `${quote("com_1")}Hi` }, other), /in no thread/);
        assert.match(await comment({ body: quote("com_1") }), /no text of its own/);
        assert.deepEqual(replies(), []);
      });

      it("of an app is ignored, so that our own comments never return as replies", async () => {
        for (const { body } of written())
          assert.match(await comment({ body: `${body}\n\nHi`, type: "Bot", login: "vrs[bot]" }), /of an app/);
        assert.match(await comment({ body: `${quote("com_1")}Hi`, app: APP_ID }), /of an app/);
        assert.deepEqual(replies(), []);
      });

      it("changes and disappears with its edits, in any order of events", async () => {
        const body = (text: string) => `${quote("com_1")}${text}`;
        await comment({ body: body("Second"), action: "edited", minute: 2 });
        assert.match(await comment({ body: body("First"), minute: 1 }), /newer state/);
        assert.deepEqual(
          replies().map(({ text }) => text),
          ["Second"],
        );
        await comment({ body: "Third, without its quote", action: "edited", minute: 3 });
        assert.deepEqual(
          replies().map(({ text, threadId }) => [text, threadId]),
          [["Third, without its quote", "com_1"]],
        );
        await comment({ body: body("Third"), action: "deleted", minute: 3 });
        assert.deepEqual(replies(), []);
        assert.match(await comment({ body: body("Late"), action: "edited", minute: 9 }), /newer state/);
        assert.deepEqual(replies(), []);
      });

      it("stays deleted here after its author edits it there, and after a replay of its event", async () => {
        await comment({ body: `${quote("com_1")}Spam` });
        context.cloud.replies.clear();
        await comment({ body: `${quote("com_1")}Spam` });
        assert.deepEqual(replies(), []);
        await comment({ body: `${quote("com_1")}More spam`, action: "edited", minute: 5 });
        assert.deepEqual(replies(), []);
      });

      it("is refused without a valid signature or shape", async () => {
        const payload = context.commentEvent(on.repository, { body: `${quote("com_1")}Hi` });
        const bad = { ...payload, comment: { id: "x", body: 5 } };
        assert.equal((await context.send("issue_comment", bad)).status, 400);
        const script = { ...Object(payload).comment, html_url: "javascript:alert(1)" };
        assert.equal((await context.send("issue_comment", { ...payload, comment: script })).status, 400);
        assert.deepEqual(replies(), []);
      });
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Threads on pull requests on ${database.name}`, threadsOn(database));
