import assert from "node:assert/strict";
import { Client, Pool } from "pg";
import { servicePool } from "../../../mixins/database/postgres-pool.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { until } from "../../support/drivers/until.ts";
import { createDatabase, PostgresServer, query } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

describe("A service's schema on a PostgreSQL server", () => {
  needs("database");
  let url: string;
  const nodes: DatabaseNode[] = [];

  beforeEach(async () => {
    url = await createDatabase();
  });
  afterEach(() => Promise.all(nodes.splice(0).map(node => node.stop())));

  const start = async (env: Record<string, string> = {}) => {
    const node = new DatabaseNode({ DATABASE_URL: url, ...env });
    nodes.push(node);
    await node.broker.start();
    return node;
  };

  it("ends the start with the remedy when the server rejects the node", async () => {
    const elsewhere = new URL(url);
    elsewhere.pathname = "/nowhere";
    await assert.rejects(
      start({ DATABASE_URL: elsewhere.href }),
      /rejects this node: database "nowhere" does not exist.* Create this database, or fix its name in DATABASE_URL\./s,
    );
    const stranger = new URL(url);
    stranger.username = "stranger";
    stranger.password = "a-secret";
    await assert.rejects(start({ DATABASE_URL: stranger.href }), (error: Error) => {
      assert.match(error.message, /rejects this node: role "stranger" does not exist.* Fix the user and/s);
      assert.doesNotMatch(`${error.stack} ${JSON.stringify(error)}`, /a-secret/);
      return true;
    });
    await assert.rejects(
      start({ DATABASE_URL: `${url}?sslmode=verify-full` }),
      /does not support SSL connections.* Remove sslmode from DATABASE_URL/s,
    );
  });

  it("creates no database", async () => {
    // Tests of other files create and delete their databases, named test_…, at the same time.
    const databases = () =>
      query(url, "select datname from pg_database where not starts_with(datname, 'test_') order by 1");
    const before = await databases();
    const missing = new URL(url);
    missing.pathname = "/missing";
    await assert.rejects(start({ DATABASE_URL: missing.href }));
    const node = await start();
    await node.ask("select 1");
    assert.deepEqual(await databases(), before);
  });

  it("is created once by nodes that start concurrently", async () => {
    await Promise.all(Array.from({ length: 8 }, () => start()));
    assert.equal((await query(url, "select from sample.migration")).length, 1);
    for (const node of nodes) assert.deepEqual(await node.ask("select from sample.note"), []);
  });

  it("rolls back a failed migration, so that the next start can retry", async () => {
    await query(url, "create schema sample");
    await query(url, "create table sample.note (id int)");
    await assert.rejects(start(), /relation "note" already exists/);
    assert.deepEqual(await query(url, "select from pg_tables where tablename = 'migration'"), []);
    await query(url, "drop table sample.note");
    await start();
  });

  it("needs no permission to create schemas when its own exists", async () => {
    await start();
    const role = `plain_${url.slice(-32)}`;
    await query(url, `create role ${role} login`);
    for (const kind of ["schema sample", "all tables in schema sample"])
      await query(url, `grant all on ${kind} to ${role}`);
    const plain = new URL(url);
    plain.username = role;
    const node = await start({ DATABASE_URL: plain.href });
    assert.deepEqual(await node.ask("select current_user::text as name"), [{ name: role }]);
  });

  it("uses at most its number of connections, each with a name and limits", async () => {
    const node = await start({ DATABASE_CONNECTIONS: "3" });
    const held = new Client({ connectionString: url });
    await held.connect();
    await held.query("select pg_advisory_lock(1)");
    const asked = Array.from({ length: 30 }, () => node.ask("select pg_advisory_xact_lock_shared(1)"));
    const own = "select from pg_stat_activity where application_name = 'vrs sample'";
    const waiting = `${own} and wait_event_type = 'Lock'`;
    await until(async () => (await query(url, waiting)).length === 3);
    const most = (await query(url, own)).length;
    await held.end();
    await Promise.all(asked);
    assert.equal(most, 3);
    assert.deepEqual(
      await node.ask(
        "select name, setting from pg_settings where name in ('statement_timeout', 'idle_in_transaction_session_timeout') order by name",
      ),
      [
        { name: "idle_in_transaction_session_timeout", setting: "30000" },
        { name: "statement_timeout", setting: "30000" },
      ],
    );
  });

  it("fails as unavailable after a deadlock, so that its caller retries", async () => {
    const [one, other] = [await start(), await start()];
    await query(
      url,
      `insert into sample.note select id, '', '{}', 0, now() from (values ('a'), ('b')) as v (id)`,
    );
    const inOrder = (first: string, second: string) =>
      `do $$ begin update sample.note set ratio = 1 where id = '${first}'; perform pg_advisory_xact_lock_shared(1);
       update sample.note set ratio = 1 where id = '${second}'; end $$`;
    const held = new Client({ connectionString: url });
    await held.connect();
    await held.query("select pg_advisory_lock(1)");
    const asked = Promise.allSettled([one.ask(inOrder("a", "b")), other.ask(inOrder("b", "a"))]);
    // Each transaction has its first row by then, but not its second.
    const waiting =
      "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
    await until(async () => (await query(url, waiting)).length === 2);
    await held.end();
    const outcomes = await asked;
    const refused = outcomes.flatMap(outcome => (outcome.status === "rejected" ? [outcome.reason] : []));
    assert.deepEqual(
      refused.map(error => error.type),
      ["unavailable"],
    );
  });

  it("recovers from lost connections, idle or busy", async () => {
    const node = await start();
    const working = assert.rejects(node.ask("select pg_sleep(60)"), { type: "unavailable", code: 503 });
    const killed = "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()";
    const ofNode = "and application_name = 'vrs sample' and state";
    await Promise.all([node.ask("select 1"), node.ask("select 1")]);
    await until(async () => (await query(url, `${killed} ${ofNode} = 'active'`)).length > 0);
    await working;
    await query(url, `${killed} ${ofNode} = 'idle'`);
    await until(() =>
      node.ask("select 1").then(
        () => true,
        () => false,
      ),
    );
  });

  it("gets back the connections of lost transactions", async () => {
    const node = await start({ DATABASE_CONNECTIONS: "2" });
    const lose = () => node.em().transactional(em => em.execute("select pg_sleep(60)"));
    const lost = Promise.all([assert.rejects(lose()), assert.rejects(lose())]);
    const asleep = "from pg_stat_activity where application_name = 'vrs sample' and query like '%pg_sleep%'";
    await until(async () => (await query(url, `select ${asleep}`)).length === 2);
    await query(url, `select pg_terminate_backend(pid) ${asleep}`);
    await lost;
    assert.deepEqual(await node.ask("select 1 as one"), [{ one: 1 }]);
  });

  it("closes a connection whose server doesn't respond", async () => {
    const pool = new Pool({ ...servicePool(url, "sample", 1), query_timeout: 2_000 });
    pool.on("error", () => {});
    try {
      await assert.rejects(pool.query("select pg_sleep(60)"), /Query read timeout/);
      const client = await pool.connect();
      await assert.rejects(client.query("select pg_sleep(60)"), /Query read timeout/);
      // Like the ORM, without a reason.
      client.release();
      assert.equal((await pool.query("select 1 as one")).rows[0].one, 1);
    } finally {
      await pool.end();
    }
  });
});

describe("A node whose PostgreSQL server comes and goes", () => {
  needs("postgresql");
  let server: PostgresServer;
  let node: DatabaseNode;

  beforeEach(async () => {
    server = await PostgresServer.start();
    node = new DatabaseNode({ DATABASE_URL: server.url() });
  });
  afterEach(async () => {
    await node.stop();
    await server.close();
  });

  it("waits for the server at its start, with a warning", async () => {
    await server.kill();
    const starting = node.broker.start();
    const missing = `PostgreSQL at 127.0.0.1:${server.port} is not reachable (connect ECONNREFUSED`;
    await until(() => node.warnings.filter(warning => warning.includes(missing)).length === 2);
    await server.start();
    await starting;
    assert.deepEqual(await node.ask("select 1 as one"), [{ one: 1 }]);
  });

  it("stops while it waits", async () => {
    await server.kill();
    const starting = assert.rejects(node.broker.start(), /stopped while it waited for PostgreSQL/);
    await until(() => node.warnings.length > 0);
    await node.stop();
    await starting;
  });

  it("responds with unavailable while the server is down, and recovers by itself", async () => {
    await node.broker.start();
    await node.ask("select 1");
    await server.kill();
    const refused = { name: "ServiceError", type: "unavailable", code: 503, message: /did not respond/ };
    for (let count = 0; count < 20; count++) await assert.rejects(node.ask("select 1"), refused);
    assert.equal(node.warnings.length, 1, "said once, not for every request");
    await server.start();
    assert.deepEqual(await node.ask("select 1 as one"), [{ one: 1 }]);
  });
});
