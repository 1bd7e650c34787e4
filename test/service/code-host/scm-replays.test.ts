import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { advanceDueChecks } from "../../../services/scm/checks/advance-check.ts";
import { ApiError } from "../../../shared/api/api-exchanges.ts";
import type { RunView } from "../../../shared/contracts/runs/runs.ts";
import { PREVIEW, PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { ageDoneDeliveries, forgetHandledEvents, readBootstraps } from "../../support/rows/scm-rows.ts";

const DUPLICATE = { triggered: false, reason: "Duplicate delivery (already processed)" };
const RERUN = { action: "rerequested" };
const APPROVE = { action: "requested_action", requested_action: { identifier: "approve" } };

const replaysOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    /** Sends an event with a new delivery id, as its first sender or as someone who recorded it. */
    const send = async (event: string, payload: object) => Object((await context.send(event, payload)).body);
    const end = async (runId: string, conclusion: RunView["conclusion"]) => {
      context.cloud.end(runId, conclusion);
      await context.age("1 hour");
      await advanceDueChecks(context.node);
    };
    const urls = () => context.cloud.submitted.map(({ run }) => run.url);

    it("does not rerun a check for a replayed click, also after its id is forgotten", async () => {
      const check = await on.begin();
      await on.end("changed");
      const click = on.pressed(check, RERUN);
      assert.equal((await send("check_run", click)).runId, "run_1");
      await end("run_1", "changed");
      assert.deepEqual(await send("check_run", click), DUPLICATE);
      await ageDoneDeliveries(context.em(), "25 hours");
      assert.deepEqual(await send("check_run", click), DUPLICATE);
      assert.equal(urls().length, 2);
      assert.equal((await send("check_run", on.pressed(check, RERUN))).runId, "run_2", "a new click counts");
    });

    it("does not rerun all checks of a commit for a replayed click", async () => {
      await on.begin();
      await on.end("changed");
      const click = {
        action: "rerequested",
        check_suite: { head_sha: on.pull.head.sha },
        ...context.host.event(on.repository),
      };
      assert.equal((await send("check_suite", click)).runId, "run_1");
      await end("run_1", "changed");
      assert.deepEqual(await send("check_suite", click), DUPLICATE);
      assert.equal(urls().length, 2);
    });

    it("does not rerun a check for a click that was too early, after the check has ended", async () => {
      const check = await on.begin();
      const click = on.pressed(check, RERUN);
      const all = { action: "rerequested", check_suite: { head_sha: on.pull.head.sha } };
      const clickOnAll = { ...all, ...context.host.event(on.repository) };
      for (const [event, payload] of [
        ["check_run", click],
        ["check_suite", clickOnAll],
      ] as const)
        assert.match((await send(event, payload)).reason, /already running/);
      await on.end("changed");
      assert.deepEqual(await send("check_run", click), DUPLICATE);
      assert.deepEqual(await send("check_suite", clickOnAll), DUPLICATE);
      assert.equal(urls().length, 1);
      assert.equal((await send("check_run", on.pressed(check, RERUN))).runId, "run_1", "a new click counts");
    });

    it("does not rerun a check that was created after the click", async () => {
      const all = { action: "rerequested", check_suite: { head_sha: on.pull.head.sha } };
      const click = { ...all, ...context.host.event(on.repository) };
      assert.equal((await send("check_suite", click)).triggered, false);
      await on.begin();
      await on.end("changed");
      assert.deepEqual(await send("check_suite", click), DUPLICATE);
      assert.equal(urls().length, 1);
    });

    it("reruns a check for an identical click after one that started no run", async () => {
      await on.begin();
      await on.end("changed");
      const click = on.pressed(on.theCheck(), RERUN);
      context.cloud.refusal = new ApiError(422, "invalid_request", "No.", null);
      assert.equal((await context.send("check_run", click)).status, 502);
      context.cloud.refusal = null;
      assert.equal((await send("check_run", click)).runId, "run_1");
      await end("run_1", "changed");
      assert.deepEqual(await send("check_run", click), DUPLICATE);
    });

    it("does not repeat an approval after it was withdrawn", async () => {
      context.cloud.reviewers.add("7");
      const check = await on.begin();
      await on.end("changed");
      const click = on.pressed(check, APPROVE);
      assert.equal((await send("check_run", click)).approved, true);
      await end("run_0", "rejected");
      assert.deepEqual(await send("check_run", click), DUPLICATE);
      assert.deepEqual([context.cloud.approvals.length, check.conclusion], [1, "failure"]);
    });

    it("does not approve a run that the person never saw", async () => {
      const check = await on.begin();
      await on.end("changed");
      const click = on.pressed(check, APPROVE);
      assert.match((await send("check_run", click)).reason, /person-7 may not approve/);
      await on.press(check, RERUN);
      await end("run_1", "changed");
      context.cloud.reviewers.add("7");
      assert.match((await send("check_run", click)).reason, /for an earlier run/);
      assert.deepEqual(context.cloud.approvals, []);
      assert.equal((await send("check_run", on.pressed(check, APPROVE))).approved, true);
    });

    it("accepts an identical approval after the reason for its refusal is gone", async () => {
      const check = await on.begin();
      await on.end("changed");
      await on.press(check, APPROVE);
      const [second, third] = [on.pressed(check, APPROVE), on.pressed(check, APPROVE)];
      assert.deepEqual(second, third);
      assert.match((await send("check_run", second)).reason, /may not approve/);
      context.cloud.reviewers.add("7");
      assert.equal((await send("check_run", third)).approved, true);
    });

    it("handles an identical event again if it failed", async () => {
      await on.opened();
      const event = context.statusEvent(on.repository, on.pull.head.sha, PREVIEW);
      context.cloud.refusal = new TypeError("fetch failed");
      assert.equal((await context.send("status", event)).status, 502);
      context.cloud.refusal = null;
      assert.equal((await send("status", event)).triggered, true);
      assert.deepEqual(await send("status", event), DUPLICATE);
    });

    it("keeps the latest preview of a commit", async () => {
      const [first, second, third] = ["a", "b", "c"].map(name =>
        context.statusEvent(on.repository, on.pull.head.sha, `https://${name}.previews.example`),
      );
      await on.opened();
      for (const event of [first, second, third, first, second]) if (event) await send("status", event);
      await on.end("changed");
      await on.press(on.theCheck(), RERUN);
      assert.deepEqual(urls(), ["https://a.previews.example", "https://c.previews.example"]);
    });

    it("keeps the expected preview of a deployment", async () => {
      await on.opened();
      const failed = context.statusEvent(on.repository, on.pull.head.sha, null, { state: "failure" });
      await send("status", failed);
      await on.deployed(PREVIEW, { state: "pending" });
      assert.deepEqual(await send("status", failed), DUPLICATE);
      assert.equal(Object((await on.deployed(null)).body).previewUrl, PREVIEW);
    });

    it("does not compare with the same base again, even if the event is forgotten", async () => {
      on.repository.branches.set("next", on.repository.branches.get("main") ?? "");
      await on.begin();
      await on.end("changed");
      on.pull.base.ref = "next";
      const retargeted = {
        ...context.pullEvent(on.repository, on.pull, "edited"),
        changes: { base: { ref: { from: "main" } } },
      };
      assert.equal((await send("pull_request", retargeted)).runId, "run_1");
      await end("run_1", "changed");
      assert.deepEqual(await send("pull_request", retargeted), DUPLICATE);
      await forgetHandledEvents(context.em());
      assert.match((await send("pull_request", retargeted)).reason, /already checked/);
      assert.equal(urls().length, 2);
    });

    it("keeps the bootstrap of a repository that was removed and added again", async () => {
      const [installation = 0] = [...context.host.installations.keys()].slice(-1);
      const { id, owner, name } = on.repository;
      const of = [{ id, name, full_name: `${owner}/${name}`, private: true }];
      const change = (action: "added" | "removed") =>
        send("installation_repositories", {
          ...{ action, installation: { id: installation } },
          ...(action === "added" ? { repositories_added: of } : { repositories_removed: of }),
        });
      await change("removed");
      context.host.failures.push({ match: /refs$/, times: 1, status: 502 });
      assert.deepEqual((await change("added")).waiting, ["octo/site"]);
      assert.deepEqual(await change("removed"), DUPLICATE);
      const [bootstrap] = await readBootstraps(context.em());
      assert.equal(bootstrap?.state, "waiting");
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Replayed events of the code host on ${database.name}`, replaysOn(database));
