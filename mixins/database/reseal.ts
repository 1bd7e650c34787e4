import { type SecretBox, SecretKeyError, type SecretPurpose } from "../../shared/secrets/secret-box.ts";
import type { EntityManager, SealedColumn } from "./open-schema.ts";
import { openJson, SEALED, sealJson } from "./sealed-json.ts";

const ROW_BATCH_SIZE = 100;

/**
 * Encrypts every stored secret with the first key: those stored without encryption, and those of a key that
 * is to be retired. Several nodes can do this concurrently. A secret that changes meanwhile keeps its change.
 * @param shouldDropLost whether to delete secrets whose key this node doesn't have
 * @returns the number of deleted secrets
 * @throws SecretKeyError for a secret whose key this node doesn't have
 */
export async function resealAll(
  em: () => EntityManager,
  box: SecretBox,
  columns: readonly SealedColumn[],
  shouldDropLost: boolean,
): Promise<number> {
  let count = 0;
  for (const column of columns) count += await reseal(em(), box, column, shouldDropLost);
  return count;
}

async function reseal(
  em: EntityManager,
  box: SecretBox,
  column: SealedColumn,
  shouldDropLost: boolean,
): Promise<number> {
  const { table, key, purpose, value, set, where } = column;
  let dropped = 0;
  for (let after = ""; ; ) {
    const rows: { key: string; value: unknown }[] = await em.execute(
      `select ${key}::text as key, ${value} as value from ${table}
       where ${where} and ${key}::text > ? and coalesce(${value} ->> '${SEALED}', '') not like ?
       order by ${key}::text limit ${ROW_BATCH_SIZE}`,
      [after, `${box.currentPrefix}%`],
    );
    for (const row of rows) {
      const sealed = resealed(box, row.value, purpose, shouldDropLost);
      if (sealed === LOST) {
        await em.execute(`${column.drop} where ${key}::text = ?`, [row.key]);
        dropped += 1;
        continue;
      }
      await em.execute(`update ${table} set ${set} where ${key}::text = ? and ${value} = ?::jsonb`, [
        JSON.stringify(sealed),
        row.key,
        JSON.stringify(row.value),
      ]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROW_BATCH_SIZE) return dropped;
    after = last.key;
  }
}

const LOST = Symbol("lost");

/** Returns a value encrypted with the first key, or LOST if no key opens it and it may be deleted. */
function resealed(box: SecretBox, value: unknown, purpose: SecretPurpose, shouldDropLost: boolean): unknown {
  try {
    return sealJson(box, openJson(box, value, purpose), purpose);
  } catch (error) {
    if (shouldDropLost && error instanceof SecretKeyError) return LOST;
    throw error;
  }
}
