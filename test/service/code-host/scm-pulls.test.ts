import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { PullTestContext } from "../../support/contexts/code-host/pull-context.ts";
import type { ScmTestContext } from "../../support/contexts/code-host/scm-context.ts";
import { type DatabaseKind, MAIN_DATABASES } from "../../support/databases/databases.ts";
import { readPull } from "../../support/rows/scm-rows.ts";

const MOVED_ON = { triggered: false, reason: "The pull request has newer commits" };

const pullsOn = (database: DatabaseKind) =>
  function (this: Mocha.Suite) {
    let on: PullTestContext;
    let context: ScmTestContext;
    PullTestContext.of(this, database, started => {
      on = started;
      context = on.context;
    });

    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    /** Returns an event with the pull request's current state. A test sends it when it wants. */
    const event = (minute: number, action: string, more: object = {}) => {
      Object.assign(on.pull, { updatedAt: at(minute) });
      return { ...context.pullEvent(on.repository, structuredClone(on.pull), action), ...more };
    };
    const push = () => {
      on.pull.head.sha = on.repository.push("feature/login", { [String(Math.random())]: "" });
    };
    const send = async (payload: object) => (await context.send("pull_request", payload)).body;
    const known = () => readPull(context.em());

    it("stays at the later commit when an earlier event arrives late", async () => {
      const opened = event(0, "opened");
      push();
      const first = event(1, "synchronize");
      push();
      const second = event(2, "synchronize");
      await send(second);
      for (const late of [first, opened]) assert.deepEqual(await send(late), MOVED_ON);
      assert.equal((await known()).head_sha, on.pull.head.sha);
      await on.deployed();
      assert.equal(on.theCheck().head_sha, on.pull.head.sha);
    });

    it("stays closed when an earlier event arrives late, and opens when it is reopened", async () => {
      await send(event(0, "opened"));
      push();
      const pushed = event(1, "synchronize");
      on.pull.state = "closed";
      const closed = event(2, "closed");
      await send(closed);
      assert.deepEqual(await send(pushed), MOVED_ON);
      assert.equal((await known()).is_open, false);
      on.pull.state = "open";
      const reopened = event(3, "reopened");
      await send(reopened);
      await send(closed);
      assert.deepEqual(await known(), { head_sha: on.pull.head.sha, is_open: true, base: "main" });
    });

    it("is compared with its latest base", async () => {
      on.repository.branches.set("next", on.repository.branches.get("main") ?? "");
      on.repository.branches.set("beta", on.repository.branches.get("main") ?? "");
      await send(event(0, "opened"));
      await on.deployed();
      const changes = { base: { ref: { from: "" } } };
      on.pull.base.ref = "next";
      const first = event(1, "edited", { changes });
      on.pull.base.ref = "beta";
      await send(event(2, "edited", { changes }));
      assert.deepEqual(await send(first), MOVED_ON);
      assert.equal((await known()).base, "beta");
      assert.equal(context.cloud.submitted.at(-1)?.run.scm?.baseBranch, "beta");
    });

    it("is checked at its opening, also if the code host returned it before", async () => {
      const opened = event(0, "opened");
      event(1, "labeled");
      context.node = context.makeNode({
        SERVICE_PREVIEW_URL_TEMPLATE: "https://pr-{prNumber}.previews.example",
      });
      await context.send(
        "status",
        context.statusEvent(on.repository, on.pull.head.sha, "https://a.previews.example"),
      );
      assert.deepEqual(await send(opened), {
        triggered: false,
        reason: "This commit was already checked",
      });
      on.theCheck();
    });
  };

for (const database of MAIN_DATABASES)
  describe(`Pull requests with events in any order on ${database.name}`, pullsOn(database));
