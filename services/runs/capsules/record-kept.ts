import type { EntityManager } from "../../../mixins/database.ts";
import type { CapturedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import { recordBodies } from "./body.store.ts";
import { recordCapsules } from "./capsule.store.ts";

/** Records the capsules of captures, and the responses that were kept with them. */
export async function recordKept(em: EntityManager, captures: CapturedScreenshot[]): Promise<void> {
  const kept = captures.flatMap(({ screenshotId, hash, capsuleHash, bodies = [] }) =>
    capsuleHash === undefined ? [] : [{ screenshotId, hash, capsuleHash, bodies }],
  );
  await recordCapsules(
    em,
    kept.map(({ bodies: _bodies, ...capsule }) => capsule),
  );
  await recordBodies(
    em,
    kept.flatMap(({ screenshotId, capsuleHash, bodies }) =>
      bodies.map(body => ({ ...body, screenshotId, capsuleHash })),
    ),
  );
}
