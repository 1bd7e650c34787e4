import { call } from "../../../shared/contracts/bus.ts";
import type { SubmitRun } from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { publishChanged } from "../publish-changed.ts";
import { LOG_MESSAGES } from "../texts.ts";
import type { Check } from "./check.entity.ts";
import { type Ending, endCheck, markSubmitted } from "./check.store.ts";
import { doubtful, type Look } from "./judge-check.rule.ts";

/** Submissions at once, of each node: the runs service has other callers. */
const AT_ONCE = 10;

/** What keeps a run from being accepted however often it is asked for. */
const REFUSALS = new Set(["plan_limit_exceeded", "invalid_request"]);

/**
 * Submits the runs that these checks wait for; by their ids each is one run, however often it is submitted. A check
 * whose run is refused ends with the reason; what could not be submitted, the sweep submits.
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
  await Promise.all(Array.from({ length: AT_ONCE }, submitSome));
  if (accepted.length > 0) await markSubmitted(context.em(), accepted);
}

/** Submits the run that a check waits for. @returns why it was refused; null when it was accepted @throws what may pass */
export async function submitCheck(context: MonitorsContext, check: Check): Promise<Error | null> {
  try {
    await call(context.as(watcherOf(check)), "runs.submit", {
      id: check.latestRunId,
      body: bodyOf(check),
      // It must not share a cause with what it confirms, and a check counts as one run.
      ...(check.looks.length > 0 && { isConfirmation: true }),
    });
    return null;
  } catch (error) {
    if (!(error instanceof Error && "type" in error && REFUSALS.has(String(error.type)))) throw error;
    return error;
  }
}

/** Ends a check that says nothing of its site. @returns whether this caller ended it */
export async function endFailed(context: MonitorsContext, check: Check, error: string): Promise<boolean> {
  const ending: Ending = { outcome: "failed", error, drift: [], regressions: [], downRoutes: [], look: null };
  const isEnded = await endCheck(context.em(), check.id, ending);
  if (isEnded) await publishChanged(context, [check]);
  return isEnded;
}

/** As whom this service does something for a monitor. */
export function watcherOf({ teamId, monitorId, target }: Check): Caller {
  return { teamId, role: "reviewer", actor: { kind: "service", id: monitorId, name: target.name } };
}

/** All of the monitor's pages at first; later those that were not fine, each in the widths in which it was not. */
function bodyOf({ target, looks }: Check): SubmitRun {
  const { url, viewports, threshold, project, options = {} } = target;
  const common = { url, viewports, threshold, project, partial: true };
  if (looks.length === 0) return { ...common, routes: target.routes, options };
  const byRoute = Map.groupBy(doubtful(looks), ({ route }: Look) => route);
  const perRoute = Object.fromEntries(
    [...byRoute].map(([route, pages]) => [
      route,
      { ...options.perRoute?.[route], viewports: pages.map(({ viewport }) => viewport) },
    ]),
  );
  return { ...common, routes: [...byRoute.keys()], options: { ...options, perRoute } };
}
