import assert from "node:assert/strict";
import { type Service, ServiceBroker } from "moleculer";
import type { WithDatabase } from "../../../mixins/database.ts";
import type { WithImages } from "../../../mixins/image-store.ts";
import { brokerOptions } from "../../../moleculer.config.ts";
import billing from "../../../services/billing/billing.service.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import runs from "../../../services/runs/runs.service.ts";
import teams from "../../../services/teams/teams.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { projectList } from "../../../shared/contracts/runs/projects.ts";
import { runView } from "../../../shared/contracts/runs/runs.ts";
import { screenshotList } from "../../../shared/contracts/runs/screenshots.ts";
import { submittedRun } from "../../../shared/contracts/runs/submit-run.ts";
import { activityList, createdTeam, teamView } from "../../../shared/contracts/teams/people.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { TEST_KEY } from "../../support/drivers/api-access.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { encodePng } from "../../support/fixtures/png.ts";

const PIXEL = encodePng({ width: 1, height: 1, data: new Uint8Array(4) });

for (const kind of MAIN_DATABASES) {
  describe(`Links of reports and images, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let broker: ServiceBroker;
    let base: string;
    /** Each test has its own team. */
    let team: { id: string; key: string };

    before(async () => {
      database = await kind.make();
      const port = await freePort();
      base = `http://localhost:${port}`;
      const env = {
        ...database.env,
        PORT: String(port),
        SERVICE_BOOTSTRAP_KEY: TEST_KEY,
        LOG_LEVEL: "fatal",
      };
      broker = new ServiceBroker(brokerOptions(loadConfig(env)));
      for (const schema of [gateway, runs, teams, billing]) broker.createService(schema);
      await broker.start();
    });
    after(async () => {
      await broker?.stop();
      await database?.remove();
    });

    const ask = (method: string, path: string, { key, body }: { key?: string; body?: object } = {}) =>
      fetch(new URL(path, base), {
        method,
        headers: {
          ...(key !== undefined && { Authorization: `Bearer ${key}` }),
          ...(body && { "Content-Type": "application/json" }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    const runsService = () =>
      // biome-ignore lint/plugin: Moleculer's types know only a plain service.
      broker.getLocalService("runs") as unknown as Service & WithDatabase & WithImages;
    const sql = (text: string, params: unknown[]) => runsService().em().execute(text, params);
    const change = async (body: object) => {
      const answer = await ask("PATCH", `/v1/teams/${team.id}`, { key: team.key, body });
      return teamView.parse(await answer.json());
    };
    /** Creates a run with one screenshot. */
    const newRun = async () => {
      const body = { url: "https://shop.example", viewports: [500] };
      const run = submittedRun.parse(await (await ask("POST", "/v1/run", { key: team.key, body })).json());
      const hash = await runsService().images.put(PIXEL);
      await sql("update runs.screenshot set hash = ?, status = 'new', captured_at = now() where run_id = ?", [
        hash,
        run.id,
      ]);
      return { id: run.id, report: run.links.report, image: await imageOf(run.id) };
    };
    const imageOf = async (runId: string) => {
      const list = await ask("GET", `/v1/screenshots/${runId}`, { key: team.key });
      const [shot] = screenshotList.parse(await list.json()).data;
      assert.ok(shot?.images.current);
      return shot.images.current;
    };
    /** Returns the statuses of the report and the image without a key. */
    const statuses = async ({ report, image }: { report: string; image: string }, key?: string) =>
      Promise.all([report, image].map(async link => (await ask("GET", link, key ? { key } : {})).status));
    /** Makes a run and the link of its image this many days older. */
    const age = async (runId: string, days: number) => {
      await sql("update runs.run set created_at = created_at - make_interval(days => ?) where id = ?", [
        days,
        runId,
      ]);
    };

    beforeEach(async () => {
      const made = createdTeam.parse(
        await (await ask("POST", "/v1/teams", { key: TEST_KEY, body: { name: "Acme" } })).json(),
      );
      assert.ok(made.key);
      team = { id: made.id, key: made.key };
    });

    it("open without a key, as do the images of the report", async () => {
      const run = await newRun();
      assert.deepEqual(await statuses(run), [200, 200]);
      const html = await (await ask("GET", run.report)).text();
      const [inReport = ""] = /images\/[^"']+\.png/.exec(html) ?? [];
      assert.equal((await ask("GET", `/v1/${inReport}`)).status, 200);
    });

    it("are invalid at once for a deleted team, and valid again when it is restored", async () => {
      const run = await newRun();
      assert.deepEqual(await statuses(run), [200, 200]);
      assert.equal((await ask("DELETE", `/v1/teams/${team.id}`, { key: team.key })).status, 200);
      assert.deepEqual(await statuses(run), [401, 401]);
      assert.equal((await ask("POST", `/v1/teams/${team.id}/restore`, { key: team.key })).status, 200);
      assert.deepEqual(await statuses(run), [200, 200]);
    });

    it("expire after the team's number of days, but not for members", async () => {
      const run = await newRun();
      await age(run.id, 89);
      assert.equal((await ask("GET", run.report)).status, 200);
      await age(run.id, 2);
      const answer = await ask("GET", run.report);
      assert.equal(answer.status, 401);
      assert.match(await answer.text(), /This link has expired, was revoked, or is invalid\./);
      assert.equal((await ask("GET", run.report, { key: team.key })).status, 200);
      assert.equal((await change({ linkDays: 120 })).linkDays, 120);
      assert.equal((await ask("GET", run.report)).status, 200);
    });

    it("expire after the project's number of days, if it has one", async () => {
      const run = await newRun();
      const projects = await ask("GET", "/v1/projects", { key: team.key });
      const [project] = projectList.parse(await projects.json()).data;
      const set = async (linkDays: number | null) =>
        assert.equal(
          (await ask("PATCH", `/v1/projects/${project?.id}`, { key: team.key, body: { linkDays } })).status,
          200,
        );
      await age(run.id, 3);
      assert.deepEqual(await statuses(run), [200, 200]);
      await set(2);
      assert.deepEqual(await statuses(run), [401, 200], "an image's link counts from its creation");
      await set(null);
      assert.deepEqual(await statuses(run), [200, 200]);
    });

    it("are revoked for the report and images of one run, and replaced by new ones", async () => {
      const [run, other] = [await newRun(), await newRun()];
      assert.deepEqual(await statuses(run), [200, 200]);
      const answer = await ask("POST", `/v1/runs/${run.id}/links/revoke`, { key: team.key });
      const { links } = runView.parse(await answer.json());
      assert.deepEqual(await statuses(run), [401, 401]);
      assert.deepEqual(await statuses(other), [200, 200]);
      assert.deepEqual(await statuses({ report: links.report, image: await imageOf(run.id) }), [200, 200]);
      const again = runView.parse(await (await ask("GET", `/v1/runs/${run.id}`, { key: team.key })).json());
      assert.equal(again.links.report, links.report);
      const activity = await ask("GET", `/v1/teams/${team.id}/activity`, { key: team.key });
      const acts = activityList.parse(await activity.json()).data;
      assert.ok(acts.some(act => act.type === "run.links_revoked" && act.target === run.id));
    });

    it("open only for members if the team requires it, never for other teams", async () => {
      const run = await newRun();
      assert.equal((await change({ publicLinks: false })).publicLinks, false);
      assert.deepEqual(await statuses(run), [401, 401]);
      assert.match(
        await (await ask("GET", run.image)).text(),
        /Only members can open this team's links\. Sign in first/,
      );
      assert.deepEqual(await statuses(run, team.key), [200, 200]);
      assert.deepEqual(await statuses(run, TEST_KEY), [401, 401]);
      await change({ publicLinks: true });
      assert.deepEqual(await statuses(run), [200, 200]);
    });

    it("refuse invalid settings", async () => {
      for (const linkDays of [0, 366, 1.5, null])
        assert.equal(
          (await ask("PATCH", `/v1/teams/${team.id}`, { key: team.key, body: { linkDays } })).status,
          422,
        );
    });
  });
}
