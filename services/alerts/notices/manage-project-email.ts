import { projectOfBuildBase } from "../../../shared/contracts/builds/builds.ts";
import type { ProjectEmailBody, ProjectEmailView } from "../../../shared/contracts/monitors/project-email.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { ALERT_LINK, noteActivity } from "../decisions/snooze-monitor.ts";
import { PROJECT_EMAIL_ERRORS } from "../texts.ts";
import { findProjectEmail, optOutOfProject, putProjectEmail } from "./project-email.store.ts";

/** Returns the email addresses of a project. Those of a named build are its project's. */
export async function readProjectEmail(
  { em }: AlertsContext,
  { teamId }: Caller,
  { project: name }: { project: string },
): Promise<ProjectEmailView> {
  const project = projectOfBuildBase(name);
  const email = await findProjectEmail(em(), teamId, project);
  if (!email) return { project, addresses: [], unsubscribed: [], changedBy: null, changedAt: null };
  const { addresses, optedOut, changedBy, changedAt } = email;
  const unsubscribed = addresses.filter(address => optedOut.includes(address.toLowerCase()));
  return { project, addresses, unsubscribed, changedBy, changedAt: changedAt.toISOString() };
}

/** Sets the email addresses of a project. @throws ServiceError conflict for the project of one monitor */
export async function changeProjectEmail(
  context: AlertsContext,
  caller: Caller,
  { project: name, addresses }: { project: string } & ProjectEmailBody,
): Promise<ProjectEmailView> {
  const { teamId, actor } = caller;
  const project = projectOfBuildBase(name);
  if (project.startsWith(MONITOR_PROJECTS))
    throw new ServiceError("conflict", PROJECT_EMAIL_ERRORS.ofMonitor);
  const before = await readProjectEmail(context, caller, { project });
  if (before.addresses.join() === addresses.join()) return before;
  const changedBy = actor.name;
  await putProjectEmail(context.em(), { id: newId("eml"), teamId, project, addresses, changedBy });
  const details = { email: addresses.length === 0 ? "-" : addresses.join(", ") };
  await noteActivity(context, { teamId, type: "project.changed", actor, target: project, details });
  return readProjectEmail(context, caller, { project });
}

/** Unsubscribes an address from a project. Only the first time is recorded in the team's activity. */
export async function unsubscribeFromProject(
  context: AlertsContext,
  { teamId, id, address }: { teamId: string; id: string; address: string },
): Promise<void> {
  const project = await optOutOfProject(context.em(), { teamId, id, address });
  if (project === null) return;
  const noted = { teamId, type: "project.changed", actor: ALERT_LINK, target: project } as const;
  await noteActivity(context, { ...noted, details: { unsubscribed: address } });
}
