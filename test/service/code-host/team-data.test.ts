import assert from "node:assert/strict";
import { onOneNode } from "../../../mixins/database/on-one-node.ts";
import { CheckRunEntity } from "../../../services/scm/checks/check-run.entity.ts";
import { migrations } from "../../../services/scm/migrations/index.ts";
import { deleteAllGone } from "../../../services/scm/recovery-sweep.ts";
import {
  CONNECTION_COLUMNS,
  deleteConnectionData,
  deleteTeamData,
  findTeams,
  TEAM_TABLES,
} from "../../../services/scm/team-data.store.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { insertConnectionRow } from "../../support/rows/scm-rows.ts";

for (const kind of MAIN_DATABASES) {
  describe(`The code host's data of a deleted team on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, {
        schema: "scm",
        entities: [CheckRunEntity],
        migrations,
      });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("is deleted in every table that names a team", async () => {
      const rows: { name: string }[] = await node
        .em()
        .execute(
          "select table_name as name from information_schema.columns where table_schema = 'scm' and column_name = 'team_id'",
        );
      assert.deepEqual(rows.map(({ name }) => name).sort(), [...TEAM_TABLES].sort());
      const [gone, kept] = [newId("team"), newId("team")];
      for (const [index, team] of [gone, kept].entries())
        await node
          .em()
          .execute(
            "insert into scm.forwarded_run (digest, team_id, owner, repo, sha, forwarded_at) values (?, ?, 'acme', 'shop', 'a', now())",
            [`digest ${index}`, team],
          );
      await deleteTeamData(node.em(), gone);
      const left: { team: string }[] = await node
        .em()
        .execute("select team_id as team from scm.forwarded_run");
      assert.deepEqual(left, [{ team: kept }]);
    });

    it("is deleted in every table that names its connections", async () => {
      const rows: { name: string; column: string }[] = await node.em().execute(
        `select table_name as name, column_name as "column" from information_schema.columns
           where table_schema = 'scm' and column_name in ('installation_id', 'repo_id')`,
      );
      const withTeam = new Set<string>([...TEAM_TABLES, "mirrored_reply"]);
      const tables = new Set(rows.map(({ name }) => name).filter(name => !withTeam.has(name)));
      assert.deepEqual([...tables].sort(), CONNECTION_COLUMNS.map(([table]) => table).sort());
      const [gone, kept] = [newId("team"), newId("team")];
      for (const team of [gone, kept]) {
        const id = `con_${team}`;
        await insertConnectionRow(node.em(), { id, teamId: team });
        await node
          .em()
          .execute(
            "insert into scm.bootstrap (installation_id, repo_id, owner, repo, state, requested_at) values (?, ?, 'acme', 'shop', 'opened', now())",
            [id, id],
          );
      }
      await deleteTeamData(node.em(), gone);
      const left: { id: string }[] = await node
        .em()
        .execute("select installation_id as id from scm.bootstrap");
      assert.deepEqual(left, [{ id: `con_${kept}` }]);
      await deleteConnectionData(node.em(), `con_${kept}`);
      const none: object[] = await node.em().execute("select from scm.bootstrap");
      assert.equal(none.length, 0);
    });

    it("is found by an index in every table that names a team", async () => {
      const indexed: { name: string }[] = await node.em().execute(
        `select distinct tablename as name from pg_indexes
         where schemaname = 'scm' and indexdef ~ '\\(team_id[,)]'`,
      );
      assert.deepEqual(indexed.map(({ name }) => name).sort(), [...TEAM_TABLES].sort());
    });

    it("is searched page by page", async () => {
      const teams = ["team_p1", "team_p2", "team_p3"];
      for (const teamId of teams) await insertConnectionRow(node.em(), { id: `con_${teamId}`, teamId });
      assert.deepEqual(await findTeams(node.em(), { after: "team_p", limit: 2 }), teams.slice(0, 2));
      assert.deepEqual(await findTeams(node.em(), { after: "team_p2", limit: 2 }), teams.slice(2));
    });

    it("is searched by one node in each interval, and by each that starts", async () => {
      const searches: string[] = [];
      const start = (name: string) => {
        const task = { intervalMs: 3_600_000, firstDelayMs: 15_000, failed: "" };
        const of = onOneNode(
          node.em,
          { table: "scm.periodic_task", name: "gone" },
          { ...task, work: async () => void searches.push(name) },
        );
        return () => of.work(new AbortController().signal);
      };
      const age = (seconds: number) =>
        node
          .em()
          .execute("update scm.periodic_task set done_at = done_at - make_interval(secs => ?)", [seconds]);
      const [first, second] = [start("first"), start("second")];
      await first();
      await second();
      assert.deepEqual(searches, ["first"]);
      await age(20);
      await first();
      await start("third")();
      assert.deepEqual(searches, ["first", "third"], "the third replaces a node that was killed");
      await age(3_500);
      await second();
      await first();
      assert.deepEqual(searches, ["first", "third", "second"]);
    });

    it("is deleted even if the event of the deletion was lost, and never while teams are unknown", async () => {
      const [gone, kept] = [newId("team"), newId("team")];
      for (const teamId of [gone, kept])
        await insertConnectionRow(node.em(), { id: `con_${teamId}`, teamId });
      const teamsOf = async () => {
        const rows: { team: string }[] = await node
          .em()
          .execute("select team_id as team from scm.connection where team_id in (?, ?)", [gone, kept]);
        return rows.map(({ team }) => team);
      };
      const bus = (existing: (ids: string[]) => string[]): Bus => ({
        async call<Result>(name: string, { ids }: { ids: string[] }): Promise<Result> {
          assert.equal(name, "teams.existing");
          // biome-ignore lint/plugin: the response of teams.
          return existing(ids) as Result;
        },
        emit: async () => {},
        broadcast: async () => {},
      });
      const away = bus(() => assert.fail("The teams service is away."));
      await assert.rejects(deleteAllGone({ em: node.em, bus: away }), /away/);
      assert.equal((await teamsOf()).length, 2);
      await deleteAllGone({ em: node.em, bus: bus(ids => ids.filter(id => id !== gone)) });
      assert.deepEqual(await teamsOf(), [kept]);
    });
  });
}
