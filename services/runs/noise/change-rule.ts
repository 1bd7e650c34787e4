import type { ChangeRule, IgnoreRegionView } from "../../../shared/contracts/noise/ignore-rules.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { lockProject } from "../baselines/approval.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";
import { requireWithinLimits } from "./decide-region.ts";
import { changedRule, findRule, type StoredRule, updateRule } from "./noise-region.store.ts";
import { noteRule } from "./note-rule.ts";
import { viewOfRule } from "./present-noise.ts";

/**
 * Changes where a rule applies, its name, its expiry, or its threshold. An expiry in the past ends it.
 * @throws ServiceError not_found, invalid_request; conflict if another rule does the same, or there are
 * too many
 */
export async function changeRule(
  context: RunsContext,
  caller: Caller,
  { id, body }: { id: string; body: ChangeRule },
): Promise<IgnoreRegionView> {
  const before = await findRule(context.em(), caller.teamId, id);
  if (!before) throw notFound("ignore region", id);
  const changed = await write(context, caller, before, body);
  await noteRule(context, caller, "region.changed", changed);
  return viewOfRule(changed);
}

function write(
  context: RunsContext,
  { teamId, actor }: Caller,
  { id, project }: StoredRule,
  body: ChangeRule,
): Promise<StoredRule> {
  return context.em().transactional(async em => {
    await lockProject(em, teamId, project);
    const rule = await findRule(em, teamId, id);
    if (!rule) throw notFound("ignore region", id);
    if (body.threshold !== undefined && rule.threshold === null)
      throw invalidField("threshold", REVIEW_ERRORS.noThreshold);
    if (body.appliesTo === "project" && rule.threshold !== null)
      throw invalidField("appliesTo", REVIEW_ERRORS.thresholdOfProject);
    if (!(await updateRule(em, id, changedRule(rule, body), actor.name)))
      throw new ServiceError("conflict", REVIEW_ERRORS.sameRule);
    const changed = await findRule(em, teamId, id);
    if (!changed) throw notFound("ignore region", id);
    // A rule that had ended, or had another scope, didn't count there before.
    if (changed.isActive) await requireWithinLimits(em, { ...changed, verdict: "accepted" });
    return changed;
  });
}
