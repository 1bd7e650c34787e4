import assert from "node:assert/strict";
import { beforeEach, describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import {
  findCheckOf,
  leaseCheck,
  releaseCheck,
  wakeCheckOfRun,
} from "../../../services/scm/checks/check.store.ts";
import { PREVIEW, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";

const previewsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    it("skips a pull request without a known preview, and starts its run when a provider reports one", async () => {
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
      const { run, key } = context.cloud.submitted[0] ?? {};
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
        message: "Work on feature/login",
        checkRunId: check.id,
      };
      assert.deepEqual(run, { url: PREVIEW, scm });
      assert.match(key ?? "", /^chr_\w+_1$/);
      assert.deepEqual(
        [check.name, check.status, check.head_sha, check.details_url],
        ["Service / Preview", "in_progress", on.pull.head.sha, "https://vrs.example/r/run_0?token=t"],
      );
      assert.deepEqual(context.host.complaints, []);
    });

    it("starts the run with the pull request if the preview was reported first, on any node", async () => {
      on.repository.pulls.length = 0;
      assert.match(JSON.stringify((await on.deployed()).body), /is stored/);
      on.repository.pulls.push(on.pull);
      assert.deepEqual(Object(await on.opened()).body.triggered, true);
      assert.equal(on.theCheck().status, "in_progress");
      assert.equal(context.cloud.submitted.length, 1);
    });

    it("finds the pull request of a fork among many when its event was lost", async () => {
      on.pull = on.repository.open("theirs", { files: { a: "b" }, fork: true });
      for (let n = 0; n < 120; n++) on.repository.open(`topic-${n}`);
      const { body } = await on.deployed();
      assert.equal(Object(body).triggered, true, JSON.stringify(body));
      const { pr, fromFork } = context.cloud.submitted[0]?.run.scm ?? {};
      assert.deepEqual([pr, fromFork], [on.pull.number, true]);
    });

    it("accepts previews only from the platform, only after success, and only at public addresses outside the code host", async () => {
      await on.opened();
      const ignored = [
        on.deployed(PREVIEW, { context: "ci/tests" }),
        on.deployed(PREVIEW, { context: "ci/cross-platform tests" }),
        on.deployed(PREVIEW, { state: "failure" }),
        on.deployed(null),
      ];
      for (const answer of await Promise.all(ignored))
        assert.deepEqual([answer.status, Object(answer.body).triggered], [200, false]);
      const own = `${context.host.url}/octo/site/pull/1`;
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
      assert.equal(context.cloud.submitted.length, 0);
    });

    it("accepts previews from old and new deployment events, and never from production", async () => {
      await on.opened();
      const deploy = (status: object, environment = "Preview – platform") =>
        context.send("deployment_status", {
          deployment: { sha: on.pull.head.sha, environment },
          deployment_status: { state: "success", ...status },
          ...context.host.event(on.repository),
        });
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW }, "production")).body),
        /production/,
      );
      assert.match(
        JSON.stringify((await deploy({ environment_url: PREVIEW, environment: "Production" })).body),
        /production/,
      );
      // A status without a URL uses the URL of its deployment.
      for (const environment of ["production", "Production"])
        assert.deepEqual((await deploy({ environment_url: PREVIEW, environment: "" }, environment)).body, {
          triggered: false,
          reason: "Skipping production deployment",
        });
      assert.equal(
        Object(await deploy({ environment_url: PREVIEW, state: "in_progress" }, "platform 2")).body.triggered,
        false,
      );
      assert.equal(Object(await deploy({ environment_url: "" })).body.triggered, false);
      const body = Object(await deploy({ target_url: "https://older.example", environment_url: "" })).body;
      assert.deepEqual(
        [body.triggered, body.previewUrl, body.provider],
        [true, "https://older.example", "platform"],
      );
    });

    it("accepts deployments of other providers only if a setting names their environment or platform", async () => {
      await on.opened();
      const deploy = async (environment: string, address = PREVIEW) => {
        const { body } = await context.send("deployment_status", {
          deployment: { sha: on.pull.head.sha, environment },
          deployment_status: { state: "success", environment_url: address },
          ...context.host.event(on.repository),
        });
        const { triggered, provider, reason } = Object(body);
        return triggered ? provider : reason;
      };
      for (const environment of ["github-pages", "staging", "Preview"])
        assert.match(await deploy(environment), new RegExp(`^Ignored environment: ${environment} `));
      assert.equal(context.cloud.submitted.length, 0);
      context.node = context.makeNode({
        PREVIEW_ENVIRONMENTS: "staging, review/*",
        PREVIEW_NAME_B: "Cloud B",
      });
      assert.match(await deploy("github-pages"), /^Ignored environment/);
      assert.equal(await deploy("review/7"), "named");
      on.pull = on.repository.open("second", { files: { second: "2" } });
      await on.opened();
      assert.equal(await deploy("Preview on cloud b"), "b");
      on.pull = on.repository.open("third", { files: { third: "3" } });
      await on.opened();
      context.node = context.makeNode({ PREVIEW_DOMAIN_C: "previews.example" });
      assert.equal(await deploy("anything"), "c");
    });

    it("stores the URL of an unfinished deployment, and uses it after success", async () => {
      await on.opened();
      const remembered = await on.deployed(PREVIEW, { state: "pending" });
      assert.match(Object(remembered.body).reason, /pending\. Its preview URL is stored/);
      assert.match(
        Object((await on.opened("synchronize")).body).reason,
        /No preview URL/,
        "nothing is there yet",
      );
      // Another project of the same commit has another URL.
      const other = { context: "Platform – docs" };
      assert.match(Object((await on.deployed(null, other)).body).reason, /no URL/);
      assert.equal(Object((await on.deployed(null)).body).previewUrl, PREVIEW);
      on.pull = on.repository.open("second", { files: { second: "2" } });
      await on.opened();
      await on.deployed(PREVIEW, { state: "pending" });
      await on.deployed(null, { state: "failure" });
      assert.match(Object((await on.deployed(null)).body).reason, /no URL/, "it failed in between");
      assert.equal((await on.deployed("https://127.0.0.1/", { state: "pending" })).status, 400);
      assert.equal(context.cloud.submitted.length, 1);
    });

    it("publishes the URLs of deployments to other nodes, also before they succeed", async () => {
      await on.opened();
      const published: [string, unknown][] = [];
      const bus = {
        ...context.node.bus,
        broadcast: async (...event: [string, unknown]) => void published.push(event),
      };
      context.node = { ...context.makeNode(), bus };
      await on.deployed(PREVIEW, { state: "pending" });
      await on.deployed(PREVIEW, { state: "failure" });
      await on.deployed();
      const { owner, name } = on.repository;
      const key = `${owner}/${name}@${on.pull.head.sha}`;
      const expected = `${key} status Platform – deploy`;
      assert.deepEqual(published, [
        ["preview.expected", { key: expected, url: PREVIEW }],
        ["preview.expected", { key: expected, url: null }],
        ["preview.seen", { key, url: PREVIEW }],
      ]);
    });

    it("identifies the platform of a deployment by the URL of an earlier status", async () => {
      await on.opened();
      context.node = context.makeNode({ PREVIEW_DOMAIN_B: "previews.example" });
      const deploy = async (state: string, address: string) => {
        const { body } = await context.send("deployment_status", {
          deployment: { sha: on.pull.head.sha, environment: "Preview" },
          deployment_status: { state, environment_url: address },
          ...context.host.event(on.repository),
        });
        return Object(body);
      };
      await deploy("in_progress", PREVIEW);
      const { triggered, provider, previewUrl } = await deploy("success", "");
      assert.deepEqual([triggered, provider, previewUrl], [true, "b", PREVIEW]);
    });

    it("renders the template if no provider reported, and lets no branch name its own host", async () => {
      const template =
        "https://{prNumber}.previews.example/{owner}/{repo}/{branch}?sha={commitShortSha}&{unknown}";
      context.node = context.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: template });
      const previewUrl = Object(await on.opened()).body.previewUrl;
      assert.equal(
        previewUrl,
        `https://1.previews.example/octo/site/feature/login?sha=${on.pull.head.sha.slice(0, 7)}&{unknown}`,
      );
      context.node = context.makeNode({ SERVICE_PREVIEW_URL_TEMPLATE: "https://{branch}.previews.example" });
      on.pull = on.repository.open("evil.example/x", { files: { x: "y" } });
      assert.deepEqual(await on.opened(), {
        status: 400,
        body: { triggered: false, error: "Preview URL not allowed" },
      });
    });

    describe("with a URL that the template guessed", () => {
      const TEMPLATE = { SERVICE_PREVIEW_URL_TEMPLATE: "https://{prNumber}.guess.example" };
      const GUESS = "https://1.guess.example";
      const urls = () => context.cloud.submitted.map(({ run }) => run.url);
      const reportPreview = async (...url: [string?]) => Object((await on.deployed(...url)).body);

      beforeEach(async () => {
        context.node = context.makeNode(TEMPLATE);
        assert.equal(Object((await on.opened()).body).previewUrl, GUESS);
      });

      it("restart when a provider reports while the run is in progress, and cancel that run", async () => {
        assert.equal((await reportPreview()).runId, "run_1");
        assert.deepEqual([urls(), context.cloud.canceled], [[GUESS, PREVIEW], ["run_0"]]);
        assert.equal(context.cloud.submitted[1]?.run.rerun, true);
        // The preview is known now, so a second report changes nothing.
        assert.deepEqual(await reportPreview("https://other.example"), {
          triggered: false,
          reason: "This commit was already checked",
        });
        context.cloud.end("run_1", "passed");
        await wakeCheckOfRun(context.em(), "run_1");
        await advanceDueChecks(context.node);
        assert.equal(on.theCheck().conclusion, "success");
      });

      it("restart when a provider reports the URL of a run that failed, also the same URL", async () => {
        await on.end(null);
        assert.equal(on.theCheck().conclusion, "failure");
        assert.equal((await reportPreview(GUESS)).runId, "run_1");
        assert.deepEqual([urls(), on.theCheck().status], [[GUESS, GUESS], "in_progress"]);
        assert.deepEqual(context.cloud.canceled, []);
      });

      it("restart when a provider reports while the check is leased or not accepted yet", async () => {
        const check = await findCheckOf(context.em(), String(on.repository.id), on.pull.head.sha);
        const leased = check && (await leaseCheck(context.em(), check.id));
        assert.ok(leased);
        assert.match((await reportPreview()).reason, /already being checked/);
        await releaseCheck(context.em(), leased, 600_000);
        await advanceDueChecks(context.node);
        assert.deepEqual(urls(), [GUESS, PREVIEW]);

        on.repository.checks.length = 0;
        on.pull = on.repository.open("other", { files: { a: "b" } });
        context.cloud.refusal = new TypeError("fetch failed");
        assert.equal((await on.opened()).status, 502);
        context.cloud.refusal = null;
        assert.equal((await reportPreview("https://second.example")).triggered, true);
        assert.deepEqual(urls(), [GUESS, PREVIEW, "https://second.example"]);
      });

      for (const conclusion of ["passed", "changed", "rejected"] as const)
        it(`stay as they are when the run is ${conclusion}`, async () => {
          await on.end(conclusion);
          assert.match((await reportPreview()).reason, /was already checked/);
          assert.deepEqual(urls(), [GUESS]);
          assert.equal(on.theCheck().status, "completed");
          await on.press(on.theCheck(), { action: "rerequested" });
          assert.deepEqual(urls(), [GUESS, PREVIEW]);
        });
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Previews of pull requests on ${database.name}`, previewsOn(database));
