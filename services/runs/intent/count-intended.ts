import type { EntityManager } from "../../../mixins/database.ts";
import type { Intent } from "../../../shared/contracts/runs/intent.ts";
import type { Run } from "../run.entity.ts";
import { ScreenshotEntity } from "../screenshot.entity.ts";
import { isIntended } from "./match-intent.rule.ts";

/** Returns the intent of a run that ends, with the numbers of its intended and unintended changes. */
export async function countIntended(em: EntityManager, run: Run): Promise<Intent | null> {
  if (run.intent === null) return null;
  const differing = await em.find(
    ScreenshotEntity,
    {
      runId: run.id,
      $or: [
        { status: { $in: ["changed", "new", "removed", "failed"] } },
        { diffPixels: { $gt: 0 } },
        { faintPixels: { $gt: 0 } },
      ],
    },
    { fields: ["status", "route", "diffPixels", "faintPixels", "explanation"], disableIdentityMap: true },
  );
  const { intent } = run;
  const intended = differing.filter(screenshot => isIntended(intent, screenshot) === true).length;
  return { ...intent, intended, unintended: differing.length - intended };
}
