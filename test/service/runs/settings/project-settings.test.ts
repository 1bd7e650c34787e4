import assert from "node:assert/strict";
import { changeProjectBody } from "../../../../shared/contracts/runs/projects.ts";
import { newId } from "../../../../shared/ids.ts";
import { person, ReviewTestContext } from "../../../support/contexts/review-context.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../../support/databases/databases.ts";
import { until } from "../../../support/drivers/until.ts";

const [ada, bob] = [person("ada"), person("bob")];
const admin = person("dora", "admin");

for (const kind of MAIN_DATABASES) {
  describe(`Settings of a project on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let context: ReviewTestContext;
    let project: string;
    let id: string;

    const find = async (name = project) => {
      const { data } = await context.ask("runs.projects", { query: { find: name, limit: 20 } }, admin);
      const found = data.find(each => each.name === name);
      assert.ok(found);
      return found;
    };
    const change = (body: object, of = id) =>
      context.ask("runs.changeProject", { id: of, body: changeProjectBody.parse(body) }, admin);
    const noted = async () =>
      (await context.ask("teams.activity", { limit: 20, type: "project.changed" }, admin)).data.filter(
        ({ target }) => target === project,
      );

    before(async () => {
      database = await kind.make();
      context = await ReviewTestContext.start(database.env);
      await context.addMembers(ada, bob, admin);
    });
    after(async () => {
      await context?.stop();
      await database?.remove();
    });
    beforeEach(async () => {
      project = newId("proj");
      await context.run({ project, looks: { "/": "red/1" } });
      id = (await find()).id;
    });

    it("replace the team's number of approvals, and follow it again", async () => {
      assert.equal((await change({ requiredApprovals: 2 })).requiredApprovals, 2);
      const runId = await context.run({ project, looks: { "/": "red/2" } });
      await context.ask("runs.approve", { runId }, ada);
      assert.equal(await context.conclusion(runId), "new");
      await context.ask("runs.approve", { runId }, bob);
      assert.equal(await context.conclusion(runId), "approved");

      assert.equal((await change({ requiredApprovals: null })).requiredApprovals, null);
      const next = await context.run({ project, looks: { "/": "blue/1" } });
      await context.ask("runs.approve", { runId: next }, bob);
      assert.equal(await context.conclusion(next), "approved");
      await until(async () => (await noted()).length === 2);
      assert.deepEqual(
        (await noted()).map(({ details }) => details),
        [{ requiredApprovals: "-" }, { requiredApprovals: "2" }],
      );
    });

    it("replace whether submitters can approve their own runs", async () => {
      await change({ allowSelfApproval: false });
      const runId = await context.run({ project, looks: { "/": "red/1" }, as: ada });
      await assert.rejects(context.ask("runs.approve", { runId }, ada), /submitted/);
      await context.set({ allowSelfApproval: false });
      try {
        await change({ allowSelfApproval: true });
        await context.ask("runs.approve", { runId }, ada);
      } finally {
        await context.set({ allowSelfApproval: true });
      }
    });

    it("apply to the project's named builds, unless they have their own", async () => {
      await change({ requiredApprovals: 3 });
      const build = `${project}#desktop`;
      const runId = await context.run({ project: build, looks: { "/": "red/1" } });
      await context.ask("runs.approve", { runId }, bob);
      assert.equal((await context.screenshot(runId)).review?.required, 3);
      await change({ requiredApprovals: 1 }, (await find(build)).id);
      const next = await context.run({ project: build, looks: { "/": "blue/1" } });
      await context.ask("runs.approve", { runId: next }, bob);
      assert.equal(await context.conclusion(next), "approved");
    });

    it("change the default branch, and copy its baselines", async () => {
      const runId = await context.run({ project, looks: { "/": "red/1" } });
      await context.ask("runs.approve", { runId }, bob);
      const changed = await change({ defaultBranch: "trunk" });
      assert.equal(changed.defaultBranch, "trunk");
      assert.ok(changed.branches.includes("trunk"));
      const next = await context.run({ project, looks: { "/": "red/1" }, more: { branch: "trunk" } });
      assert.equal(await context.conclusion(next), "passed");
      await until(async () => (await noted()).length === 1);
      assert.deepEqual((await noted())[0]?.details, { defaultBranch: "trunk", was: "main" });
    });

    it("keep runs for at most the plan's days", async () => {
      await assert.rejects(change({ retentionDays: 365 }), /the days for which the business plan keeps runs/);
      assert.equal((await change({ retentionDays: 14 })).retentionDays, 14);
      assert.equal((await find()).retentionDays, 14);
    });

    it("change together or not at all, and note nothing that stays", async () => {
      await assert.rejects(change({ requiredApprovals: 2, retentionDays: 365 }));
      assert.equal((await find()).requiredApprovals, null);
      await change({ requiredApprovals: null, linkDays: null, defaultBranch: "main", nullReruns: false });
      await change({ linkDays: 5 });
      await until(async () => (await noted()).length > 0);
      assert.deepEqual(
        (await noted()).map(({ details }) => details),
        [{ linkDays: "5" }],
      );
    });

    it("refuse invalid values, and other teams' projects", async () => {
      for (const body of [
        {},
        { requiredApprovals: 0 },
        { requiredApprovals: 11 },
        { requiredApprovals: 1.5 },
        { retentionDays: 0 },
        { linkDays: 366 },
        { defaultBranch: " " },
        { defaultBranch: "x".repeat(256) },
        { defaultBranch: null },
        { allowSelfApproval: "yes" },
        { more: 1 },
      ])
        assert.equal(changeProjectBody.safeParse(body).success, false, JSON.stringify(body));
      const stranger = { ...admin, teamId: "team_other" };
      await assert.rejects(
        context.ask("runs.changeProject", { id, body: { linkDays: 1 } }, stranger),
        /project/,
      );
    });
  });
}
