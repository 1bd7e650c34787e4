import { refuseUrl } from "../../../shared/capture/network/address-guard.ts";
import { call, emit } from "../../../shared/contracts/bus.ts";
import type { MonitorOptions } from "../../../shared/contracts/capture/capture-options.ts";
import { findUnknownNames } from "../../../shared/contracts/capture/plan-pages.ts";
import { secretNamesIn } from "../../../shared/contracts/configuration/secret-references.ts";
import type { Noted } from "../../../shared/contracts/events.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { ChannelChanges } from "../../../shared/contracts/monitors/monitor-channels.ts";
import { publishMonitorsChanged } from "../../../shared/contracts/monitors/monitors-changed.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { MONITOR_PROJECTS } from "../../../shared/monitor-project.ts";
import type { MonitorsContext } from "../monitors-context.ts";
import { MONITOR_ERRORS } from "../texts.ts";
import { changeChannels, completeChannels } from "./channels.ts";

/** Returns the channels after a change. @throws ServiceError forbidden for non-admins; invalid_request */
export function channelsAfter(
  { policy }: MonitorsContext,
  { role, actor }: Caller,
  before: AlertChannels,
  changes: ChannelChanges,
): AlertChannels {
  if (Object.keys(changes).length === 0) return before;
  if (role !== "admin") {
    throw new ServiceError("forbidden", MONITOR_ERRORS.adminsSetChannels(actor.name, role));
  }
  const after = completeChannels(changeChannels(before, changes));
  if ("missing" in after) throw invalidField(after.missing, MONITOR_ERRORS.required);
  const { slack, webhook, incidents } = after.channels;
  if (changes.slack) refuseChannelUrl("alerts.slack", slack, policy);
  if (changes.incidents) refuseChannelUrl("alerts.incidents.url", incidents?.url, policy);
  if (changes.webhook?.url) refuseChannelUrl("alerts.webhook.url", webhook?.url, policy);
  return after.channels;
}

/** Refuses receivers without TLS, except on hosts that the operator allows. */
function refuseChannelUrl(path: string, value = "", policy: MonitorsContext["policy"]): void {
  const url = new URL(value);
  const refusal = refuseUrl(url, policy);
  if (refusal !== null) throw invalidField(path, MONITOR_ERRORS.channelUrl(refusal));
  const isAllowed = policy.allowed.has(url.hostname) || policy.allowed.has(url.host);
  if (url.protocol !== "https:" && !isAllowed) throw invalidField(path, MONITOR_ERRORS.channelHttps);
}

/** Refuses URLs that must not be rendered. @throws ServiceError invalid_request */
export function refuseSite({ policy }: MonitorsContext, url: string): void {
  const refusal = refuseUrl(new URL(url), policy);
  if (refusal !== null) throw invalidField("url", MONITOR_ERRORS.siteUrl(refusal));
}

/**
 * Refuses options that refer to a secret, session or environment that monitors don't have. All monitors of a team use
 * the secrets and sessions of the project `monitors`. @throws ServiceError invalid_request
 */
export async function refuseUnknownReferences(
  { bus }: MonitorsContext,
  { teamId }: Caller,
  options: MonitorOptions,
): Promise<void> {
  const isPlain =
    secretNamesIn(options).length === 0 &&
    options.sessions === undefined &&
    findUnknownNames(options).length === 0;
  if (!isPlain) await call(bus, "runs.checkOptions", { teamId, project: MONITOR_PROJECTS, options });
}

/** Records the caller's action in the team's activity, and publishes that the monitor changed. */
export async function noteActivity(
  context: MonitorsContext,
  { teamId, actor }: Caller,
  type: Noted["type"],
  target: string,
  details: Noted["details"],
): Promise<void> {
  await emit(context.bus, "activity.noted", { id: newId("act"), teamId, type, actor, target, details });
  await publishMonitorsChanged(context.bus, [{ teamId, monitorId: target }]);
}
