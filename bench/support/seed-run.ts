import type { PGlite } from "@electric-sql/pglite";
import { newId } from "../../shared/ids.ts";

/**
 * Copies a completed run with more screenshots: those of the original repeatedly, each with its own route and change.
 * Nothing is rendered, so it has only the images of the original.
 * @param count number of screenshots, a multiple of the original's
 * @returns its id
 */
export async function seedRun(database: PGlite, likeRunId: string, count: number): Promise<string> {
  const id = newId("run");
  await database.query(
    `insert into runs.run select made.* from runs.run r
     cross join lateral (select count(*)::int as shots from runs.screenshot where run_id = r.id) as other
     cross join lateral (
       select jsonb_object_agg(key, value::int * $3::int / other.shots) as tally from jsonb_each_text(r.tally)
     ) as counted
     cross join lateral jsonb_populate_record(r, jsonb_build_object(
       'id', $2::text, 'dedupe_key', null, 'idempotency_key', null, 'tally', counted.tally)) as made
     where r.id = $1`,
    [likeRunId, id, count],
  );
  await database.query(
    `with other as (
       select s, row_number() over (order by s.id) - 1 as place, count(*) over () as shots
       from runs.screenshot s where s.run_id = $1
     )
     insert into runs.screenshot select made.* from generate_series(0, $3::int - 1) as n
     join other on other.place = n % other.shots
     cross join lateral jsonb_populate_record(other.s, jsonb_build_object(
       'id', 'shot_' || lpad(n::text, 6, '0') || substr(md5($2), 1, 20), 'run_id', $2::text, 'position', n,
       'route', (other.s).route || '/' || n, 'fingerprint', md5((other.s).fingerprint || n))) as made`,
    [likeRunId, id, count],
  );
  return id;
}
