import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "mocha";
import { mirrorDueThreads } from "../../../services/scm/threads/mirror-threads.ts";
import { requestMirror } from "../../../services/scm/threads/thread.store.ts";
import type { MirroredThread } from "../../../shared/contracts/runs/mirror.ts";
import { GitLabTestContext } from "../../support/contexts/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { forgetThreadComments } from "../../support/rows/scm-rows.ts";

const RUN = "run_0";

const threadsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: GitLabTestContext;
    before(async () => {
      on = await GitLabTestContext.start(database);
    });
    beforeEach(async () => {
      await on.reset();
      const connection = await on.connect({ bootstrap: false });
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

    it("links its spot, and says to reply there, because notes don't arrive here", async () => {
      await show(thread("com_1"));
      const [, href = ""] = /href="([^"]+)"/.exec(notes()[0]?.body ?? "") ?? [];
      assert.equal(
        href.replaceAll("&#38;", "&"),
        `https://vrs.example/review/${RUN}?shot=shot_1&comment=com_1`,
      );
      assert.match(notes()[0]?.body ?? "", /open its link/);
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
  };

for (const database of MAIN_DATABASES)
  describe(`A thread on a GitLab merge request on ${database.name}`, threadsOn(database));
