import assert from "node:assert/strict";
import type { ActionName, Actions } from "../../../../shared/contracts/actions.ts";
import type { Configuration } from "../../../../shared/contracts/configuration/configuration.ts";
import type { CaptureJob } from "../../../../shared/contracts/runs/jobs.ts";
import { defaultedFields, submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../../shared/contracts/teams/caller.ts";
import { enqueueResult } from "../../../../shared/contracts/work-queue.ts";
import { newId } from "../../../../shared/ids.ts";
import { MONITOR_PROJECTS } from "../../../../shared/monitor-project.ts";
import { runsContextOn } from "../../../support/contexts/context-on.ts";
import { caller, type RunsTestContext } from "../../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../../support/databases/databases.ts";

const EDITOR = { url: "/login", steps: [{ action: "click" as const, selector: "#in" }] };

for (const kind of MAIN_DATABASES) {
  describe(`The stored configuration of a project, on ${kind.name}`, () => {
    let context: RunsTestContext;
    let jobs: CaptureJob[] = [];

    runsContextOn(kind, started => {
      context = started;
    });
    beforeEach(() => {
      jobs = [];
      context.render = async job => {
        jobs.push(job);
        await context.reportAll(url => url)(job);
      };
    });

    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"], as: Caller = caller) =>
      context.ask(name, params, as);
    const put = (project: string, configuration: Configuration, version = 0) =>
      ask("runs.putConfiguration", { project, version, configuration });
    const submit = async (project: string, fields: object = {}) => {
      const body = submitRunBody.parse({ url: "https://shop.example", project, ...fields });
      const defaulted = defaultedFields(new Set(Object.keys(fields)));
      return (await ask("runs.submit", { id: newId("run"), body, defaultedFields: defaulted })).id;
    };
    const pagesOf = async (runId: string) => {
      await context.ended(runId);
      const query = { limit: 100, cursor: undefined, status: undefined, order: undefined };
      const { data } = await ask("runs.screenshots", { runId, query });
      return data.map(({ route, viewport, environment }) => `${route} ${viewport} ${environment ?? "-"}`);
    };

    it("is empty at first, and kept for one team", async () => {
      const empty = await ask("runs.configuration", { project: "own" });
      assert.deepEqual([empty.version, empty.configuration, empty.changedAt], [0, {}, null]);
      await put("own", { routes: ["/a"] });
      const other = { ...caller, teamId: "team_b" };
      assert.equal((await ask("runs.configuration", { project: "own" }, other)).version, 0);
    });

    it("is replaced only in the version that was read", async () => {
      const first = await put("versions", { routes: ["/a"] });
      assert.deepEqual([first.version, first.changedBy], [1, "test"]);
      await assert.rejects(put("versions", { routes: ["/b"] }), { type: "conflict", message: /version 1/ });
      await assert.rejects(put("versions", {}, 7), { type: "conflict" });
      await put("versions", { routes: ["/c"] }, 1);
      const { version, configuration } = await ask("runs.configuration", { project: "versions" });
      assert.deepEqual([version, configuration], [2, { routes: ["/c"] }]);
    });

    it("is encrypted, and names the secrets that the project doesn't have", async () => {
      const headers = { "x-token": `\${secret.TOKEN} of-staging` };
      assert.deepEqual((await put("sealed", { headers })).missingSecrets, ["TOKEN"]);
      await ask("runs.putSecret", { project: "sealed", name: "TOKEN", value: "1234" });
      const stored = await ask("runs.configuration", { project: "sealed" });
      assert.deepEqual([stored.missingSecrets, stored.configuration], [[], { headers }]);
    });

    it("completes the runs of its project", async () => {
      const environments = { dark: { colorScheme: "dark" as const } };
      await put("shop", { routes: ["/", "/a"], viewports: [375], environments });
      const whole = ["/ 375 -", "/ 375 dark", "/a 375 -", "/a 375 dark"];
      const id = await submit("shop");
      assert.deepEqual(await pagesOf(id), whole);
      const { configuredBy } = await ask("runs.get", { id });
      assert.deepEqual(configuredBy, { repository: [], project: ["routes", "viewports", "environments"] });
      const own = { routes: ["/b"], options: { environments: {} } };
      assert.deepEqual(await pagesOf(await submit("shop", own)), ["/b 375 -"]);
      assert.deepEqual(await pagesOf(await submit("another")), ["/ 1280 -"]);
    });

    it("gives sessions to pages that name them", async () => {
      await put("logins", { sessions: { editor: EDITOR } });
      const id = await submit("logins", { options: { session: "editor", sessions: { admin: {} } } });
      await context.ended(id);
      assert.deepEqual(
        jobs.map(({ session }) => session),
        [EDITOR],
      );
      await assert.rejects(submit("logins", { options: { session: "editr" } }), {
        type: "invalid_request",
        message: /"options\.session" names "editr".*Did you mean "editor"/,
      });
    });

    it("leaves repeated runs as they were", async () => {
      const project = "repeated";
      await put(project, { masks: [".ad"] });
      context.render = async job => {
        jobs.push(job);
        if (!job.url.endsWith("/b")) return context.reportAll(url => url)(job);
        for (const { id: screenshotId, token } of job.screenshots) {
          const about = { runId: job.runId, screenshotId, token, stage: "capture", blame: "page" } as const;
          await enqueueResult(context.queue, { kind: "failed", ...about, reason: "It answered 500." });
        }
      };
      const perRoute = { "/a": { hide: [".menu"] }, "/b": { hide: [".b"] } };
      const id = await submit(project, { routes: ["/a", "/b"], options: { perRoute } });
      await context.ended(id);
      await put(project, { masks: [".ad"], headers: { "x-later": "1" } }, 1);
      jobs = [];
      const again = await ask("runs.rerun", { id, only: "failed" });
      assert.deepEqual(await pagesOf(again.id), ["/b 1280 -"]);
      assert.deepEqual(
        jobs.map(({ options: { masks, hide, headers } }) => ({ masks, hide, headers })),
        [{ masks: [".ad"], hide: [".b"], headers: undefined }],
      );
      const { configuredBy } = await ask("runs.get", { id: again.id });
      assert.deepEqual(configuredBy, { repository: [], project: ["masks"] });
    });

    it("refuses a run that becomes too large with it", async () => {
      await put("large", { viewports: [300, 400, 500, 600, 700] });
      const routes = Array.from({ length: 500 }, (_, n) => `/${n}`);
      await assert.rejects(submit("large", { routes }), {
        type: "invalid_request",
        message: /2,500 screenshots.*configuration of the project large/,
      });
    });

    it("gives monitors only the sessions and environments of the project of all monitors", async () => {
      const environments = { dark: { colorScheme: "dark" as const }, unused: {} };
      await put("monitors", { routes: ["/not"], masks: [".ad"], sessions: { editor: EDITOR }, environments });
      const options = { session: "editor" };
      await context.ended(await submit(`${MONITOR_PROJECTS}1`, { options }));
      assert.deepEqual(
        jobs.map(({ url, session, options: own }) => [url, session, own.masks]),
        [["https://shop.example/", EDITOR, undefined]],
      );
      const perRoute = { "/a": { environments: ["default", "dark"] } };
      const dark = await submit(`${MONITOR_PROJECTS}3`, { routes: ["/", "/a"], options: { perRoute } });
      assert.deepEqual(await pagesOf(dark), ["/ 1280 -", "/a 1280 -", "/a 1280 dark"]);
      const check = { teamId: caller.teamId, project: `${MONITOR_PROJECTS}2` };
      await ask("runs.checkOptions", { ...check, options: { perRoute } });
      await ask("runs.checkOptions", { ...check, options });
      await assert.rejects(ask("runs.checkOptions", { ...check, options: { session: "other" } }), {
        message: /"options\.session" names "other"/,
      });
    });
  });
}
