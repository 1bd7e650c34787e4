import { randomBytes } from "node:crypto";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import {
  STATUS_PAGE_BOUNDS,
  type StatusPageBody,
  type StatusPageList,
  type StatusPageView,
} from "../../../shared/contracts/monitors/status-pages.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, notFound, ServiceError } from "../../../shared/errors.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { getMonitor, monitorOf } from "../queries/read-monitors.ts";
import { findMonitor, setBadge } from "../settings/monitor.store.ts";
import { noteActivity } from "../settings/write-monitor.ts";
import { STATUS_PAGE_ERRORS } from "../texts.ts";
import { hashPassword } from "./page-password.ts";
import {
  deleteStatusPage,
  findStatusPage,
  findStatusPages,
  putStatusPage,
  type StatusPage,
} from "./status-page.store.ts";

/** The URL of a badge can't be guessed. */
const BADGE_TOKEN_BYTES = 18;

/** Lists the status pages of a team. */
export async function listStatusPages(context: MonitorsContext, { teamId }: Caller): Promise<StatusPageList> {
  const pages = await findStatusPages(context.em(), teamId);
  return { data: pages.map(page => viewOf(context, page)), nextCursor: null };
}

/**
 * Creates a status page. A repeated message returns the same page.
 * @throws ServiceError invalid_request; conflict for too many pages
 */
export async function createStatusPage(
  context: MonitorsContext,
  caller: Caller,
  { id, body }: { id: string; body: StatusPageBody },
): Promise<StatusPageView> {
  const others = (await findStatusPages(context.em(), caller.teamId)).filter(page => page.id !== id);
  if (others.length >= STATUS_PAGE_BOUNDS.pages)
    throw new ServiceError("conflict", STATUS_PAGE_ERRORS.full(STATUS_PAGE_BOUNDS.pages));
  return savePage(context, caller, { id, body, passwordHash: null });
}

/** Replaces a status page. @throws ServiceError not_found; invalid_request */
export async function changeStatusPage(
  context: MonitorsContext,
  caller: Caller,
  { id, body }: { id: string; body: StatusPageBody },
): Promise<StatusPageView> {
  const before = await findStatusPage(context.em(), caller.teamId, id);
  if (!before) throw notFound("status page", id);
  return savePage(context, caller, { id, body, passwordHash: before.passwordHash });
}

async function savePage(
  context: MonitorsContext,
  caller: Caller,
  { id, body, passwordHash }: { id: string; body: StatusPageBody; passwordHash: string | null },
): Promise<StatusPageView> {
  const { teamId, actor } = caller;
  const { password, ...page } = body;
  for (const [index, { monitorId }] of page.components.entries())
    if (!(await findMonitor(context.em(), teamId, monitorId)))
      throw invalidField(`components.${index}.monitorId`, STATUS_PAGE_ERRORS.noMonitor);
  const hash = typeof password === "string" ? await hashPassword(password) : null;
  const isSaved = await putStatusPage(context.em(), {
    ...{ id, teamId, ...page, changedBy: actor.name },
    passwordHash: password === undefined ? passwordHash : hash,
  });
  if (!isSaved) throw invalidField("slug", STATUS_PAGE_ERRORS.slugTaken);
  await noteActivity(context, caller, "status_page.changed", id, { name: page.title });
  const saved = await findStatusPage(context.em(), teamId, id);
  if (!saved) throw notFound("status page", id);
  return viewOf(context, saved);
}

/** Deletes a status page. @throws ServiceError not_found */
export async function removeStatusPage(
  context: MonitorsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<null> {
  const page = await findStatusPage(context.em(), caller.teamId, id);
  if (!page || !(await deleteStatusPage(context.em(), caller.teamId, id))) throw notFound("status page", id);
  await noteActivity(context, caller, "status_page.deleted", id, { name: page.title });
  return null;
}

/** Gives a monitor's badge a new URL. The previous one stops working. @throws ServiceError not_found */
export async function createBadge(
  context: MonitorsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<MonitorView> {
  await monitorOf(context, caller, id);
  await setBadge(context.em(), id, randomBytes(BADGE_TOKEN_BYTES).toString("base64url"));
  await noteActivity(context, caller, "monitor.changed", id, { fields: "badge" });
  return getMonitor(context, caller, id);
}

/** Deletes a monitor's badge. @throws ServiceError not_found */
export async function deleteBadge(
  context: MonitorsContext,
  caller: Caller,
  { id }: { id: string },
): Promise<null> {
  await monitorOf(context, caller, id);
  await setBadge(context.em(), id, null);
  await noteActivity(context, caller, "monitor.changed", id, { fields: "badge" });
  return null;
}

function viewOf({ baseUrl }: MonitorsContext, page: StatusPage): StatusPageView {
  const { id, title, slug, components, passwordHash, changedBy, changedAt } = page;
  return {
    ...{ id, title, slug, components, hasPassword: passwordHash !== null },
    url: `${baseUrl}/status/${slug}`,
    ...{ changedBy, changedAt: new Date(changedAt).toISOString() },
  };
}
