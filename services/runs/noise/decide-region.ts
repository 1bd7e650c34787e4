import type { EntityManager } from "../../../mixins/database.ts";
import {
  type AcceptedRegion,
  type AcceptRegion,
  type PreviewRule,
  RULE_BOUNDS,
} from "../../../shared/contracts/noise/ignore-rules.ts";
import type { DismissRegion } from "../../../shared/contracts/noise/noise.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import { lockProject } from "../baselines/approval.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { REVIEW_ERRORS } from "../texts/reviews.ts";
import type { RuleEffect } from "./ignore-rule.rule.ts";
import {
  countRules,
  deleteRule,
  putRule,
  type RegionDecision,
  type StoredRule,
} from "./noise-region.store.ts";
import { noteRule } from "./note-rule.ts";
import { viewOfRule } from "./present-noise.ts";
import { recompareRun, recompareWithoutRule } from "./recompare-run.ts";

/**
 * Adds an ignore rule. Later runs don't count changed pixels inside its region, or have its threshold. With a run, the
 * undecided screenshots of that run are compared again at once.
 * @throws ServiceError not_found; conflict if the page or the project has too many; invalid_request
 */
export async function acceptRegion(
  context: RunsContext,
  caller: Caller,
  {
    reason = null,
    expiresAt,
    runId,
    ...rule
  }: Omit<AcceptRegion, "reason"> & { reason?: string | null | undefined },
): Promise<AcceptedRegion> {
  const expiry = expiresAt === undefined ? null : new Date(expiresAt);
  if (expiry && expiry <= new Date()) throw invalidField("expiresAt", REVIEW_ERRORS.expiredRule);
  const accepted = await decide(context, caller, rule.project, {
    ...effectOf(rule),
    ...{ verdict: "accepted", reason, expiresAt: expiry },
  });
  if (accepted.isChanged) await noteRule(context, caller, "region.accepted", accepted.rule);
  const recompared = runId === undefined ? null : await recompareRun(context, caller, runId, accepted.rule);
  return { ...viewOfRule(accepted.rule), recompared };
}

/** Returns what a submitted rule does. */
export function effectOf({ ...rule }: Omit<PreviewRule, "project">): Omit<RuleEffect, "scale"> {
  const {
    route,
    state,
    environment,
    viewport,
    x,
    y,
    width,
    height,
    threshold = null,
    appliesTo = "page",
  } = rule;
  const hasRegion = x !== undefined && y !== undefined && width !== undefined && height !== undefined;
  const region = hasRegion ? { x, y, width, height } : null;
  return { route, state, environment, viewport, appliesTo, threshold, region };
}

/** Dismisses a suggested ignore region. An accepted region stays accepted. @throws ServiceError not_found, conflict */
export async function dismissRegion(
  context: RunsContext,
  caller: Caller,
  { project, ...region }: DismissRegion,
): Promise<null> {
  const dismissed = await decide(context, caller, project, {
    ...effectOf(region),
    ...{ verdict: "dismissed", reason: null, expiresAt: null },
  });
  if (dismissed.isChanged) await noteRule(context, caller, "region.dismissed", dismissed.rule);
  return null;
}

/**
 * Removes an ignore rule. Changed pixels inside its region count again in later runs, and at once in the undecided
 * screenshots of the given run. @throws ServiceError not_found
 */
export async function removeIgnoreRegion(
  context: RunsContext,
  caller: Caller,
  { id, runId }: { id: string; runId?: string },
): Promise<null> {
  const removed = await deleteRule(context.em(), caller.teamId, id);
  if (!removed) throw notFound("ignore region", id);
  await noteRule(context, caller, "region.removed", removed);
  if (runId !== undefined) await recompareWithoutRule(context, caller, runId, removed);
  return null;
}

function decide(
  context: RunsContext,
  { teamId, actor }: Caller,
  name: string,
  decided: Omit<RegionDecision, "projectId" | "decidedBy">,
): Promise<{ rule: StoredRule; isChanged: boolean }> {
  return context.em().transactional(async em => {
    // Decisions are serialized, so that two of them can't exceed the limits together.
    const project = await lockProject(em, teamId, name);
    if (!project) throw notFound("project", name);
    const decision = { ...decided, projectId: project.id, decidedBy: actor.name };
    const { rule, isChanged } = await putRule(em, decision);
    if (!rule) throw notFound("project", name);
    if (isChanged) await requireWithinLimits(em, decision);
    return { rule, isChanged };
  });
}

/**
 * Checks the numbers of rules after one was written. Call it with the project locked.
 * @throws ServiceError conflict if the page or the project has too many
 */
export async function requireWithinLimits(
  em: EntityManager,
  written: Parameters<typeof countRules>[1],
): Promise<void> {
  const { regionsOfPage, regionsOfProject } = RULE_BOUNDS;
  const { ofPage, ofProject } = await countRules(em, written);
  if (ofPage <= regionsOfPage && ofProject <= regionsOfProject) return;
  const limit = written.verdict === "accepted" ? "regionLimit" : "dismissedRegionLimit";
  throw new ServiceError("conflict", REVIEW_ERRORS[limit](regionsOfPage, regionsOfProject));
}
