import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../services/scm/checks/check.store.ts";
import {
  reportDueExternalRuns,
  reportExternalRun,
} from "../../../services/scm/external-runs/report-external-run.ts";
import type { Conclusion } from "../../../shared/contracts/runs/runs.ts";
import { PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { makeRun, makeScreenshot } from "../../support/fixtures/run-views.ts";

const STORY = { id: "button--primary", title: "Button", name: "Primary", args: {}, url: null };

const buildsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    /** Ends a build of the pull request's commit. */
    const endBuild = (id: string, name: string | null, conclusion: Conclusion | null = "changed") => {
      const { repository, pull } = on;
      const project = `octo/${repository.name}${name === null ? "" : `#${name}`}`;
      const scm = { owner: "octo", repo: repository.name, sha: pull.head.sha, branch: pull.head.ref };
      const source = "upload" as const;
      context.cloud.runs.set(id, makeRun({ id, source, project, url: "", branch: pull.head.ref, scm }));
      context.cloud.end(id, conclusion, [makeScreenshot({ route: `Card of ${id}` })]);
    };
    const checks = () =>
      Object.fromEntries(on.repository.checks.map(({ name, conclusion }) => [name, conclusion]));

    it("have checks and comments of their own beside the preview's", async () => {
      await on.begin();
      await on.end("passed");
      endBuild("run_b1", "storybook");
      endBuild("run_b2", "a--> b", "passed");
      endBuild("run_b3", null);
      for (const id of ["run_b1", "run_b2", "run_b3"]) await reportExternalRun(context.node, id);
      assert.deepEqual(checks(), {
        "Service / Preview": "success",
        "Service / storybook": "action_required",
        "Service / a--> b": "success",
        "Service / Screenshots": "action_required",
      });
      assert.equal(on.repository.comments.length, 4);
      const comment = on.repository.comments.find(({ body }) => body.includes("Service / storybook:"));
      assert.match(comment?.body ?? "", /Card of run\\?_b1/);
      assert.doesNotMatch(comment?.body ?? "", /preview/);
    });

    it("move their check and comment to a later build, never to an earlier one", async () => {
      endBuild("run_b1", "storybook", null);
      endBuild("run_b2", "storybook", "passed");
      for (const id of ["run_b1", "run_b2", "run_b1"]) await reportExternalRun(context.node, id);
      assert.deepEqual(checks(), { "Service / storybook": "success" });
      assert.equal(on.repository.comments.length, 1);
    });

    it("keep their comment in a conversation that is too long to search", async () => {
      await on.opened();
      endBuild("run_b1", "storybook");
      await reportExternalRun(context.node, "run_b1");
      const { comments } = on.repository;
      const [own] = comments;
      assert.ok(own);
      comments.unshift(
        ...Array.from({ length: 1_000 }, (_, id) => ({ ...own, id: -id, body: "Nice", app: null })),
      );
      endBuild("run_b2", "storybook", "passed");
      await reportExternalRun(context.node, "run_b2");
      assert.equal(comments.length, 1_001);
      assert.match(comments.at(-1)?.body ?? "", /run_b2\?token/);
    });

    it("are reported if they ended before their pull request was opened, and aren't the preview's run", async () => {
      endBuild("run_b1", "storybook");
      await on.opened();
      assert.deepEqual(checks(), {});
      await reportDueExternalRuns(context.node);
      assert.deepEqual(checks(), { "Service / storybook": "action_required" });
    });

    it("are not reported for other teams, which can name any repository", async () => {
      endBuild("run_b1", "storybook");
      const build = context.cloud.runs.get("run_b1");
      assert.ok(build);
      const runs = { ...context.node.cloudOf("team_other"), run: async () => build };
      await reportExternalRun({ ...context.node, cloudOf: () => runs }, "run_b1", "team_other");
      assert.deepEqual(checks(), {});
    });

    it("can't be rerun, because only their tests can", async () => {
      endBuild("run_b1", "storybook");
      await reportExternalRun(context.node, "run_b1");
      const answer = await on.press(on.theCheck(), { action: "rerequested" });
      assert.match(JSON.stringify(answer.body), /Rerun the CI job/);
      assert.deepEqual(context.cloud.submitted, []);
    });

    describe("of previews that the app can't capture", () => {
      for (const [what, url, ...screenshots] of [
        ["an archive", "http://archive.localhost/", makeScreenshot()],
        ["a local application", "http://127.0.0.1:3000/", makeScreenshot()],
        ["a Storybook", "https://storybook.example", makeScreenshot({ story: STORY })],
        ["a Storybook without stories", "https://storybook.example"],
      ] as const)
        it(`keep the result of ${what} at a rerun and a change of the base`, async () => {
          const { owner, name: repo } = on.repository;
          const { number: pr, head, base } = on.pull;
          const scm = { owner, repo, sha: head.sha, branch: head.ref, pr, baseBranch: base.ref };
          context.cloud.runs.set("run_x", makeRun({ id: "run_x", url, branch: head.ref, scm }));
          context.cloud.end("run_x", "passed", screenshots);
          await reportExternalRun(context.node, "run_x");
          const answer = await on.press(on.theCheck(), { action: "rerequested" });
          assert.match(JSON.stringify(answer.body), /Rerun the CI job that submits it/);
          on.repository.branches.set("next", on.repository.branches.get("main") ?? "");
          on.pull.base.ref = "next";
          const edited = context.pullEvent(on.repository, on.pull, "edited");
          await context.send("pull_request", { ...edited, changes: { base: { ref: { from: "main" } } } });
          await wakeCheckOfRun(context.em(), "run_x");
          await advanceDueChecks(context.node);
          assert.deepEqual(checks(), { "Service / Preview": "success" });
          assert.deepEqual([context.cloud.submitted, context.cloud.canceled], [[], []]);
        });
    });
  };

for (const database of MAIN_DATABASES) describe(`Checks of builds on ${database.name}`, buildsOn(database));
