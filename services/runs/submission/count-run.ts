import { setTimeout as delay } from "node:timers/promises";
import { call } from "../../../shared/contracts/bus.ts";
import type { Run } from "../run.entity.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts.ts";

/** Longer than it takes to write the rows of a run that was counted. */
const WRITE_TIMEOUT_MS = 500;

/**
 * Counts a run against its team's allowances, before there are rows of it. A repeat needs no allowance, also where the
 * first took the last of it and is being written at this very moment.
 * @param findFirst finds the run that this one repeats; null where it cannot be a repeat
 * @returns that run, where too little was left; else null, and it is counted
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

/** Gives back what a run took that is not to be. What cannot be given back now, the billing service finds itself. */
export async function uncountRun(context: RunsContext, runId: string): Promise<void> {
  await call(context.bus, "billing.giveBack", { runId }).catch(error =>
    context.warn(error, LOG_MESSAGES.notRefunded(runId)),
  );
}

/** Whether an allowance of the team's plan is used up. */
export function isOverLimit(error: unknown): boolean {
  return error instanceof Error && "type" in error && error.type === "plan_limit_exceeded";
}
