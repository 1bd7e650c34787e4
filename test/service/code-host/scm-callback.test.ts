import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach, describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../services/scm/checks/check.store.ts";
import { completeCheck } from "../../../services/scm/checks/complete-check.ts";
import { notifyApp } from "../../../services/scm/cloud-api/notify-app.ts";
import { requestExternalRun } from "../../../services/scm/external-runs/external-run.store.ts";
import { findMissedRuns } from "../../../services/scm/external-runs/find-missed-runs.ts";
import {
  reportDueExternalRuns,
  reportExternalRun,
} from "../../../services/scm/external-runs/report-external-run.ts";
import { COMPLETION, PREVIEW, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import { deliver, type ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { HostedRepository } from "../../support/fakes/code-host/hosted-repository.ts";
import { makeScreenshot } from "../../support/fixtures/run-views.ts";
import { readExternalRuns } from "../../support/rows/scm-rows.ts";

const elsewhereOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    it("closes the check at a callback with the secret, also when it comes twice", async () => {
      const check = await on.begin();
      const before = structuredClone(check);
      for (const secret of ["", "wrong", `${context.host.env.SERVICE_CALLBACK_SECRET}x`])
        assert.deepEqual(await on.complete(check.id, COMPLETION, secret), {
          status: 401,
          body: { message: "invalid callback secret" },
        });
      assert.equal((await on.complete(check.id, { ...COMPLETION, conclusion: "fine" })).status, 400);
      assert.equal(
        (await on.complete(check.id, { ...COMPLETION, reportUrl: "javascript:alert(1)" })).status,
        400,
      );
      assert.equal((await on.complete(12, COMPLETION)).status, 404);
      assert.equal((await on.complete("x", COMPLETION)).status, 404);
      const other = await on.complete(check.id, { ...COMPLETION, runId: "run_other" });
      assert.deepEqual(other.body, { closed: false, reason: "The check has another run" });
      assert.deepEqual(check, before);
      assert.deepEqual(await on.complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.deepEqual(
        [check.status, check.conclusion, check.output.title],
        ["completed", "success", "3 unchanged"],
      );
      const after = structuredClone(check);
      const asked = context.host.requests.length;
      assert.deepEqual(await on.complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.deepEqual([check, context.host.requests.length], [after, asked]);
    });

    it("closes the check at the callback if the Cloud API does not let its run be read", async () => {
      const check = await on.begin();
      context.cloud.isDown = true;
      assert.equal(
        (await on.complete(check.id, { ...COMPLETION, conclusion: "changed", counts: { changed: 2 } }))
          .status,
        200,
      );
      assert.deepEqual(
        [check.conclusion, check.output.title, check.details_url],
        ["action_required", "2 changed", "https://vrs.example/r"],
      );
    });

    it("ignores callbacks of other runs, also before the check has a run", async () => {
      context.cloud.refusal = new TypeError("fetch failed");
      await on.opened();
      await on.deployed();
      const check = on.theCheck();
      const refused = {
        closed: false,
        reason: "The run of this check is not known yet. It will be read later",
      };
      const stranger = { ...COMPLETION, runId: "run_of_another_team" };
      assert.deepEqual((await on.complete(check.id, stranger)).body, refused);
      context.cloud.refusal = null;
      await context.age("1 minute");
      await advanceDueChecks(context.node);
      assert.deepEqual([check.status, context.cloud.submitted.length], ["in_progress", 1]);
      assert.deepEqual(await on.complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.equal(check.conclusion, "success");
    });

    it("closes the check if the callback arrives before the response to its submission", async () => {
      await on.opened();
      const submit = context.cloud.submit.bind(context.cloud);
      context.cloud.submit = async (...args) => {
        const runId = await submit(...args);
        context.cloud.end(runId, "passed");
        await on.complete(on.theCheck().id, { ...COMPLETION, runId });
        return runId;
      };
      await on.deployed();
      assert.equal(on.theCheck().conclusion, "success");
    });

    it("refuses callbacks if no secret is set", async () => {
      context.node = context.makeNode({ SERVICE_CALLBACK_SECRET: "" });
      assert.deepEqual(await on.complete(1, COMPLETION, ""), {
        status: 500,
        body: { message: "callback secret not configured" },
      });
    });

    it("reports an external run only on the pull request at its commit", async () => {
      // Its own name, because runs are found by the repository's name.
      on.repository = new HostedRepository("octo", `adopted-${context.host.installations.size}`);
      context.host.install(on.repository);
      on.pull = on.repository.open("feature");
      const scm = { owner: "octo", repo: on.repository.name, sha: on.pull.head.sha, pr: on.pull.number };
      const reportRun = async (more: object) => {
        const id = await context.cloud.submit(
          { url: PREVIEW, scm: { ...scm, ...more } },
          JSON.stringify(more),
        );
        context.cloud.end(id, "changed", [makeScreenshot()]);
        await reportExternalRun(context.node, id);
      };
      await reportRun({ repo: "not-installed" });
      await reportRun({ pr: 77 });
      await reportRun({ sha: "0".repeat(40) });
      assert.deepEqual([on.repository.checks.length, on.repository.comments.length], [0, 0]);
      await reportRun({});
      await reportRun({ branch: "again" });
      const { conclusion, details_url } = on.theCheck();
      assert.deepEqual([conclusion, details_url], ["action_required", "https://vrs.example/r/run_3?token=t"]);
      assert.equal(on.repository.comments.length, 1);
    });

    describe("of ended external runs", () => {
      beforeEach(() => on.reset(`ended-${context.host.installations.size}`));

      const endedRun = async (conclusion: "changed" | null = "changed") => {
        const { repository, pull } = on;
        const { number: pr, head } = pull;
        const scm = { owner: "octo", repo: repository.name, sha: head.sha, pr, branch: head.ref };
        const id = await context.cloud.submit({ url: PREVIEW, scm }, head.sha);
        context.cloud.end(id, conclusion, [makeScreenshot()]);
        return id;
      };
      const due = async () => {
        const [only] = await readExternalRuns(context.em());
        assert.ok(only);
        return only.dueAt;
      };

      it("reports them once, also if the code host did not respond at first", async () => {
        await requestExternalRun(context.em(), await endedRun());
        context.host.failures.push({ match: /\/installation$/, times: 3, status: 502 });
        await reportDueExternalRuns(context.node);
        assert.equal(on.repository.checks.length, 0);
        await reportDueExternalRuns(context.node);
        assert.equal(on.repository.checks.length, 0, "it is not due yet");
        await context.age("1 minute");
        await Promise.all([reportDueExternalRuns(context.node), reportDueExternalRuns(context.makeNode())]);
        assert.equal(on.theCheck().conclusion, "action_required");
        assert.equal(await due(), null);
      });

      it("stops at runs that the app may not report", async () => {
        await requestExternalRun(context.em(), await endedRun());
        on.repository.hidden = true;
        await reportDueExternalRuns(context.node);
        assert.equal(await due(), null);
      });

      for (const conclusion of ["changed", null] as const)
        it(`finds runs without an event, ${conclusion ?? "failed"}, and checks each once`, async () => {
          await endedRun(conclusion);
          const find = async () => {
            await findMissedRuns(context.node);
            await reportDueExternalRuns(context.node);
          };
          await find();
          assert.equal(on.theCheck().conclusion, conclusion === null ? "failure" : "action_required");
          const asked = context.host.requests.length;
          await context.age("1 hour");
          await find();
          assert.equal(context.host.requests.length, asked);
        });

      it("skips runs that ended long ago, have no commit, have a check, or are the app's own", async () => {
        const id = await endedRun();
        const run = context.cloud.runs.get(id);
        assert.ok(run?.scm);
        const completedAt = new Date(Date.now() - 25 * 3_600_000).toISOString();
        context.cloud.runs.set(id, { ...run, completedAt });
        context.cloud.runs.set("run_b", { ...run, id: "run_b", scm: null });
        context.cloud.runs.set("run_c", { ...run, id: "run_c", scm: { ...run.scm, checkRunId: 7 } });
        await findMissedRuns(context.node);
        assert.deepEqual(await readExternalRuns(context.em()), []);
        context.cloud.runs.clear();
        context.cloud.runs.set(id, run);
        await on.opened();
        assert.equal(on.theCheck().conclusion, "action_required");
        await findMissedRuns(context.node);
        assert.deepEqual(await readExternalRuns(context.em()), []);
      });
    });

    describe("of runs without a pull request number", () => {
      /** Submits a run of a branch, as the deployment platform's integration does. */
      const platformRun = (branch: string, sha: string) => {
        const scm = { owner: "octo", repo: on.repository.name, sha: sha.toUpperCase(), branch };
        return context.cloud.submit({ url: PREVIEW, scm }, `platform-${sha}`);
      };
      const end = async (id: string) => {
        context.cloud.end(id, "changed", [makeScreenshot()]);
        await wakeCheckOfRun(context.em(), id);
        await advanceDueChecks(context.node);
      };
      const reported = () => [
        on.theCheck().conclusion,
        on.theCheck().details_url,
        on.repository.comments.map(({ pull }) => pull),
      ];

      beforeEach(() => on.reset(`unnamed-${context.host.installations.size}`));

      it("reports them on the pull request at their commit, preferring the one of their branch", async () => {
        await on.opened();
        on.repository.branches.set("twin", on.pull.head.sha);
        const twin = on.repository.addPull({ head: "twin", base: "main", title: "Twin", body: "" });
        const id = await platformRun("twin", twin.head.sha);
        context.cloud.end(id, "changed", [makeScreenshot()]);
        await reportExternalRun(context.node, id);
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [2]]);
        await reportExternalRun(
          context.node,
          await platformRun("main", on.repository.branches.get("main") ?? ""),
        );
        on.theCheck();
      });

      it("reports a run from before its pull request was opened once, and starts none", async () => {
        const id = await platformRun("feature/login", on.pull.head.sha);
        await end(id);
        const answers = [await on.opened(), await on.opened("reopened")];
        const reason = "This commit was already checked";
        for (const { body } of answers) assert.deepEqual(body, { triggered: false, reason });
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [1]]);
        assert.equal(context.cloud.submitted.length, 1);
      });

      it("reports a run that is in progress when its pull request is opened", async () => {
        const id = await platformRun("feature/login", on.pull.head.sha);
        await Promise.all([on.opened(), on.opened(), reportExternalRun(context.node, id)]);
        assert.equal(on.theCheck().status, "in_progress");
        await end(id);
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [1]]);
      });

      it("uses no run of another commit or another pull request", async () => {
        await end(await platformRun("feature/login", "0".repeat(40)));
        const scm = {
          owner: "octo",
          repo: on.repository.name,
          sha: on.pull.head.sha,
          branch: "feature/login",
        };
        await end(await context.cloud.submit({ url: PREVIEW, scm: { ...scm, pr: 77 } }, "another"));
        const canceled = await context.cloud.submit({ url: PREVIEW, scm }, "canceled");
        await context.cloud.cancel(canceled);
        await reportExternalRun(context.node, canceled);
        const none = { triggered: false, reason: "No preview URL available yet" };
        assert.deepEqual((await on.opened()).body, none);
        context.cloud.isDown = true;
        assert.deepEqual((await on.opened("reopened")).body, none);
        assert.equal(on.repository.checks.length, 0);
      });
    });

    it("receives the end of a run from another installation, which retries and reports a refusal", async () => {
      const check = await on.begin();
      const { signal } = new AbortController();
      let busy = 1;
      const server = createServer(async (req, res) => {
        const [, checkRunId = ""] = /^\/runs\/(\d+)\/complete$/.exec(req.url ?? "") ?? [];
        const body = await text(req);
        busy -= 1;
        if (busy === 0) return void res.writeHead(503).end();
        const { authorization = "" } = req.headers;
        const answer = await completeCheck(context.node, deliver({ authorization }, body, { checkRunId }));
        res.writeHead(answer.status).end();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(typeof address === "object" && address);
      const app = {
        baseUrl: `http://127.0.0.1:${address.port}`,
        secret: context.host.env.SERVICE_CALLBACK_SECRET ?? "",
      };
      const run = context.cloud.runs.get("run_0");
      assert.ok(run);
      const ended = { ...run, status: "completed" as const, conclusion: "changed" as const };
      try {
        context.cloud.isDown = true;
        await notifyApp({ ...app, secret: "wrong" }, { ...ended, scm: null }, signal);
        await assert.rejects(notifyApp({ ...app, secret: "wrong" }, ended, signal), /returned status 401/);
        assert.equal(check.status, "in_progress");
        await notifyApp(app, ended, signal);
        assert.deepEqual([check.status, check.conclusion], ["completed", "action_required"]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  };

for (const database of MAIN_DATABASES)
  describe(`External runs and callbacks on ${database.name}`, elsewhereOn(database));
