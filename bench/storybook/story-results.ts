import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckResult, checkResultSchema } from "../../cli/check/check-result.ts";

/** Reads the result of the last check in a project. */
export async function checkOf(folder: string): Promise<CheckResult> {
  return checkResultSchema.parse(
    JSON.parse(await readFile(join(folder, ".service", "check", "result.json"), "utf8")),
  );
}

/** Returns how many screenshots of unchanged stories differ. @throws Error if not all of them were checked */
export function countFalseChanges({ screenshots }: CheckResult, stories: number): number {
  if (screenshots.length !== stories)
    throw new Error(`${screenshots.length} of ${stories} stories were checked.`);
  return screenshots.filter(({ status }) => status !== "unchanged").length;
}

/** @throws Error unless exactly the stories below a name have changed, and the others were skipped or audited */
export function requireOnlyChanged({ screenshots, changedStories }: CheckResult, name: string): void {
  const changed = screenshots.filter(({ status }) => status === "changed").map(({ route }) => route);
  const { captured = 0, audited = 0, missed = [] } = changedStories ?? {};
  const isRight = changed.length > 0 && changed.every(route => route.startsWith(name));
  if (!isRight || missed.length > 0 || captured !== changed.length + audited)
    throw new Error(`--only-changed found ${changed.join(", ")} with ${captured} captures.`);
}
