import { call } from "../../../shared/contracts/bus.ts";
import type { PeriodicTask } from "../../../shared/periodic-task.ts";
import type { RunsContext } from "../runs-context.ts";
import { LOG_MESSAGES } from "../texts/log.ts";
import { withoutReviewers } from "./match-routes.rule.ts";
import { findAllRules, replaceRules } from "./reviewer.store.ts";

/** An event reports who left. This finds those whose event was lost. */
const INTERVAL_MS = 60 * 60_000;

/**
 * Removes people who left their team from the rules that assign reviewers. A rule without another reviewer is removed.
 * @param ids people or teams whose access changed; null for all
 */
export async function forgetFormerReviewers(
  { em, bus }: RunsContext,
  ids: readonly string[] | null,
): Promise<void> {
  const concerned = (await findAllRules(em())).filter(
    ({ teamId, rules }) =>
      ids === null ||
      ids.includes(teamId) ||
      rules.some(({ reviewers }) => reviewers.some(({ id }) => ids.includes(id))),
  );
  for (const [teamId, all] of Map.groupBy(concerned, ({ teamId }) => teamId)) {
    const people = await call(bus, "teams.noticePeople", { teamId });
    const members = new Set(people.map(({ id }) => id));
    for (const { project, rules } of all) {
      const kept = withoutReviewers(rules, members);
      if (JSON.stringify(kept) !== JSON.stringify(rules))
        await replaceRules(em(), { teamId, project }, rules, kept);
    }
  }
}

/** Returns the periodic task that finds people who left. */
export function forgetReviewersTask(context: RunsContext): PeriodicTask {
  return {
    intervalMs: INTERVAL_MS,
    work: () => forgetFormerReviewers(context, null),
    failed: LOG_MESSAGES.reviewersNotForgotten,
  };
}
