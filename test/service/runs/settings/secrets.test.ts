import assert from "node:assert/strict";
import type { ActionName, Actions } from "../../../../shared/contracts/actions.ts";
import type { RunOptions } from "../../../../shared/contracts/capture/capture-options.ts";
import type { CaptureJob } from "../../../../shared/contracts/runs/jobs.ts";
import { submitRunBody } from "../../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../../shared/ids.ts";
import { runsContextOn } from "../../../support/contexts/context-on.ts";
import { caller, type RunsTestContext } from "../../../support/contexts/runs-context.ts";
import { MAIN_DATABASES } from "../../../support/databases/databases.ts";

const VALUE = "correct horse battery staple";
const reference = (name: string) => `\${secret.${name}}`;
const login = (name: string): RunOptions => ({
  session: "editor",
  sessions: { editor: { steps: [{ action: "fill", selector: "#password", value: reference(name) }] } },
});

for (const kind of MAIN_DATABASES) {
  describe(`Secrets of a project, on ${kind.name}`, () => {
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
    const put = (project: string, name: string, value = VALUE) =>
      ask("runs.putSecret", { project, name, value });
    const submit = (project: string, options: RunOptions, more = {}, lenient = false) => {
      const body = submitRunBody.parse({ url: "https://shop.example", project, options, ...more });
      return ask("runs.submit", { id: newId("run"), body, lenient });
    };
    const errorsOf = async (runId: string) => {
      await context.ended(runId);
      const { data } = await ask("runs.screenshots", {
        runId,
        query: { limit: 100, cursor: undefined, status: undefined, order: undefined },
      });
      return data.map(({ error }) => error);
    };

    it("need a name that references can have, and are at most 100", async () => {
      for (const name of ["", "lower", "WITH-DASH", "A".repeat(61)])
        await assert.rejects(put("full", name), { type: "invalid_request" });
      for (let index = 0; index < 100; index++) await put("full", `SECRET_${index}`);
      await assert.rejects(put("full", "ONE_MORE"), { type: "conflict", message: /100 secrets/ });
      await put("full", "SECRET_0");
      await assert.rejects(ask("runs.deleteSecret", { project: "full", name: "ONE_MORE" }), {
        type: "not_found",
      });
    });

    it("are required by the submission that refers to them", async () => {
      await assert.rejects(submit("owner/site", login("EDITOR_PASSWORD")), (error: Error) => {
        assert.match(error.message, /secret EDITOR_PASSWORD/);
        assert.match(error.message, /PUT \/v1\/projects\/owner%2Fsite\/secrets\/EDITOR_PASSWORD/);
        return true;
      });
      await put("another", "EDITOR_PASSWORD");
      await assert.rejects(submit("owner/site", login("EDITOR_PASSWORD")), { type: "invalid_request" });
      const file = { session: "editor", sessions: { editor: { storageState: "state.json" } } };
      await assert.rejects(submit("owner/site", file), { message: /only the command line reads/ });
      const clientCertificates = [{ certPath: "a.pem", key: "a key" }];
      const certificate = { session: "editor", sessions: { editor: { clientCertificates } } };
      await assert.rejects(submit("owner/site", certificate), {
        message: /certPath .* only the command line/,
      });
      assert.deepEqual(jobs, []);
    });

    it("are listed without their values, and deleted", async () => {
      const view = await put("listed", "EDITOR_PASSWORD");
      assert.deepEqual([view.name, view.changedBy], ["EDITOR_PASSWORD", "test"]);
      await put("listed", "API_TOKEN");
      const { data } = await ask("runs.secrets", { project: "listed" });
      assert.deepEqual(
        data.map(({ name }) => name),
        ["API_TOKEN", "EDITOR_PASSWORD"],
      );
      assert.ok(!JSON.stringify([view, data]).includes(VALUE));
      await ask("runs.deleteSecret", { project: "listed", name: "API_TOKEN" });
      assert.equal((await ask("runs.secrets", { project: "listed" })).data.length, 1);
      const stranger = { ...caller, teamId: "team_b" };
      assert.deepEqual(await ask("runs.secrets", { project: "listed" }, stranger), { data: [] });
    });

    it("reach only the jobs that need them, as they are then", async () => {
      await put("shop", "EDITOR_PASSWORD", "old");
      await put("shop", "EDITOR_PASSWORD");
      await put("shop", "UNUSED", "unused");
      const options = { ...login("EDITOR_PASSWORD"), perRoute: { "/public": { session: "nobody" } } };
      const sessions = { ...options.sessions, nobody: {} };
      const { id } = await submit("shop", { ...options, sessions }, { routes: ["/", "/public"] });
      assert.deepEqual(await errorsOf(id), [null, null]);
      const byUrl = new Map(jobs.map(job => [new URL(job.url).pathname, job.secrets]));
      assert.deepEqual(byUrl.get("/"), { EDITOR_PASSWORD: VALUE });
      assert.equal(byUrl.get("/public"), undefined);
    });

    it("that are gone fail the pages that need them, in a lenient run too", async () => {
      const options = { sessions: login("LOST").sessions, perRoute: { "/": { session: "editor" } } };
      const { id } = await submit("lenient", options, { routes: ["/", "/public"] }, true);
      const errors = await errorsOf(id);
      assert.match(String(errors.find(error => error !== null)), /LOST/);
      assert.equal(errors.filter(error => error === null).length, 1);
      assert.deepEqual(
        jobs.map(({ url }) => url),
        ["https://shop.example/public"],
      );
    });

    it("stay away from pull requests of forks", async () => {
      await put("forked", "EDITOR_PASSWORD");
      const scm = { owner: "o", repo: "r", sha: "a".repeat(40), pr: 7 };
      const options = {
        sessions: login("EDITOR_PASSWORD").sessions,
        perRoute: { "/": { session: "editor" } },
      };
      const routes = ["/", "/public"];
      const { id } = await submit("forked", options, { routes, scm: { ...scm, fromFork: true } });
      const errors = await errorsOf(id);
      assert.match(String(errors.find(error => error !== null)), /pull requests from forks get no secrets/);
      assert.deepEqual(
        jobs.map(({ url, secrets }) => [url, secrets]),
        [["https://shop.example/public", undefined]],
      );
      const own = await submit("forked", options, { routes, scm: { ...scm, sha: "b".repeat(40) } });
      assert.deepEqual(await errorsOf(own.id), [null, null]);
    });

    it("of all monitors belong to one project", async () => {
      await put("monitors", "EDITOR_PASSWORD");
      const { id } = await submit("monitor/mon_1/2", login("EDITOR_PASSWORD"));
      assert.deepEqual(await errorsOf(id), [null]);
      assert.deepEqual(jobs[0]?.secrets, { EDITOR_PASSWORD: VALUE });
      const { data } = await ask("runs.secrets", { project: "monitor/mon_1" });
      assert.equal(data.length, 1);
    });
  });
}
