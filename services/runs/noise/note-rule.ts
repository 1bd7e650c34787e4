import type { Noted } from "../../../shared/contracts/events.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { noteActivity, pageDetails } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import { RULE_TEXTS } from "../texts/reviews.ts";
import type { StoredRule } from "./noise-region.store.ts";

/** Publishes a change of an ignore rule for the team's activity log. */
export async function noteRule(
  context: RunsContext,
  caller: Caller,
  type: Noted["type"],
  { project, appliesTo, region, threshold, reason, expiresAt, ...page }: StoredRule,
): Promise<void> {
  await noteActivity(context, caller, type, project, {
    ...pageDetails(page),
    ...(region && { region: RULE_TEXTS.region(region) }),
    ...(threshold !== null && { threshold: RULE_TEXTS.threshold(threshold) }),
    ...(appliesTo !== "page" && { appliesTo: RULE_TEXTS.scopes[appliesTo] }),
    ...(reason !== null && { reason }),
    ...(expiresAt && { until: expiresAt.toISOString() }),
  });
}
