import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "mocha";
import { onOneNode } from "../../../mixins/database/on-one-node.ts";
import { ConsentEntity } from "../../../services/platform/installs/consent.entity.ts";
import { forgetAllGone, forgetTeamsIfGone } from "../../../services/platform/installs/forget-gone-teams.ts";
import { replaceInstall } from "../../../services/platform/installs/install.store.ts";
import { ensureTeam } from "../../../services/platform/installs/service-team.ts";
import { findTeam, leaseTeam, putTeam } from "../../../services/platform/installs/team.store.ts";
import { migrations } from "../../../services/platform/migrations/index.ts";
import { sealedColumns } from "../../../services/platform/sealed-columns.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { CloudApi, teamNamed } from "../../support/fakes/cloud-api.ts";
import { deletePlatformRows } from "../../support/rows/platform-rows.ts";
import { send } from "../../support/servers/local-server.ts";

const BASE_URL = "https://vrs.example";

for (const kind of MAIN_DATABASES) {
  describe(`The platform's installations of a deleted team on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, {
        schema: "platform",
        entities: [ConsentEntity],
        migrations,
        sealed: sealedColumns,
      });
    });
    beforeEach(async () => {
      await deletePlatformRows(em());
      await em().execute("delete from platform.team");
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const em = () => node.em();
    const contextOf = (existing: (ids: string[]) => string[], apiUrl = BASE_URL) => {
      const bus: Bus = {
        async call<Result>(name: string, { ids }: { ids: string[] }): Promise<Result> {
          assert.equal(name, "teams.existing");
          // biome-ignore lint/plugin: the response of teams.
          return existing(ids) as Result;
        },
        emit: async () => {},
        broadcast: async () => {},
      };
      const { platform: settings } = loadConfig({});
      return { em, bus, settings: { ...settings, apiUrl }, baseUrl: BASE_URL };
    };
    const without = (...gone: string[]) => contextOf(ids => ids.filter(id => !gone.includes(id)));
    const install = async (configurationId: string, teamId: string, apiKey: string | null) => {
      await replaceInstall(em(), { configurationId, ownerId: configurationId, projects: "all" });
      await putTeam(em(), configurationId, { teamId, apiKey });
    };
    const rows = (): Promise<{ id: string; team: string | null; hasKey: boolean }[]> =>
      em().execute(
        `select configuration_id as id, team_id as team, api_key is not null as "hasKey" from platform.team order by 1`,
      );

    it("keep no id and no key of it, and have no team until an operator chooses one", async () => {
      await install("a", "team_gone", "vrs_a");
      await install("b", "team_kept", "vrs_b");
      await forgetTeamsIfGone(without("team_gone"), ["team_gone"]);
      assert.deepEqual(await rows(), [
        { id: "a", team: null, hasKey: false },
        { id: "b", team: "team_kept", hasKey: true },
      ]);
      assert.equal(await findTeam(em(), "a"), null);
      assert.equal(await leaseTeam(em(), "a"), false, "no team is created by itself");
      await putTeam(em(), "a", { teamId: "team_next", apiKey: "vrs_next" });
      assert.deepEqual(await findTeam(em(), "a"), { teamId: "team_next", apiKey: "vrs_next" });
    });

    it("keep the team that an operator chooses while one is created", async () => {
      const api = await CloudApi.start();
      try {
        const { platform: settings } = loadConfig(api.env);
        const context = { em, settings, baseUrl: BASE_URL, warn: () => assert.fail() };
        const chosen = { teamId: "team_chosen", apiKey: "vrs_chosen" };
        await ensureTeam(context, "a");
        assert.match((await findTeam(em(), "a"))?.apiKey ?? "", /^vrs_first_key/);
        api.fail.push(async res => {
          await putTeam(em(), "b", chosen);
          send(res, 201, { ...teamNamed("created"), key: "vrs_created" });
        });
        await ensureTeam(context, "b");
        assert.deepEqual(await findTeam(em(), "b"), chosen);
      } finally {
        await api.close();
      }
    });

    it("are searched by one node in each interval", async () => {
      let searches = 0;
      const work = async () => void searches++;
      const task = { intervalMs: 3_600_000, failed: "", work };
      const start = () => onOneNode(em, { table: "platform.periodic_task", name: "gone" }, task);
      for (const { work } of [start(), start()]) await work(new AbortController().signal);
      assert.equal(searches, 1);
    });

    it("are found if the event was lost, and kept while teams are unknown", async () => {
      await install("a", "team_gone", "vrs_a");
      await install("b", "team_kept", "vrs_b");
      const before = await rows();
      await assert.rejects(forgetAllGone(contextOf(() => assert.fail("The teams service is away."))), /away/);
      assert.deepEqual(await rows(), before);
      await forgetAllGone(without("team_gone"));
      assert.deepEqual(
        (await rows()).map(({ team }) => team),
        [null, "team_kept"],
      );
    });

    it("keep the process's key, and are forgotten without an installation", async () => {
      await install("a", "team_gone", null);
      await putTeam(em(), "never-installed", { teamId: "team_gone", apiKey: "vrs_n" });
      await forgetAllGone(without("team_gone"));
      assert.deepEqual(await rows(), [{ id: "a", team: null, hasKey: false }]);
      assert.deepEqual(await findTeam(em(), "a"), { teamId: null, apiKey: null });
    });

    it("are forgotten however the address of this Cloud API is written", async () => {
      for (const apiUrl of ["https://VRS.example", "https://vrs.example/", "https://vrs.example:443"]) {
        await install("a", "team_gone", "vrs_a");
        await forgetAllGone(contextOf(() => [], apiUrl));
        assert.deepEqual(await rows(), [{ id: "a", team: null, hasKey: false }], apiUrl);
      }
    });

    it("keep their teams of another Cloud API, which this service doesn't know", async () => {
      await install("a", "team_far", "vrs_a");
      await forgetAllGone(contextOf(() => [], "https://other.example"));
      assert.deepEqual(await rows(), [{ id: "a", team: "team_far", hasKey: true }]);
    });
  });
}
