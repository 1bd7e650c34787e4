import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { advanceDueChecks } from "../../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../../services/scm/checks/check.store.ts";
import { findConnection } from "../../../../services/scm/connections/connection.store.ts";
import { disconnect } from "../../../../services/scm/connections/manage-connections.ts";
import { mirrorDueThreads } from "../../../../services/scm/threads/mirror-threads.ts";
import { requestMirror, requestOpenMirrors } from "../../../../services/scm/threads/thread.store.ts";
import type { ConnectionWithSecret } from "../../../../shared/contracts/code-host/connections.ts";
import type { MirroredThread } from "../../../../shared/contracts/reviews/mirror.ts";
import { ADMIN, GitLabTestContext } from "../../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../../support/databases/databases.ts";
import { type GitLabNote, GitLabProject } from "../../../support/fakes/gitlab/gitlab-project.ts";
import { forgetThreadComments } from "../../../support/rows/scm-rows.ts";

const RUN = "run_0";

const threadsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: GitLabTestContext;
    let connection: ConnectionWithSecret;
    before(async () => {
      on = await GitLabTestContext.start(database);
    });
    beforeEach(async () => {
      await on.reset();
      connection = await on.connect({ bootstrap: false });
      const { project, pull, gitlab } = on;
      await on.send(connection, "Merge Request Hook", gitlab.mergeRequestEvent(project, pull, "open"));
      const deployed = gitlab.deploymentEvent(project, pull.head.sha, "https://feature.previews.example");
      await on.send(connection, "Deployment Hook", deployed);
      assert.equal(on.cloud.submitted.length, 1);
    });
    afterEach(() => assert.deepEqual(on.gitlab.complaints, []));
    after(() => on?.stop());

    const thread = (id: string, fields: Partial<MirroredThread> = {}): MirroredThread => ({
      ...{ id, screenshotId: "shot_1", page: { name: "/pricing", viewport: 1280 }, isOnRegion: false },
      ...{
        comments: [{ by: "ada", text: `About ${id.replace("com_", "thread ")}` }],
        omitted: 0,
        resolvedBy: null,
      },
      ...fields,
    });
    /** Shows these threads in the run, and mirrors them as after the event. */
    const show = async (...threads: MirroredThread[]) => {
      on.cloud.threadsOfRuns.set(RUN, threads);
      await requestMirror(on.em(), RUN);
      await mirrorDueThreads(on.scm);
    };
    const notes = () => on.project.notes.map(({ pull, body }) => ({ pull, body }));

    it("becomes a note of its merge request, which is updated in place and removed with it", async () => {
      await show(thread("com_1"), thread("com_2"));
      assert.deepEqual(
        notes().map(({ pull }) => pull),
        [on.pull.number, on.pull.number],
      );
      const [first] = on.project.notes;
      assert.match(first?.body ?? "", /About thread 1/);
      await show(thread("com_1", { resolvedBy: "bob" }), thread("com_2"));
      assert.equal(notes().length, 2);
      assert.match(on.project.notes.find(({ id }) => id === first?.id)?.body ?? "", /Resolved by bob/);
      await show(thread("com_2"));
      assert.deepEqual([notes().length, notes()[0]?.body.includes("About thread 2")], [1, true]);
      await show();
      assert.deepEqual(notes(), []);
      assert.deepEqual(on.warnings, []);
    });

    it("gets no second note after a lost response, and none after people deleted it", async () => {
      await show(thread("com_1"));
      await forgetThreadComments(on.em());
      await show(thread("com_1", { resolvedBy: "ada" }));
      assert.equal(notes().length, 1);
      on.project.notes.length = 0;
      await show(thread("com_1"));
      await show(thread("com_1", { resolvedBy: "bob" }));
      await show();
      assert.deepEqual(notes(), []);
    });

    it("links its spot, and says that replies appear in the thread", async () => {
      await show(thread("com_1"));
      const [, href = ""] = /href="([^"]+)"/.exec(notes()[0]?.body ?? "") ?? [];
      assert.equal(
        href.replaceAll("&#38;", "&"),
        `https://vrs.example/review/${RUN}?shot=shot_1&comment=com_1`,
      );
      assert.match(notes()[0]?.body ?? "", /Replies to this note appear in the thread/);
      assert.doesNotMatch(notes()[0]?.body ?? "", /Quote reply/);
    });

    it("contains no quick action, mention, or reference of its authors", async () => {
      const text =
        "/merge\n/approve\r/close\u2028/assign @all !1 #2 $3 &4 ~bug %v1 GL-5 :tada:\n\n/label ~x\n>>>\n```";
      const hostile = { by: "/merge\n/approve @all", text };
      await show(thread("com_1", { comments: [hostile, hostile], resolvedBy: "\n/merge @all" }));
      const body = notes()[0]?.body ?? "";
      assert.doesNotMatch(body, /^\s*\/|GL-5|```|>>>/m);
      // GitLab searches the rendered text, in which entities are characters.
      const shown = body.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
      assert.doesNotMatch(shown.replaceAll(/<[^>]*>/g, ""), /[@!#$&~%:]\w/);
    });

    it("stays in the dashboard of a project that more than its members can read", async () => {
      for (const visibility of ["public", "internal"] as const) {
        on.project.visibility = visibility;
        await show(thread("com_1"));
        assert.deepEqual(notes(), [], visibility);
      }
      on.cloud.mirrorSetting = "always";
      await show(thread("com_1"));
      assert.equal(notes().length, 1);
    });

    it("stays the same after its project was connected again", async () => {
      const token = (await findConnection(on.em(), connection.id))?.access.token;
      on.cloud.end(RUN, "changed", []);
      await wakeCheckOfRun(on.em(), RUN);
      await advanceDueChecks(on.scm);
      await show(thread("com_1"));
      await disconnect(on.scm, ADMIN, connection.id);
      connection = await on.connect({ bootstrap: false, token });
      const { project, pull, gitlab } = on;
      await on.send(connection, "Merge Request Hook", gitlab.mergeRequestEvent(project, pull, "reopen"));
      await on.age("10 minutes");
      await advanceDueChecks(on.scm);
      on.cloud.threadsOfRuns.set(RUN, [thread("com_1", { resolvedBy: "bob" })]);
      await requestOpenMirrors(on.em());
      await mirrorDueThreads(on.scm);
      assert.equal(notes().filter(({ body }) => /About thread 1/.test(body)).length, 1);
      assert.match(notes().find(({ body }) => /About thread 1/.test(body))?.body ?? "", /Resolved by bob/);
      assert.deepEqual(on.warnings, []);
    });

    describe("with replies in GitLab", () => {
      const ADA = { id: 7, username: "ada" };
      const replies = () => [...on.cloud.replies.values()].map(({ text }) => text);
      const first = () => {
        const [note] = on.project.notes;
        assert.ok(note);
        return note;
      };
      const reply = (body: string, more: Partial<GitLabNote> = {}) =>
        on.project.addNote(on.pull.number, { discussion: first().discussion, body, author: ADA, ...more });
      /** Sends a note's event, and reads the threads that are due. */
      const noted = async (note: GitLabNote, more: Parameters<typeof on.send>[3] = {}) => {
        const answer = await on.send(connection, "Note Hook", on.gitlab.noteEvent(on.project, note), more);
        await mirrorDueThreads(on.scm);
        return Object(answer.body).reason;
      };
      /** Reads the threads as after the interval of lost events. */
      const sweep = async () => {
        await requestMirror(on.em(), RUN);
        await mirrorDueThreads(on.scm);
      };
      const edit = (note: GitLabNote, body: string) =>
        Object.assign(note, { body, updated_at: new Date(Date.now() + 1_000).toISOString() });

      beforeEach(() => show(thread("com_1"), thread("com_2")));

      it("gets them once, with their author and link, also if the event is sent again", async () => {
        const note = reply("Looks <b>wrong</b>");
        const uuid = { headers: { "Idempotency-Key": "the-same" } };
        assert.match(await noted(note, uuid), /thread of this comment is read/);
        assert.match(await noted(note, uuid), /Duplicate/);
        await noted(note);
        const [got] = [...on.cloud.replies.values()];
        assert.deepEqual(replies(), ["Looks <b>wrong</b>"]);
        assert.deepEqual([got?.threadId, got?.account.login], ["com_1", "ada"]);
        assert.equal(
          got?.url,
          `${on.gitlab.url}/acme/web/shop/-/merge_requests/${on.pull.number}#note_${note.id}`,
        );
        assert.match(got?.account.id ?? "", /^127\.0\.0\.1:\d+:7$/, "no user of another host has this id");
        const isWrite = (name: string) => !name.startsWith("GET");
        on.gitlab.requests.length = 0;
        await sweep();
        assert.deepEqual(on.gitlab.requests.filter(isWrite), [], "nothing echoes");
      });

      it("follows edits and deletions, and never brings a deleted reply back", async () => {
        const note = reply("First");
        await noted(note);
        await noted(edit(note, "Second"));
        assert.deepEqual(replies(), ["Second"]);
        const [got] = [...on.cloud.replies.values()];
        on.cloud.replies.delete(got?.id ?? "");
        await noted(edit(note, "Third"));
        assert.deepEqual(replies(), [], "it was deleted here");
        const second = reply("Another");
        await noted(second);
        on.project.notes.splice(on.project.notes.indexOf(second), 1);
        await sweep();
        assert.deepEqual(replies(), []);
        await noted(second);
        assert.deepEqual(replies(), []);
      });

      it("gets, edits and deletes them once the service can write them again", async () => {
        const failing = async (change: () => void) => {
          on.cloud.refusesReplies = true;
          change();
          await sweep();
          on.cloud.refusesReplies = false;
          await sweep();
        };
        let note = first();
        await failing(() => {
          note = reply("First");
        });
        assert.deepEqual(replies(), ["First"]);
        await failing(() => edit(note, "Second"));
        assert.deepEqual(replies(), ["Second"]);
        await failing(() => on.project.notes.splice(on.project.notes.indexOf(note), 1));
        assert.deepEqual(replies(), []);
      });

      it("keeps them while the token may not read the merge request", async () => {
        await noted(reply("First"));
        on.gitlab.failures.push({ match: /^GET .*discussions/, times: 9, status: 404 });
        await sweep();
        assert.deepEqual(replies(), ["First"]);
        on.gitlab.failures.length = 0;
        await noted(reply("Second"));
        assert.deepEqual(replies(), ["First", "Second"]);
      });

      it("ignores bots, system and internal notes, its own ones, and other discussions", async () => {
        reply("Bot", { author: { id: 8, username: "project_12_bot_3f" } });
        reply("Account", { author: { id: 9, username: "service_account_group_5_ab" } });
        reply("Own", { author: first().author });
        reply("resolved all threads", { system: true });
        await noted(reply("Secret", { internal: true }));
        const elsewhere = on.project.addNote(on.pull.number, { body: "Hi", author: ADA });
        assert.match(await noted(elsewhere), /in no thread/);
        assert.deepEqual(replies(), []);
      });

      it("takes only events with the secret, of its project", async () => {
        const note = reply("Hi");
        const wrong = { ...connection, webhookSecret: "wrong" };
        const event = on.gitlab.noteEvent(on.project, note);
        assert.equal((await on.send(wrong, "Note Hook", event)).status, 401);
        const other = on.gitlab.addProject(new GitLabProject("acme", "other"));
        await on.send(connection, "Note Hook", on.gitlab.noteEvent(other, note));
        const onIssue = on.gitlab.noteEvent(on.project, note, { noteable_type: "Issue" });
        assert.match(JSON.stringify(await on.send(connection, "Note Hook", onIssue)), /on an issue/);
        for (const bad of [{ discussion_id: 5 }, { noteable_type: null }])
          assert.equal(
            (await on.send(connection, "Note Hook", on.gitlab.noteEvent(on.project, note, bad))).status,
            400,
          );
        await mirrorDueThreads(on.scm);
        assert.deepEqual(replies(), []);
      });

      it("reads none if the project keeps its threads to itself", async () => {
        on.cloud.mirrorSetting = "never";
        await noted(reply("Hi"));
        assert.deepEqual(replies(), []);
      });

      it("takes a bounded number", async () => {
        for (let at = 0; at < 230; at++) reply(`Reply ${at}`);
        await sweep();
        assert.equal(replies().length, 200);
      });

      it("is resolved and reopened from both sides, without an echo", async () => {
        const resolve = (resolved: boolean) =>
          Object.assign(first(), { resolved, resolved_by: resolved ? ADA : null });
        resolve(true);
        const update = on.gitlab.mergeRequestEvent(on.project, on.pull, "update");
        await on.send(connection, "Merge Request Hook", update);
        await mirrorDueThreads(on.scm);
        assert.deepEqual(on.cloud.resolutions, [{ threadId: "com_1", by: "ada" }]);
        await sweep();
        assert.match(first().body, /Resolved by ada/);
        const [, second] = on.cloud.threadsOfRuns.get(RUN) ?? [];
        await show(thread("com_1"), second ?? thread("com_2"));
        assert.equal(first().resolved, false, "it was reopened here");
        await show(thread("com_1", { resolvedBy: "bob" }), thread("com_2"));
        assert.equal(first().resolved, true, "it was resolved here");
        resolve(false);
        await sweep();
        assert.deepEqual(on.cloud.resolutions.slice(1), [{ threadId: "com_1", by: null }]);
        on.gitlab.requests.length = 0;
        await sweep();
        await sweep();
        assert.equal(on.cloud.resolutions.length, 2);
        assert.deepEqual(
          on.gitlab.requests.filter(name => /^PUT .*discussions/.test(name)),
          [],
        );
      });

      it("is not resolved by people who are no members of the project", async () => {
        on.cloud.mirrorSetting = "always";
        on.project.visibility = "public";
        Object.assign(first(), { resolved: true, resolved_by: ADA });
        await sweep();
        assert.deepEqual(on.cloud.resolutions, []);
        await noted(reply("A reply counts"));
        assert.deepEqual(replies(), ["A reply counts"]);
      });
    });
  };

for (const database of MAIN_DATABASES)
  describe(`A thread on a GitLab merge request on ${database.name}`, threadsOn(database));
