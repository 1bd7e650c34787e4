import type { Noted } from "../../../shared/contracts/events.ts";
import {
  type AcceptRegion,
  type DismissRegion,
  type IgnoreRegionView,
  NOISE_BOUNDS,
} from "../../../shared/contracts/runs/noise.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { lockProject } from "../baselines/approval.store.ts";
import { noteActivity, pageDetails } from "../note-activity.ts";
import type { RunsContext } from "../runs-context.ts";
import { REVIEW_ERRORS } from "../texts.ts";
import {
  countRegions,
  type IgnoreRegion,
  type NoiseVerdict,
  putRegion,
  removeRegion,
} from "./noise-region.store.ts";
import { viewOfIgnoreRegion } from "./present-noise.ts";

/**
 * Accepts an ignore region of a page. Later runs don't count changed pixels inside it.
 * @throws ServiceError not_found; conflict if the page or the project has too many
 */
export async function acceptRegion(
  context: RunsContext,
  caller: Caller,
  region: AcceptRegion,
): Promise<IgnoreRegionView> {
  const accepted = await decideRegion(context, caller, region, "accepted");
  if (accepted.isChanged) await noteRegion(context, caller, "region.accepted", accepted.region);
  return viewOfIgnoreRegion(accepted.region);
}

/** Dismisses a suggested ignore region. An accepted region stays accepted. @throws ServiceError not_found, conflict */
export async function dismissRegion(
  context: RunsContext,
  caller: Caller,
  region: DismissRegion,
): Promise<null> {
  const dismissed = await decideRegion(context, caller, region, "dismissed");
  if (dismissed.isChanged) await noteRegion(context, caller, "region.dismissed", dismissed.region);
  return null;
}

/** Removes an ignore region. Changed pixels inside it count again in later runs. @throws ServiceError not_found */
export async function removeIgnoreRegion(context: RunsContext, caller: Caller, id: string): Promise<null> {
  const removed = await removeRegion(context.em(), caller.teamId, id);
  if (!removed) throw notFound("ignore region", id);
  await noteRegion(context, caller, "region.removed", removed);
  return null;
}

function decideRegion(
  context: RunsContext,
  { teamId, actor }: Caller,
  { project: name, reason = null, ...region }: DismissRegion & { reason?: string | undefined | null },
  verdict: NoiseVerdict,
): Promise<{ region: IgnoreRegion; isChanged: boolean }> {
  return context.em().transactional(async em => {
    // Decisions are serialized, so that two of them can't exceed the limits together.
    const project = await lockProject(em, teamId, name);
    if (!project) throw notFound("project", name);
    const decision = { ...region, projectId: project.id, verdict, reason, decidedBy: actor.name };
    const written = await putRegion(em, decision);
    if (!written.region) throw notFound("project", name);
    const { ofPage, ofProject } = await countRegions(em, decision);
    if (
      written.isChanged &&
      (ofPage > NOISE_BOUNDS.regionsOfPage || ofProject > NOISE_BOUNDS.regionsOfProject)
    )
      throw tooManyRegions(verdict);
    return { region: written.region, isChanged: written.isChanged };
  });
}

function tooManyRegions(verdict: NoiseVerdict): ServiceError {
  const { regionsOfPage, regionsOfProject } = NOISE_BOUNDS;
  const limit = verdict === "accepted" ? "regionLimit" : "dismissedRegionLimit";
  return new ServiceError("conflict", REVIEW_ERRORS[limit](regionsOfPage, regionsOfProject));
}

async function noteRegion(
  context: RunsContext,
  caller: Caller,
  type: Noted["type"],
  region: IgnoreRegion,
): Promise<void> {
  const { project, x, y, width, height } = region;
  const where = { ...pageDetails(region), region: `${width} × ${height} px at ${x}, ${y}` };
  await noteActivity(context, caller, type, project, where);
}
