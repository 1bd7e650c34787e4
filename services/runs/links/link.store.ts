import { type EntityManager, openJson, sealJson, secretsOf } from "../../../mixins/database.ts";

/** Revokes all links of a run that exist so far. */
export async function incrementLinkGeneration(em: EntityManager, id: string): Promise<void> {
  await em.execute("update runs.run set link_generation = link_generation + 1 where id = ?", [id]);
}

/** Returns the key that signs links. The first caller creates it. */
export async function findOrCreateLinkKey(em: EntityManager, candidate: string): Promise<string> {
  const secrets = secretsOf(em);
  await em.execute("insert into runs.link_key (key) values (?::jsonb) on conflict do nothing", [
    JSON.stringify(sealJson(secrets, candidate, "link key")),
  ]);
  const [row]: { key: string }[] = await em.execute("select key from runs.link_key");
  return openJson(secrets, row?.key ?? candidate, "link key");
}
