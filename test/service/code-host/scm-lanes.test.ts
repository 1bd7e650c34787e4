import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { wakeCheckOfRun } from "../../../services/scm/checks/check.store.ts";
import { requestExternalRun } from "../../../services/scm/external-runs/external-run.store.ts";
import { findMissedRuns } from "../../../services/scm/external-runs/find-missed-runs.ts";
import { reportDueExternalRuns } from "../../../services/scm/external-runs/report-external-run.ts";
import { carryMerged } from "../../../services/scm/pull-requests/carry-merged.ts";
import { mirrorDueThreads } from "../../../services/scm/threads/mirror-threads.ts";
import { requestMirror } from "../../../services/scm/threads/thread.store.ts";
import { handleDueDeliveries } from "../../../services/scm/webhooks/handle-delivery.ts";
import type { ConnectionWithSecret } from "../../../shared/contracts/code-host/connections.ts";
import { ADMIN, GitLabTestContext, OTHER } from "../../support/contexts/code-host/gitlab-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import type { HostedPull } from "../../support/fakes/code-host/hosted-repository.ts";
import { GitLabProject } from "../../support/fakes/gitlab/gitlab-project.ts";
import { GitLabServer } from "../../support/fakes/gitlab/gitlab-server.ts";
import { makeRun } from "../../support/fixtures/run-views.ts";
import {
  ageDeliveryLease,
  insertConnectionRow,
  readDeliveryLeases,
  readExternalRuns,
} from "../../support/rows/scm-rows.ts";

/** More than one installation, host, or the former batch of five may have at the same time. */
const MANY = 14;

const lanesOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    this.timeout(60_000);
    database.needed();
    let on: GitLabTestContext;
    /** The instance of another team. */
    let other: GitLabServer;
    let quick: GitLabProject;
    let quickPull: HostedPull;
    let slowConnection: ConnectionWithSecret;
    let quickConnection: ConnectionWithSecret;
    before(async () => {
      [on, other] = await Promise.all([GitLabTestContext.start(database), GitLabServer.start()]);
    });
    beforeEach(async () => {
      await on.reset();
      other.projects.length = 0;
      quick = other.addProject(new GitLabProject("other", "quick"));
      quickPull = quick.open("feature/quick");
      slowConnection = await on.connect({ bootstrap: false });
      const access = { url: other.url, token: other.addToken(), repository: quick.path };
      quickConnection = await on.connect({ ...access, bootstrap: false }, OTHER);
    });
    after(async () => {
      await on?.stop();
      await other?.close();
    });

    /** Makes the slow instance answer nothing, until the returned function is called. */
    const hang = () => {
      const released = Promise.withResolvers<void>();
      for (let time = 0; time < 200; time++)
        on.gitlab.pauses.push({ match: /./, work: () => released.promise });
      return () => {
        on.gitlab.pauses.length = 0;
        released.resolve();
      };
    };
    /** Does work while the slow instance hangs, and waits until the other instance has its result. */
    const during = async (work: () => Promise<void>, isDone: () => boolean) => {
      const release = hang();
      const working = work();
      try {
        await until(isDone);
        assert.deepEqual(on.warnings, [], "no request of the slow instance has timed out yet");
      } finally {
        release();
        await working;
      }
    };
    const report = (id: string, connection: ConnectionWithSecret, of: GitLabProject, sha: string) => {
      const [teamId, cloud] =
        of === quick ? [OTHER.teamId, on.cloudOf(OTHER.teamId)] : [ADMIN.teamId, on.cloud];
      cloud.runs.set(id, makeRun({ id, scm: { owner: of.owner, repo: of.name, sha } }));
      return requestExternalRun(on.em(), id, { teamId, connectionId: connection.id });
    };
    /** Starts checks of many commits on the slow instance, and then one on the other. */
    const startChecks = async () => {
      for (let at = 0; at < MANY; at++)
        await report(
          `run_s${at}`,
          slowConnection,
          on.project,
          on.project.push("main", { "a.txt": String(at) }),
        );
      await report("run_q", quickConnection, quick, quickPull.head.sha);
    };

    it("reports external runs while the instance of another team hangs", async () => {
      await startChecks();
      await during(
        () => reportDueExternalRuns(on.scm),
        () => quick.statuses.length === 1,
      );
    });

    it("reports a run again that is requested while it is reported", async () => {
      const later = quick.push("main", { "later.txt": "" });
      await report("run_again", quickConnection, quick, quickPull.head.sha);
      other.pauses.push({ match: /./, work: () => report("run_again", quickConnection, quick, later) });
      await reportDueExternalRuns(on.scm);
      assert.ok(quick.statuses.some(({ sha }) => sha === later));
      assert.deepEqual(
        (await readExternalRuns(on.em())).map(({ dueAt }) => dueAt),
        [null],
      );
    });

    it("advances checks while the instance of another team hangs, also those that are due later", async () => {
      await startChecks();
      await reportDueExternalRuns(on.scm);
      on.cloudOf(OTHER.teamId).end("run_q", "passed", []);
      for (let at = 0; at < MANY; at++) {
        on.cloud.end(`run_s${at}`, "passed", []);
        await wakeCheckOfRun(on.em(), `run_s${at}`);
      }
      const release = hang();
      const working = advanceDueChecks(on.scm);
      try {
        await until(() => on.gitlab.pauses.length === 198);
        await wakeCheckOfRun(on.em(), "run_q");
        await until(() => quick.statuses.some(({ status }) => status === "success"));
        assert.deepEqual(on.warnings, [], "no request of the slow instance has timed out yet");
        assert.ok(200 - on.gitlab.pauses.length <= 3, "one installation has few places");
      } finally {
        release();
        await working;
      }
      assert.equal(on.project.statuses.filter(({ status }) => status === "success").length, MANY);
    });

    it("mirrors threads and retries deliveries while the instance of another team hangs", async () => {
      await startChecks();
      await reportDueExternalRuns(on.scm);
      const threads = [
        {
          id: "com_1",
          screenshotId: null,
          page: null,
          isOnRegion: false,
          comments: [{ by: "ada", text: "Hi" }],
        },
      ].map(thread => ({ ...thread, omitted: 0, resolvedBy: null }));
      const slow = await on.send(
        slowConnection,
        "Merge Request Hook",
        on.gitlab.mergeRequestEvent(on.project, on.pull, "open"),
      );
      assert.equal(slow.status, 200);
      await report("run_s", slowConnection, on.project, on.pull.head.sha);
      await reportDueExternalRuns(on.scm);
      on.cloud.threadsOfRuns.set("run_s", threads);
      on.cloudOf(OTHER.teamId).threadsOfRuns.set(
        "run_q",
        threads.map(each => ({ ...each, id: "com_2" })),
      );
      assert.equal(await requestMirror(on.em(), "run_s"), true);
      assert.equal(await requestMirror(on.em(), "run_q"), true);
      await during(
        () => mirrorDueThreads(on.scm),
        () => quick.notes.length === 1,
      );

      for (const gitlab of [on.gitlab, other])
        gitlab.failures.push({ match: /merge_requests$/, times: 3, status: 503 });
      const preview = "https://feature.previews.example";
      const [late, later] = [on.project.open("feature/late"), quick.open("feature/later")];
      const deployed = (gitlab: GitLabServer, project: GitLabProject, sha: string) =>
        gitlab.deploymentEvent(project, sha, preview);
      await on.send(slowConnection, "Deployment Hook", deployed(on.gitlab, on.project, late.head.sha));
      await on.send(quickConnection, "Deployment Hook", deployed(other, quick, later.head.sha));
      await on.age("10 minutes");
      on.warnings.length = 0;
      await during(
        () => handleDueDeliveries(on.scm),
        () => quick.statuses.some(({ sha }) => sha === later.head.sha),
      );
    });

    it("keeps a delivery to itself, and counts one retry, while its instance hangs", async () => {
      on.gitlab.failures.push({ match: /merge_requests$/, times: 3, status: 503 });
      const late = on.project.open("feature/late");
      const preview = "https://feature.previews.example";
      const deployed = on.gitlab.deploymentEvent(on.project, late.head.sha, preview);
      await on.send(slowConnection, "Deployment Hook", deployed);
      await on.age("10 minutes");
      const release = hang();
      const working = handleDueDeliveries(on.scm);
      try {
        await until(() => on.gitlab.pauses.length < 200);
        await ageDeliveryLease(on.em(), 8);
        await until(async () => ((await readDeliveryLeases(on.em()))[0]?.secondsAgo ?? 99) < 5);
        assert.deepEqual(
          (await readDeliveryLeases(on.em())).map(({ retries }) => retries),
          [1],
        );
      } finally {
        release();
        await working;
      }
      assert.deepEqual(await readDeliveryLeases(on.em()), []);
    });

    it("finds missed runs of other teams if those of one cannot be read", async () => {
      const completedAt = new Date().toISOString();
      const ended = { status: "completed", conclusion: "passed", completedAt } as const;
      const scm = { owner: "other", repo: "quick", sha: quickPull.head.sha };
      on.cloudOf(OTHER.teamId).runs.set("run_q", makeRun({ id: "run_q", ...ended, scm }));
      on.cloud.isDown = true;
      await findMissedRuns(on.scm);
      await reportDueExternalRuns(on.scm);
      assert.deepEqual(
        quick.statuses.map(({ status }) => status),
        ["success"],
      );
      assert.match(String(on.warnings[0]), /fetch failed/);
    });

    it("finds missed runs of every team, however many are connected", async () => {
      const lastEventAt = new Date().toISOString();
      for (let team = 0; team < 220; team++)
        await insertConnectionRow(on.em(), { id: `con_${team}`, teamId: `team_${team}`, lastEventAt });
      await insertConnectionRow(on.em(), { id: "con_quiet", teamId: "team_quiet" });
      const completedAt = new Date().toISOString();
      const ended = { status: "completed", conclusion: "passed", completedAt } as const;
      const scm = { owner: "acme", repo: "shop", sha: "a".repeat(40) };
      for (const team of ["team_0", "team_219", "team_quiet"])
        on.cloudOf(team).runs.set(`run_${team}`, makeRun({ id: `run_${team}`, ...ended, scm }));
      await findMissedRuns(on.scm);
      assert.deepEqual(
        (await readExternalRuns(on.em())).map(({ runId }) => runId),
        ["run_team_0", "run_team_219", "run_team_quiet"],
      );
    });

    it("carries approvals of other repositories if many fail", async () => {
      on.cloud.uncarried = "acme/web/shop";
      for (let at = 0; at < 25; at++) {
        const project = on.gitlab.addProject(new GitLabProject("acme", `failing-${at}`));
        const pull = project.open("feature");
        const made = await on.connect({
          repository: project.path,
          project: "acme/web/shop",
          bootstrap: false,
        });
        project.merge(pull, "merge");
        await on.send(made, "Merge Request Hook", on.gitlab.mergeRequestEvent(project, pull, "merge"));
      }
      quick.merge(quickPull, "merge");
      const merged = other.mergeRequestEvent(quick, quickPull, "merge");
      await on.send(quickConnection, "Merge Request Hook", merged);
      for (let round = 0; round < 2; round++) await carryMerged(on.scm).catch(() => {});
      assert.deepEqual(
        on.cloudOf(OTHER.teamId).carried.map(({ of }) => of),
        ["other/quick#1"],
      );
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Lanes of installations on ${database.name}`, lanesOn(database));
