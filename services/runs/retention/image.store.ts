import type { EntityManager } from "../../../mixins/database.ts";

/** The images among these that no row refers to. */
export async function findUnreferenced(em: EntityManager, hashes: string[]): Promise<Set<string>> {
  const rows: { hash: string }[] = await em.execute(
    `select v.hash from jsonb_array_elements_text(?::jsonb) as v (hash)
     where not exists (select from runs.screenshot s where s.hash = v.hash)
       and not exists (select from runs.screenshot s where s.baseline_hash = v.hash)
       and not exists (select from runs.screenshot s where s.mask_hash = v.hash)
       and not exists (select from runs.baseline b where b.hash = v.hash)`,
    [JSON.stringify(hashes)],
  );
  return new Set(rows.map(row => row.hash));
}
