import { emit } from "../../../shared/contracts/bus.ts";
import type { ProvedScreenshot } from "../../../shared/contracts/runs/jobs.ts";
import { publishProgress } from "../capture/advance-runs.ts";
import { NO_TALLY } from "../capture/conclude.rule.ts";
import { findRunOfAnyTeam } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { findScreenshots } from "../screenshot.store.ts";
import { endProofs, markProvenCauses } from "./proof.store.ts";

/** Records the results of proofs, each once, and publishes them. */
export async function recordProofs(context: RunsContext, results: ProvedScreenshot[]): Promise<void> {
  const em = context.em();
  const ended = await endProofs(
    em,
    results.map(({ runId, screenshotId, outcome, files, tried, unkept, captures, reason }) => {
      return { screenshotId, runId, result: { outcome, files, tried, unkept, captures, reason } };
    }),
  );
  for (const { runId, screenshotId, result } of ended) {
    const run = await findRunOfAnyTeam(em, runId);
    if (!run) continue;
    const [screenshot] = await findScreenshots(em, runId, [screenshotId]);
    const causes = screenshot?.explanation?.causes ?? [];
    const proven = causes.filter(({ file }) => file !== null && result?.files.includes(file.url));
    await markProvenCauses(
      em,
      runId,
      proven.map(({ key }) => key),
    );
    context.ended.delete(runId);
    // The dashboards reload the run, and the code host's comment is updated.
    publishProgress(context, run, run.tally ?? NO_TALLY);
    context.pendingEvents.add(emit(context.bus, "run.proved", { runId, teamId: run.teamId }));
  }
}
