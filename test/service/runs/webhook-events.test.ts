import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { eventBody, NOTICE_EVENT } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import { person, ReviewTestContext } from "../../support/contexts/review-context.ts";
import { MAIN_DATABASE, type TestDatabase } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";

const ada = person("ada");

describe("Events for webhooks", () => {
  let database: TestDatabase;
  let context: ReviewTestContext;
  let projects = 0;
  let project: string;

  before(async () => {
    database = await MAIN_DATABASE.make();
    context = await ReviewTestContext.start(database.env);
  });
  after(async () => {
    await context?.stop();
    await database?.remove();
  });
  beforeEach(() => {
    project = `project ${++projects}`;
    context.beforePublishing = () => {};
    context.published.length = 0;
  });

  const types = () => context.published.map(({ type }) => type);
  const dataOf = (type: string) => {
    const found = context.published.findLast(event => event.type === type);
    assert.ok(found && found.type !== NOTICE_EVENT, `no ${type}`);
    return eventBody(found.type).parse({ ...found, timestamp: found.at }).data;
  };

  it("report a run's end, its reviews and the changed baselines, in order", async () => {
    const runId = await context.run({ project, looks: { "/": "red/1", "/a": "red/1" } });
    await until(() => types().length === 1);
    await context.ask("runs.approve", { runId }, ada);
    await until(() => types().length === 3);
    const [shot] = await context.screenshots(runId);
    await context.ask("runs.reject", { runId, reason: "no", screenshots: [shot?.id ?? ""] }, ada);
    await until(() => types().length === 5);
    assert.deepEqual(types(), [
      "run.completed",
      ...["run.reviewed", "baseline.changed"],
      ...["run.reviewed", "baseline.changed"],
    ]);
    assert.ok(context.published.every(event => event.project === project && event.teamId === ada.teamId));
    const completed = dataOf("run.completed");
    assert.ok("run" in completed);
    assert.deepEqual(
      [completed.run.id, completed.run.status, completed.run.conclusion],
      [runId, "completed", "new"],
    );
    assert.equal(completed.run.counts.new, 2);
    const withdrawn = dataOf("baseline.changed");
    assert.ok("cause" in withdrawn);
    assert.deepEqual([withdrawn.cause, withdrawn.count, withdrawn.branch], ["withdrawn", 1, "main"]);
    assert.deepEqual(withdrawn.pages[0]?.viewport, 1280);
  });

  it("wait while the alerts service is unavailable, and are then published once, in order", async () => {
    let refused = 0;
    context.beforePublishing = () => {
      refused += 1;
      throw new Error("unavailable");
    };
    const runId = await context.run({ project, looks: { "/": "red/1" } });
    await until(() => refused > 0);
    context.beforePublishing = () => {};
    await context.ask("runs.approve", { runId }, ada);
    await until(() => types().length >= 3);
    assert.deepEqual(types(), ["run.completed", "run.reviewed", "baseline.changed"]);
  });

  it("are published in messages that the bus takes, however long the events are", async () => {
    const sizes: number[] = [];
    context.beforePublishing = () => {
      throw new Error("unavailable");
    };
    const routes = Array.from({ length: 20 }, (_, index) => `/${index}${"x".repeat(1_900)}`);
    const looks = Object.fromEntries(routes.map(route => [route, "red/1"]));
    const runId = await context.run({ project, looks });
    for (let times = 0; times < 8; times++) {
      await context.ask("runs.approve", { runId }, ada);
      await context.ask("runs.reject", { runId, reason: "no" }, ada);
    }
    context.beforePublishing = events => void sizes.push(Buffer.byteLength(JSON.stringify(events)));
    await context.run({ project, looks: { "/": "red/1" } });
    await until(() => types().length >= 34);
    assert.ok(sizes.length > 1 && Math.max(...sizes) < 600_000, `${sizes}`);
    assert.deepEqual(types().slice(0, 3), ["run.completed", "run.reviewed", "baseline.changed"]);
    assert.deepEqual(types().slice(-2), ["baseline.changed", "run.completed"]);
  });

  it("report a comment once, although its request is repeated", async () => {
    const runId = await context.run({ project, looks: { "/": "red/1" } });
    const comment = { id: newId("com"), runId, body: { text: "Is this right?" } };
    await context.ask("runs.createComment", comment, ada);
    await context.ask("runs.createComment", comment, ada);
    await until(() => types().length === 2);
    const data = dataOf("comment.created");
    assert.ok("comment" in data);
    assert.deepEqual([data.runId, data.comment.text, data.comment.by.name], [runId, "Is this right?", "ada"]);
  });

  it("leave out the runs of monitors", async () => {
    await context.run({ project: "monitor/mon_01h455vb4pex5vsknk084sn02q", looks: { "/": "red/1" } });
    await context.run({ project, looks: { "/": "red/1" } });
    await until(() => types().length > 0);
    assert.deepEqual(
      context.published.map(event => event.project),
      [project],
    );
  });

  it("report a merge that carries approvals, and nothing if it carries none", async () => {
    await context.ask(
      "runs.approve",
      { runId: await context.run({ project, looks: { "/": "old/1" } }) },
      ada,
    );
    const runId = await context.run({ project, looks: { "/": "red/1" }, pr: 7 });
    await context.ask("runs.approve", { runId }, ada);
    const merge = () =>
      context.ask("runs.carryApprovals", {
        ...{ teamId: ada.teamId, project, merged: { pr: 7, sha: "c".repeat(40), branch: null, runIds: [] } },
        into: { branch: "main", defaultBranch: "main", sha: null },
      });
    const changes = () => types().filter(type => type === "baseline.changed").length;
    await until(() => changes() === 2);
    await merge();
    await merge();
    await until(() => changes() === 3);
    const data = dataOf("baseline.changed");
    assert.ok("cause" in data);
    assert.deepEqual([data.cause, data.branch, data.count], ["carried", "main", 1]);
  });
});
