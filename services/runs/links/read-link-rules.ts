import { call } from "../../../shared/contracts/bus.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { type LinkRules, type LinkSettings, linkState } from "../../../shared/links/link-rules.ts";
import { findProjectOverrides } from "../projects/project-settings.store.ts";
import type { Run } from "../run.entity.ts";
import { findRun } from "../run.store.ts";
import type { RunsContext } from "../runs-context.ts";
import { RUN_ERRORS } from "../texts/runs.ts";

/**
 * Returns the rules that image links of a team must satisfy, for one run or for none.
 * Null if the team was deleted or the run doesn't exist. No link opens then.
 */
export async function readLinkRules(
  context: RunsContext,
  teamId: string,
  runId: string | null,
): Promise<LinkRules | null> {
  const settings = await call(context.bus, "teams.linkSettings", { teamId });
  if (!settings) return null;
  if (runId === null) return { ...settings, generation: 0 };
  const run = await findRun(context.em(), teamId, runId);
  return run && { ...(await withProject(context, run, settings)), generation: run.linkGeneration };
}

/**
 * Throws unless the link still opens the report.
 * @throws ServiceError unauthorized, with what to do
 */
export async function requireOpenLink(context: RunsContext, run: Run, token: string): Promise<void> {
  const ofTeam = await call(context.bus, "teams.linkSettings", { teamId: run.teamId });
  if (!ofTeam || !context.links.opensReport(run.id, token, run.linkGeneration)) throw deadLink();
  const state = linkState(run.createdAt.getTime(), Date.now(), await withProject(context, run, ofTeam));
  if (state === "private") throw new ServiceError("unauthorized", RUN_ERRORS.privateLinks);
  if (state === "expired") throw deadLink();
}

/** Returns the team's settings for links with those that the run's project replaces. */
async function withProject(
  context: RunsContext,
  { teamId, project }: Run,
  settings: LinkSettings,
): Promise<LinkSettings> {
  const { linkDays } = await findProjectOverrides(context.em(), teamId, project);
  return { ...settings, linkDays: linkDays ?? settings.linkDays };
}

/**
 * Returns the error for links that open nothing. All cases have the same text, so that it reveals nothing about the
 * run.
 */
export function deadLink(): ServiceError {
  return new ServiceError("unauthorized", RUN_ERRORS.deadLink);
}
