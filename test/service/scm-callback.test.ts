import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { beforeEach, describe, it } from "mocha";
import { adoptRun } from "../../services/scm/adopt-run.ts";
import { advanceDueChecks } from "../../services/scm/advance-check.ts";
import { nudgeRun } from "../../services/scm/check.store.ts";
import { completeCheck } from "../../services/scm/complete-check.ts";
import { tellApp } from "../../services/scm/tell-app.ts";
import { DATABASES, type DatabaseKind } from "../support/databases.ts";
import { HostedRepository } from "../support/hosted-repository.ts";
import { COMPLETION, PREVIEW, PullRig } from "../support/pull-rig.ts";
import { makeShot } from "../support/run-views.ts";
import { deliver, type ScmRig } from "../support/scm-rig.ts";

const elsewhereOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullRig;
    let rig: ScmRig;
    PullRig.of(this, database, started => {
      on = started;
      rig = on.rig;
    });

    it("closes the check at the callback, with its secret only; twice is harmless", async () => {
      const check = await on.begin();
      const before = structuredClone(check);
      for (const secret of ["", "wrong", `${rig.host.env.SERVICE_CALLBACK_SECRET}x`])
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
      const asked = rig.host.asked.length;
      assert.deepEqual(await on.complete(check.id, COMPLETION), { status: 200, body: { closed: true } });
      assert.deepEqual([check, rig.host.asked.length], [after, asked]);
    });

    it("closes the check at the callback where the Cloud API does not let its run be read", async () => {
      const check = await on.begin();
      rig.cloud.isDown = true;
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

    it("takes no callback where its secret is not set", async () => {
      rig.node = rig.makeNode({ SERVICE_CALLBACK_SECRET: "" });
      assert.deepEqual(await on.complete(1, COMPLETION, ""), {
        status: 500,
        body: { message: "callback secret not configured" },
      });
    });

    it("reports a run that somebody else submitted, on the pull request that is at its commit and no other", async () => {
      // Of a name of its own: that is what it is looked for by.
      on.repository = new HostedRepository("octo", `adopted-${rig.host.installations.size}`);
      rig.host.install(on.repository);
      on.pull = on.repository.open("feature");
      const scm = { owner: "octo", repo: on.repository.name, sha: on.pull.head.sha, pr: on.pull.number };
      const adopt = async (more: object) => {
        const id = await rig.cloud.submit({ url: PREVIEW, scm: { ...scm, ...more } }, JSON.stringify(more));
        rig.cloud.end(id, "changed", [makeShot()]);
        await adoptRun(rig.node, id);
      };
      await adopt({ repo: "not-installed" });
      await adopt({ pr: 77 });
      await adopt({ sha: "0".repeat(40) });
      assert.deepEqual([on.repository.checks.length, on.repository.comments.length], [0, 0]);
      await adopt({});
      await adopt({ branch: "again" });
      const { conclusion, details_url } = on.theCheck();
      assert.deepEqual([conclusion, details_url], ["action_required", "https://vrs.example/r/run_3?token=t"]);
      assert.equal(on.repository.comments.length, 1);
    });

    describe("of runs that name no pull request", () => {
      /** The deployment platform's integration asks for a run of a branch. */
      const platformRun = (branch: string, sha: string) => {
        const scm = { owner: "octo", repo: on.repository.name, sha: sha.toUpperCase(), branch };
        return rig.cloud.submit({ url: PREVIEW, scm }, `platform-${sha}`);
      };
      const end = async (id: string) => {
        rig.cloud.end(id, "changed", [makeShot()]);
        await nudgeRun(rig.em(), id);
        await advanceDueChecks(rig.node);
      };
      const reported = () => [
        on.theCheck().conclusion,
        on.theCheck().details_url,
        on.repository.comments.map(({ pull }) => pull),
      ];

      beforeEach(() => on.reset(`unnamed-${rig.host.installations.size}`));

      it("reports them on the pull request at their commit, of several the one from their branch", async () => {
        await on.opened();
        on.repository.branches.set("twin", on.pull.head.sha);
        const twin = on.repository.addPull({ head: "twin", base: "main", title: "Twin", body: "" });
        const id = await platformRun("twin", twin.head.sha);
        rig.cloud.end(id, "changed", [makeShot()]);
        await adoptRun(rig.node, id);
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [2]]);
        await adoptRun(rig.node, await platformRun("main", on.repository.branches.get("main") ?? ""));
        on.theCheck();
      });

      it("reports one that there was before its pull request was opened, once, and starts none", async () => {
        const id = await platformRun("feature/login", on.pull.head.sha);
        await end(id);
        const answers = [await on.opened(), await on.opened("reopened")];
        const reason = "This commit has been checked already";
        for (const { body } of answers) assert.deepEqual(body, { triggered: false, reason });
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [1]]);
        assert.equal(rig.cloud.submitted.length, 1);
      });

      it("reports one that is under way when its pull request is opened once it ends", async () => {
        const id = await platformRun("feature/login", on.pull.head.sha);
        await Promise.all([on.opened(), on.opened(), adoptRun(rig.node, id)]);
        assert.equal(on.theCheck().status, "in_progress");
        await end(id);
        assert.deepEqual(reported(), ["action_required", `https://vrs.example/r/${id}?token=t`, [1]]);
      });

      it("takes no run for a pull request's that is of another commit or another pull request", async () => {
        await end(await platformRun("feature/login", "0".repeat(40)));
        const scm = {
          owner: "octo",
          repo: on.repository.name,
          sha: on.pull.head.sha,
          branch: "feature/login",
        };
        await end(await rig.cloud.submit({ url: PREVIEW, scm: { ...scm, pr: 77 } }, "another"));
        await rig.cloud.cancel(await rig.cloud.submit({ url: PREVIEW, scm }, "canceled"));
        const none = { triggered: false, reason: "No preview URL available yet" };
        assert.deepEqual((await on.opened()).body, none);
        rig.cloud.isDown = true;
        assert.deepEqual((await on.opened("reopened")).body, none);
        assert.equal(on.repository.checks.length, 0);
      });
    });

    it("is told by a Cloud API elsewhere how a run ended, which tries again, and says when it is refused", async () => {
      const check = await on.begin();
      const { signal } = new AbortController();
      let busy = 1;
      const server = createServer(async (req, res) => {
        const [, checkRunId = ""] = /^\/runs\/(\d+)\/complete$/.exec(req.url ?? "") ?? [];
        const body = await text(req);
        busy -= 1;
        if (busy === 0) return void res.writeHead(503).end();
        const { authorization = "" } = req.headers;
        const answer = await completeCheck(rig.node, deliver({ authorization }, body, { checkRunId }));
        res.writeHead(answer.status).end();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      assert.ok(typeof address === "object" && address);
      const app = {
        baseUrl: `http://127.0.0.1:${address.port}`,
        secret: rig.host.env.SERVICE_CALLBACK_SECRET ?? "",
      };
      const run = rig.cloud.runs.get("run_0");
      assert.ok(run);
      const ended = { ...run, status: "completed" as const, conclusion: "changed" as const };
      try {
        rig.cloud.isDown = true;
        await tellApp({ ...app, secret: "wrong" }, { ...ended, scm: null }, signal);
        await assert.rejects(tellApp({ ...app, secret: "wrong" }, ended, signal), /answers 401/);
        assert.equal(check.status, "in_progress");
        await tellApp(app, ended, signal);
        assert.deepEqual([check.status, check.conclusion], ["completed", "action_required"]);
      } finally {
        server.closeAllConnections();
        server.close();
      }
    });
  };

for (const database of DATABASES)
  describe(`Runs of checks that are done or submitted elsewhere on ${database.name}`, elsewhereOn(database));
