import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { DATABASES, type DatabaseKind } from "../support/databases.ts";
import { PREVIEW, PullRig } from "../support/pull-rig.ts";
import type { ScmRig } from "../support/scm-rig.ts";

const previewsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullRig;
    let rig: ScmRig;
    PullRig.of(this, database, started => {
      on = started;
      rig = on.rig;
    });

    it("skips a pull request of which no preview is known, and starts its run when one is told", async () => {
      assert.deepEqual((await on.opened()).body, {
        triggered: false,
        reason: "No preview URL available yet",
      });
      assert.equal(on.repository.checks.length, 0);
      const { status, body } = await on.deployed();
      const check = on.theCheck();
      assert.deepEqual(
        [status, body],
        [200, { triggered: true, runId: "run_0", previewUrl: PREVIEW, checkRunId: check.id }],
      );
      const { run, key } = rig.cloud.submitted[0] ?? {};
      const { owner, name } = on.repository;
      const scm = {
        owner,
        repo: name,
        sha: on.pull.head.sha,
        pr: 1,
        branch: "feature/login",
        baseBranch: "main",
        defaultBranch: "main",
        baseSha: on.repository.branches.get("main"),
        missingShas: [],
        author: "octocat",
        checkRunId: check.id,
      };
      assert.deepEqual(run, { url: PREVIEW, scm });
      assert.match(key ?? "", /^chr_\w+_1$/);
      assert.deepEqual(
        [check.name, check.status, check.head_sha, check.details_url],
        ["Service / Preview", "in_progress", on.pull.head.sha, "https://vrs.example/r/run_0?token=t"],
      );
      assert.deepEqual(rig.host.complaints, []);
    });

    it("starts the run with the pull request where the preview was told first, on whichever node", async () => {
      on.repository.pulls.length = 0;
      assert.match(JSON.stringify((await on.deployed()).body), /remembered/);
      on.repository.pulls.push(on.pull);
      assert.deepEqual(Object(await on.opened()).body.triggered, true);
      assert.equal(on.theCheck().status, "in_progress");
      assert.equal(rig.cloud.submitted.length, 1);
    });

    it("takes previews only from the platform, once on.deployed, at public addresses that are not the code host's", async () => {
      await on.opened();
      const ignored = [
        on.deployed(PREVIEW, { context: "ci/tests" }),
        on.deployed(PREVIEW, { state: "pending" }),
        on.deployed(null),
      ];
      for (const answer of await Promise.all(ignored))
        assert.deepEqual([answer.status, Object(answer.body).triggered], [200, false]);
      const own = `${rig.host.url}/octo/site/pull/1`;
      for (const url of [
        "http://previews.example",
        "https://127.0.0.1/",
        "https://169.254.169.254/x",
        "https://metadata/",
        own,
        own.replace("http:", "https:"),
        "no url",
      ])
        assert.deepEqual(
          await on.deployed(url),
          { status: 400, body: { triggered: false, error: "Preview URL not allowed" } },
          url,
        );
      assert.equal(rig.cloud.submitted.length, 0);
    });

    it("takes previews from deployments too, older and newer ones, and never production", async () => {
      await on.opened();
      const deploy = (status: object, environment = "Preview") =>
        rig.send("deployment_status", {
          deployment: { sha: on.pull.head.sha, environment },
          deployment_status: { state: "success", ...status },
          ...rig.host.event(on.repository),
        });
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW }, "production")).body),
        /production/,
      );
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW, environment: "Production" })).body),
        /production/,
      );
      assert.equal(
        Object(await deploy({ environment_url: PREVIEW, state: "in_progress" })).body.triggered,
        false,
      );
      assert.equal(Object(await deploy({ environment_url: "" })).body.triggered, false);
      const body = Object(await deploy({ target_url: "https://older.example", environment_url: "" })).body;
      assert.deepEqual(
        [body.triggered, body.previewUrl, body.provider],
        [true, "https://older.example", "other"],
      );
    });

    it("renders the template where no provider told, and lets no branch name a host of its own", async () => {
      const template =
        "https://{prNumber}.previews.example/{owner}/{repo}/{branch}?sha={commitShortSha}&{unknown}";
      rig.node = rig.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: template });
      const previewUrl = Object(await on.opened()).body.previewUrl;
      assert.equal(
        previewUrl,
        `https://1.previews.example/octo/site/feature/login?sha=${on.pull.head.sha.slice(0, 7)}&{unknown}`,
      );
      rig.node = rig.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: "https://{branch}.previews.example" });
      on.pull = on.repository.open("evil.example/x", { files: { x: "y" } });
      assert.deepEqual(await on.opened(), {
        status: 400,
        body: { triggered: false, error: "Preview URL not allowed" },
      });
    });
  };

for (const database of DATABASES)
  describe(`Previews of pull requests on ${database.name}`, previewsOn(database));
