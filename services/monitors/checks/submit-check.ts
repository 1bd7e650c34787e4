import { call } from "../../../shared/contracts/bus.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { type Ending, endCheck, markSubmitted } from "./check.store.ts";
import { keyOfPage, pagesToConfirm } from "./evaluate-check.rule.ts";
import { leaseConfirmations } from "./pending-checks.store.ts";

/** Concurrent submissions of each node. The runs service has other callers. */
const SUBMIT_CONCURRENCY = 10;

/** Confirmation runs per statement. */
const CONFIRMATION_BATCH_SIZE = 50;

/** Errors that a retry can't fix. */
const REFUSALS = new Set(["plan_limit_exceeded", "invalid_request"]);

/**
 * Submits the runs that these checks wait for. Their ids make a repeated submission harmless. A check whose run is
 * refused ends with the reason. The recovery sweep submits runs that failed for another reason.
 */
export async function submitChecks(context: MonitorsContext, checks: Check[]): Promise<void> {
  const accepted: string[] = [];
  const waiting = [...checks];
  const submitSome = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      const { id, latestRunId } = check;
      const refusal = await submitCheck(context, check).catch((error: unknown) => {
        context.warn(error, LOG_MESSAGES.runNotSubmitted(id));
      });
      if (refusal === null) accepted.push(latestRunId);
      else if (refusal) await endFailed(context, check, refusal.message);
    }
  };
  await Promise.all(Array.from({ length: SUBMIT_CONCURRENCY }, submitSome));
  if (accepted.length > 0) await markSubmitted(context.em(), accepted);
}

/** Submits confirmation runs whose wait is over. Any number of nodes may do it at the same time. */
export async function submitConfirmations(context: MonitorsContext): Promise<void> {
  for (;;) {
    const checks = await leaseConfirmations(context.em(), context.confirmAfterMs, CONFIRMATION_BATCH_SIZE);
    await submitChecks(context, checks);
    if (checks.length < CONFIRMATION_BATCH_SIZE) return;
  }
}

/**
 * Submits the run that a check waits for.
 * @returns why the run was refused. Null if it was accepted
 * @throws errors that a retry may fix
 */
export async function submitCheck(context: MonitorsContext, check: Check): Promise<Error | null> {
  try {
    await call(context.as(monitorCaller(check)), "runs.submit", {
      id: check.latestRunId,
      body: bodyOf(check),
      ...(check.target.regions && { regions: check.target.regions }),
      // A confirmation runs in fresh browser contexts, and the plan doesn't count it.
      ...(check.attemptResults.length > 0 && {
        isConfirmation: true,
        only: pagesToConfirm(check.attemptResults).map(keyOfPage),
      }),
    });
    return null;
  } catch (error) {
    if (!(error instanceof Error && "type" in error && REFUSALS.has(String(error.type)))) throw error;
    return error;
  }
}

/** Ends a check that says nothing about its site. @returns whether this call ended it */
export async function endFailed(context: MonitorsContext, check: Check, error: string): Promise<boolean> {
  const ending: Ending = {
    outcome: "failed",
    error,
    drift: [],
    regressions: [],
    downRoutes: [],
    changedDigest: null,
    availability: [],
  };
  const isEnded = await endCheck(context.em(), check.id, ending);
  if (isEnded) await publishMonitorsChanged(context.bus, [check]);
  return isEnded;
}

/** Returns the caller as which this service acts for a monitor. */
export function monitorCaller({ teamId, monitorId, target }: Check): Caller {
  return { teamId, role: "reviewer", actor: { kind: "service", id: monitorId, name: target.name } };
}

function bodyOf({ target }: Check): SubmitRun {
  const { url, routes, viewports, threshold, project, options = {} } = target;
  return { url, routes, viewports, threshold, project, options, partial: true };
}
