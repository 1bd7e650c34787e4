import type { Client } from "pg";
import { DEFAULT_TEAM_ID } from "../../shared/ids.ts";
import { CHECKS, MONITORS, PAGES, PROJECTS, RUNS, type Size } from "./sizes.ts";

/** Rows that the service itself wrote, as the pattern of all others. */
export interface Patterns {
  /** A completed run of `PAGES` screenshots with baselines. */
  runId: string;
  monitorId: string;
}

/** Digits of an id after its prefix. */
const DIGITS = 26;
const padded = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, ${DIGITS}, '0')`;
/** A hash that no other page has. */
const hashOf = (...parts: string[]) => {
  const text = parts.join(" || ':' || ");
  return `md5(${text}) || md5('2' || ${text})`;
};

/** SQL of the team with the number `t`. The default team gets as much as each other. */
const TEAM = `case when t = 0 then '${DEFAULT_TEAM_ID}' else ${padded("team", "t")} end`;
/** The runs of all projects: `p.n` is the project's number, and `r` the run's number in it. */
const ALL_RUNS = `seeded p, generate_series(0, ${RUNS - 1}) r`;
const RUN_NUMBER = `p.n * ${RUNS} + r`;
const RUN_ID = padded("run", RUN_NUMBER);
const FIRST_RUN_ID = padded("run", `p.n * ${RUNS}`);
const TIME = "now() - make_interval(days => 25 - r * 2, secs => p.n)";
/** Images of the default team exist. Those of the others are only hashes, a different one for each page. */
const HASH = `case when p.n < ${PROJECTS} then t.hash else ${hashOf("p.n", "t.route")} end`;

/**
 * Fills an installation to its size: teams, projects, runs, screenshots, baselines, monitors and checks. Every row is a
 * copy of the patterns, with ids, times and hashes of its own.
 */
export async function seedInstallation(
  database: Client,
  { teams }: Size,
  { runId, monitorId }: Patterns,
): Promise<void> {
  await database.query("set synchronous_commit = off");
  await database.query("set session_replication_role = replica");
  const copy = copier(database);
  await seedProjects(database, copy, teams, runId);
  await seedRuns(copy, runId);
  const indexes = await dropIndexes(database, "screenshot");
  await seedScreenshots(copy, runId);
  for (const index of indexes) await database.query(index);
  await seedBaselines(copy, runId);
  await seedMonitors(copy, teams, monitorId);
  await database.query("set session_replication_role = origin");
  await database.query("vacuum (analyze)");
  // Otherwise the server writes the seeded pages during the measurement.
  await database.query("checkpoint");
}

async function seedProjects(database: Client, copy: Copy, teams: number, runId: string): Promise<void> {
  await copy("teams.team", "id is not null limit 1", `generate_series(1, ${teams - 1}) n`, {
    id: padded("team", "n"),
    name: "'Team ' || n",
  });
  await database.query(
    `create temp table seeded as
       select n, ${TEAM} as team_id, ${padded("proj", "n")} as id, 'seeded-' || n % ${PROJECTS} as name
       from generate_series(0, ${teams - 1}) t,
         lateral generate_series(t * ${PROJECTS}, t * ${PROJECTS} + ${PROJECTS - 1}) n`,
  );
  await copy("runs.project", `id = (select project_id from runs.run where id = '${runId}')`, "seeded p", {
    id: "p.id",
    team_id: "p.team_id",
    name: "p.name",
  });
}

async function seedRuns(copy: Copy, runId: string): Promise<void> {
  await copy("runs.run", `id = '${runId}'`, ALL_RUNS, {
    id: RUN_ID,
    team_id: "p.team_id",
    project_id: "p.id",
    project: "p.name",
    dedupe_key: "null",
    idempotency_key: "null",
    created_at: TIME,
    started_at: TIME,
    completed_at: TIME,
  });
  await copy("billing.counted_run", `run_id = '${runId}'`, ALL_RUNS, {
    run_id: RUN_ID,
    team_id: "p.team_id",
    confirmed_at: TIME,
  });
}

async function seedScreenshots(copy: Copy, runId: string): Promise<void> {
  await copy("runs.screenshot", `run_id = '${runId}'`, ALL_RUNS, {
    id: padded("shot", `(${RUN_NUMBER}) * ${PAGES} + t.position`),
    run_id: RUN_ID,
    hash: HASH,
    baseline_hash: HASH,
    baseline_run_id: FIRST_RUN_ID,
    captured_at: TIME,
  });
}

async function seedBaselines(copy: Copy, runId: string): Promise<void> {
  const approved = `run_id in (select baseline_run_id from runs.screenshot where run_id = '${runId}')`;
  await copy("runs.baseline", approved, "seeded p", {
    id: "'base_' || md5(p.n || t.id)",
    project_id: "p.id",
    hash: HASH,
    run_id: FIRST_RUN_ID,
    screenshot_id: "'shot_' || md5(p.n || t.screenshot_id)",
  });
}

type Copy = (table: string, which: string, from: string, set: Record<string, string>) => Promise<void>;

async function seedMonitors(copy: Copy, teams: number, monitorId: string): Promise<void> {
  const own = TEAM.replaceAll(/\bt\b/g, "m.t");
  const monitors = `(select t, n from generate_series(0, ${teams - 1}) t, generate_series(0, ${MONITORS - 1}) n) m`;
  const monitor = padded("mon", `m.t * ${MONITORS} + m.n`);
  await copy("monitors.team", "id is not null limit 1", `generate_series(1, ${teams - 1}) m`, {
    id: padded("team", "m"),
  });
  await copy("monitors.monitor", `id = '${monitorId}'`, monitors, {
    id: monitor,
    team_id: own,
    // None is due meanwhile, because their runs would be measured too.
    next_at: "now() + interval '1 day'",
    check_id: "null",
    badge_token: "null",
  });
  const number = `(m.t * ${MONITORS} + m.n) * ${CHECKS} + c`;
  await copy(
    "monitors.check",
    `id = (select max(id) from monitors.check where monitor_id = '${monitorId}')`,
    `${monitors}, generate_series(0, ${CHECKS - 1}) c`,
    {
      id: padded("chk", number),
      monitor_id: monitor,
      team_id: own,
      run_id: padded("run", number),
      latest_run_id: padded("run", number),
      started_at: "now() - make_interval(hours => 20 - c)",
      ended_at: "now() - make_interval(hours => 20 - c)",
    },
  );
}

/** Drops the indexes of a table, because it is much faster to build them later. @returns the statements for that */
async function dropIndexes(database: Client, table: string): Promise<string[]> {
  const { rows } = await database.query<{ name: string; sql: string }>(
    `select indexname as name, indexdef as sql from pg_indexes where schemaname = 'runs' and tablename = $1
       and not exists (select from pg_constraint where conname = indexname)`,
    [table],
  );
  for (const { name } of rows) await database.query(`drop index runs.${name}`);
  return rows.map(({ sql }) => sql);
}

/** Returns a function that copies the rows `which` of a table once for each row of `from`, with other values in `set`. */
function copier(database: Client): Copy {
  return async (table, which, from, set) => {
    const { rows } = await database.query<{ name: string }>(
      `select quote_ident(attname) as name from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' order by attnum`,
      [table],
    );
    const names = rows.map(({ name }) => name);
    const values = names.map(name => set[name] ?? `t.${name}`);
    await database.query(
      `with t as materialized (select * from ${table} where ${which})
       insert into ${table} (${names.join(", ")}) select ${values.join(", ")} from t, ${from}`,
    );
  };
}
