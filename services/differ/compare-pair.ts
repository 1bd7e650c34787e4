import type { ComparePool } from "../../shared/compare/compare-pool.ts";
import type { ImageStore } from "../../shared/contracts/image-store.ts";
import type { CompareJob, ResultJob } from "../../shared/contracts/jobs.ts";

/** What a differ works with. */
export interface DifferNode {
  pool: ComparePool;
  images: ImageStore;
  /** Hands on what was found; when it returns, that cannot get lost any more. */
  tell(result: ResultJob): Promise<void>;
}

/** Compares a screenshot with its baseline, stores the mask, and tells of it. */
export async function comparePair(node: DifferNode, job: CompareJob, signal: AbortSignal): Promise<void> {
  const { runId, screenshotId, baselineHash, currentHash } = job;
  const [baseline, current] = await Promise.all([
    node.images.get(baselineHash),
    node.images.get(currentHash),
  ]);
  const { mask, diffPixels, diffRatio, regions, fingerprint } = await node.pool.compare(
    baseline,
    current,
    signal,
  );
  const maskHash = mask && (await node.images.put(mask));
  const found = { diffPixels, diffRatio, regions, fingerprint, maskHash };
  await node.tell({ kind: "compared", runId, screenshotId, baselineHash, currentHash, ...found });
}
