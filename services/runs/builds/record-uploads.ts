import type { Result } from "../../../shared/contracts/runs/jobs.ts";
import { recordResults } from "../capture/record-results.ts";
import type { RunsContext } from "../runs-context.ts";
import type { Screenshot } from "../screenshot.entity.ts";
import { findUnclassified } from "./build.store.ts";

/** Screenshots that are classified in one batch of statements. */
const BATCH_SIZE = 500;

/**
 * Classifies the screenshots of a finalized build like captures: equal bytes are unchanged, and the rest is compared.
 * Screenshots that are classified already stay as they are.
 */
export async function recordUploads(context: RunsContext, runId: string): Promise<void> {
  const results = (await findUnclassified(context.em(), runId)).flatMap(resultOf);
  for (let at = 0; at < results.length; at += BATCH_SIZE)
    await recordResults(context, results.slice(at, at + BATCH_SIZE));
}

function resultOf({ id, runId, hash, width, height, browser }: Screenshot): Result[] {
  if (hash === null || width === null || height === null) return [];
  return [
    {
      kind: "captured",
      ...{ runId, screenshotId: id, hash, width, height, browser },
      // A test captured it once.
      ...{ stable: true, moving: [], attempts: 1, cutFromHeight: null, rendering: null, timings: {} },
    },
  ];
}
