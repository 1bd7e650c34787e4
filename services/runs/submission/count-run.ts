import { setTimeout as delay } from "node:timers/promises";
import { call } from "../../../shared/contracts/bus.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";

/** Longer than it takes to write the rows of a counted run. */
const WRITE_TIMEOUT_MS = 500;

/**
 * Counts a run toward its team's allowances, before its rows exist. A repeat needs no allowance, even if the first run
 * has used the last of it and is being written right now.
 * @param findFirst finds the run that this one repeats; null if it can't be a repeat
 * @returns the first run if the limit is reached; else null, and the run is counted
 * @throws ServiceError plan_limit_exceeded
 */
export async function countRun(
  context: RunsContext,
  run: Pick<Run, "id" | "teamId"> & { screenshots: number },
  findFirst: (() => Promise<Run | null>) | null,
): Promise<Run | null> {
  const { id: runId, teamId, screenshots } = run;
  try {
    await call(context.bus, "billing.take", { runId, teamId, screenshots });
    return null;
  } catch (error) {
    if (!findFirst || !isOverLimit(error)) throw error;
    await delay(WRITE_TIMEOUT_MS);
    const first = await findFirst();
    if (first) return first;
    throw error;
  }
}

/** Refunds the usage of a run that won't exist. If it fails, the billing service finds the run itself. */
export async function uncountRun(context: RunsContext, runId: string): Promise<void> {
  await call(context.bus, "billing.giveBack", { runId }).catch(error =>
    context.warn(error, LOG_MESSAGES.notRefunded(runId)),
  );
}

/** Returns whether the error says that a limit of the team's plan is reached. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "plan_limit_exceeded";
}
