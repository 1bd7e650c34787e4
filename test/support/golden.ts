import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";

/** Holds a text to the file of test/golden. With UPDATE_GOLDEN=1 the file is written instead, for you to read its diff. */
export async function assertGolden(name: string, text: string): Promise<void> {
  const file = new URL(`../golden/${name}`, import.meta.url);
  if (process.env.UPDATE_GOLDEN === "1") return await writeFile(file, text);
  const expected = await readFile(file, "utf8");
  assert.equal(text, expected, `${name} says something else; UPDATE_GOLDEN=1 writes it anew`);
}
