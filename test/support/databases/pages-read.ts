import assert from "node:assert/strict";
import { z } from "zod";
import type { EntityManager } from "../../../mixins/database.ts";

const plan = z.array(
  z.object({
    "QUERY PLAN": z.array(
      z.object({ Plan: z.object({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }) }),
    ),
  }),
);

/**
 * Returns how many pages of the database the only statement of a query reads. Its function gets the plan in place of
 * rows, so its result means nothing.
 */
export async function pagesRead(
  em: EntityManager,
  query: (em: EntityManager) => Promise<unknown>,
): Promise<number> {
  let pages: number | null = null;
  const explaining: EntityManager = Object.create(em, {
    execute: {
      async value(sql: string, values?: unknown[]): Promise<object[]> {
        assert.equal(pages, null, "It has one statement.");
        const rows = plan.parse(await em.execute(`explain (analyze, buffers, format json) ${sql}`, values));
        const root = rows[0]?.["QUERY PLAN"][0]?.Plan;
        assert.ok(root);
        pages = root["Shared Hit Blocks"] + root["Shared Read Blocks"];
        return [];
      },
    },
  });
  await query(explaining);
  assert.ok(pages !== null, "It has a statement.");
  return pages;
}
