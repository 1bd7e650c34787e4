import assert from "node:assert/strict";
import type { ActionName, Actions } from "../../../../shared/contracts/actions.ts";
import type { Configuration } from "../../../../shared/contracts/configuration/configuration.ts";
import { type Trial, trialBody } from "../../../../shared/contracts/configuration/trials.ts";
import type { CaptureJob } from "../../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../../shared/contracts/teams/caller.ts";
import { enqueueResult } from "../../../../shared/contracts/work-queue.ts";
import { newId } from "../../../../shared/ids.ts";
import { runsContextOn } from "../../../support/contexts/context-on.ts";
import { caller, captured, type RunsTestContext } from "../../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../../support/databases/databases.ts";
import { until } from "../../../support/drivers/until.ts";

const STEPS = [{ name: "Step 1 (click #menu)", ms: 12, outcome: "done" as const }];
const CONFIGURATION: Configuration = {
  viewports: [375, 1440],
  environments: { dark: { colorScheme: "dark" }, phone: { device: "iPhone 15" } },
  perRoute: {
    "/menu": {
      masks: [".ad"],
      steps: [
        { action: "screenshot" },
        { action: "click", selector: "#menu" },
        { action: "screenshot", name: "open" },
      ],
    },
  },
};

for (const kind of MAIN_DATABASES) {
  describe(`Trials of a configuration, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];
    let teams = 0;
    let as: Caller;

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      jobs = [];
      as = { ...caller, teamId: `team_${++teams}` };
      context.render = async job => {
        jobs.push(job);
        for (const { id, token } of job.screenshots) {
          const result = captured(job.runId, id, job.url, token);
          await enqueueResult(context.queue, { kind: "captured", ...result, steps: STEPS });
        }
      };
    });

    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"]) =>
      context.ask(name, params, as);
    const attempt = (fields: Partial<Trial>, id = newId("run")) => {
      const body = trialBody.parse({ url: "https://shop.example", ...fields });
      return ask("runs.submitTrial", { id, project: "shop", body });
    };
    const ended = async (id: string) => {
      await until(async () => ["completed", "failed"].includes((await ask("runs.get", { id })).status));
      const query = { limit: 100, cursor: undefined, status: undefined, order: undefined };
      return (await ask("runs.screenshots", { runId: id, query })).data;
    };

    it("capture all states of one page in one environment and viewport, with its steps", async () => {
      const { id } = await attempt({ route: "/menu", environment: "dark", configuration: CONFIGURATION });
      const screenshots = await ended(id);
      assert.deepEqual(
        screenshots.map(each => [each.route, each.state, each.environment, each.viewport, each.steps]),
        [
          ["/menu", null, "dark", 375, STEPS],
          ["/menu", "open", "dark", 375, STEPS],
        ],
      );
      const [job] = jobs;
      assert.deepEqual([job?.options.masks, job?.environment?.colorScheme], [[".ad"], "dark"]);
    });

    it("use the stored configuration by default, and a viewport of the page", async () => {
      await ask("runs.putConfiguration", { project: "shop", version: 0, configuration: CONFIGURATION });
      const [wide] = await ended((await attempt({ viewport: 1440 })).id);
      const [phone] = await ended((await attempt({ environment: "phone" })).id);
      assert.deepEqual([wide?.viewport, phone?.viewport], [1440, 393]);
      for (const [field, trial] of [
        ["viewport", { viewport: 500 }],
        ["environment", { environment: "drak" }],
      ] as const)
        await assert.rejects(attempt(trial), { type: "invalid_request", message: new RegExp(`"${field}"`) });
    });

    it("are in no list, have no review, and complete no run", async () => {
      const { id } = await attempt({});
      const [screenshot] = await ended(id);
      assert.deepEqual([screenshot?.status, screenshot?.baseline], ["new", null]);
      assert.equal((await ask("runs.get", { id })).kind, "trial");
      assert.deepEqual((await ask("runs.list", { query: { limit: 20 } })).data, []);
      await assert.rejects(ask("runs.approve", { runId: id }), { type: "conflict", message: /is a trial/ });
      assert.equal(context.completed.includes(id), false);
      const page = { route: "/", state: null, environment: null, viewport: 1280 };
      const history = await ask("runs.screenshotHistory", { query: { project: "shop", limit: 20, ...page } });
      assert.deepEqual(history.data, []);
      const { pages } = await ask("runs.noise", { query: { project: "shop" } });
      assert.deepEqual(pages, []);
    });

    it("leave the default branch of a project to its first run", async () => {
      const branchOf = async () =>
        (await ask("runs.projects", { query: { limit: 1 } })).data[0]?.defaultBranch;
      const submit = (branch: string) => {
        const body = submitRunBody.parse({ url: "https://shop.example", project: "shop", branch });
        return ask("runs.submit", { id: newId("run"), body });
      };
      await ended((await attempt({})).id);
      await submit("master");
      assert.equal(await branchOf(), "master");
      await ended((await attempt({})).id);
      await submit("trunk");
      assert.equal(await branchOf(), "master");
    });

    it("are submitted once for repeats of a message, and are limited per minute", async () => {
      const id = newId("run");
      await Promise.all([attempt({}, id), attempt({}, id)]);
      await attempt({}, id);
      const more = await Promise.allSettled(Array.from({ length: 12 }, () => attempt({})));
      const refused = more.flatMap(each => (each.status === "rejected" ? [each.reason.type] : []));
      assert.deepEqual(refused, ["rate_limited", "rate_limited", "rate_limited"]);
    });

    it("need the secrets of their page, and no others", async () => {
      const session = (name: string) => ({
        steps: [{ action: "fill" as const, selector: "#password", value: `\${secret.${name}}` }],
      });
      const sessions = { editor: session("EDITOR"), admin: session("ADMIN") };
      const configuration = {
        sessions,
        perRoute: { "/": { session: "editor" }, "/admin": { session: "admin" } },
      };
      await ask("runs.putSecret", { project: "shop", name: "EDITOR", value: "pw" });
      const { id } = await attempt({ configuration });
      await ended(id);
      // Trials of the test before may still be captured.
      const job = jobs.find(each => each.runId === id);
      assert.deepEqual([job?.secrets, job?.session], [{ EDITOR: "pw" }, sessions.editor]);
      await assert.rejects(attempt({ route: "/admin", configuration }), { message: /secret ADMIN/ });
    });

    it("keep the steps of a page that can't be captured", async () => {
      const steps = [{ ...STEPS[0], name: "Step 1 (click #menu)", ms: 5_000, outcome: "failed" as const }];
      context.render = async job => {
        for (const { id, token } of job.screenshots) {
          const result = { runId: job.runId, screenshotId: id, token, reason: "It failed." };
          await enqueueResult(context.queue, {
            kind: "failed",
            ...result,
            stage: "capture",
            blame: "page",
            steps,
          });
        }
      };
      const [screenshot] = await ended((await attempt({})).id);
      assert.deepEqual([screenshot?.error, screenshot?.steps], ["It failed.", steps]);
    });
  });
}
