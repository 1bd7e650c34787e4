import type { EntityManager } from "../../../mixins/database.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { ActivityType } from "../../../shared/contracts/teams/people.ts";
import {
  type ChangeWebhook,
  type CreateWebhook,
  WEBHOOK_BOUNDS,
  type WebhookList,
  type WebhookView,
  type WebhookWithSecret,
  webhookView,
} from "../../../shared/contracts/webhooks/webhooks.ts";
import { notFound, ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsContext } from "../alerts-context.ts";
import { noteActivity } from "../decisions/snooze-monitor.ts";
import { urlTail } from "../notifications/receiver.ts";
import { refuseReceiver } from "../notifications/refuse-receiver.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";
import { dropWaiting } from "./delivery.store.ts";
import * as store from "./webhook.store.ts";
import { newSecret, rotated } from "./webhook-secret.ts";

/** Lists the team's webhooks, oldest first. */
export async function listWebhooks({ em }: AlertsContext, { teamId }: Caller): Promise<WebhookList> {
  return { data: (await store.findWebhooks(em(), teamId)).map(viewOf) };
}

/** Returns one webhook of the team. @throws ServiceError not_found */
export async function getWebhook(
  { em }: AlertsContext,
  { teamId }: Caller,
  id: string,
): Promise<WebhookView> {
  return viewOf(await webhookOf(store.findWebhook(em(), teamId, id), id));
}

/** Creates a webhook. Only this response has its secret. @throws ServiceError invalid_request, conflict */
export async function createWebhook(
  context: AlertsContext,
  caller: Caller,
  { url, project, description, events }: CreateWebhook,
): Promise<WebhookWithSecret> {
  refuseReceiver(context, "url", url);
  const { teamId, actor } = caller;
  const secret = newSecret();
  const webhook: store.Webhook = {
    id: newId("whk"),
    ...{ teamId, project, description, events },
    target: { url, secret, previous: null },
    ...{ status: "active", pausedBecause: null, pausedAt: null, failingSince: null },
    createdBy: actor.name,
    createdAt: new Date(),
  };
  await context.em().transactional(async tx => {
    await store.lockWebhooks(tx, teamId);
    if ((await store.findWebhooks(tx, teamId)).length >= WEBHOOK_BOUNDS.perTeam)
      throw new ServiceError("conflict", WEBHOOK_TEXTS.limit(WEBHOOK_BOUNDS.perTeam));
    await store.insertWebhook(tx, webhook);
  });
  await note(context, caller, "webhook.created", webhook);
  return { ...(await getWebhook(context, caller, webhook.id)), secret };
}

/**
 * Changes a webhook. `status` pauses or resumes it. A paused webhook drops its waiting deliveries, which can be
 * replayed. @throws ServiceError not_found, invalid_request
 */
export async function changeWebhook(
  context: AlertsContext,
  caller: Caller,
  { id, body: { url, status, ...settings } }: { id: string; body: ChangeWebhook },
): Promise<WebhookView> {
  if (url !== undefined) refuseReceiver(context, "url", url);
  const changed = await change(context, caller, id, async (webhook, tx) => {
    Object.assign(webhook, settings);
    // The failures were those of another receiver.
    if (url !== undefined && url !== webhook.target.url) webhook.failingSince = null;
    if (url !== undefined) webhook.target.url = url;
    if (status === undefined || status === webhook.status) return;
    const isPaused = status === "paused";
    // An imported webhook is checked only here.
    if (!isPaused) refuseReceiver(context, "url", webhook.target.url);
    Object.assign(webhook, {
      status,
      pausedBecause: isPaused ? "member" : null,
      pausedAt: isPaused ? new Date() : null,
      failingSince: null,
    });
    if (isPaused) await dropWaiting(tx, id, WEBHOOK_TEXTS.paused);
  });
  await note(context, caller, "webhook.changed", changed);
  return viewOf(changed);
}

/** Deletes a webhook with its log. @throws ServiceError not_found */
export async function removeWebhook(context: AlertsContext, caller: Caller, id: string): Promise<null> {
  const { teamId } = caller;
  const webhook = await webhookOf(store.findWebhook(context.em(), teamId, id), id);
  const isDeleted = await context.em().transactional(tx => store.deleteWebhook(tx, teamId, id));
  if (isDeleted) await note(context, caller, "webhook.deleted", webhook);
  return null;
}

/** Replaces a webhook's secret. Only this response has the new one. @throws ServiceError not_found */
export async function rotateSecret(
  context: AlertsContext,
  caller: Caller,
  { id, overlapHours }: { id: string; overlapHours: number },
): Promise<WebhookWithSecret> {
  const webhook = await change(context, caller, id, each => {
    each.target = { ...each.target, ...rotated(each.target, overlapHours, new Date()) };
  });
  await note(context, caller, "webhook.rotated", webhook);
  return { ...viewOf(webhook), secret: webhook.target.secret };
}

/** Returns the webhook of a search. @throws ServiceError not_found */
export async function webhookOf(found: Promise<store.Webhook | null>, id: string): Promise<store.Webhook> {
  const webhook = await found;
  if (!webhook) throw notFound("webhook", id);
  return webhook;
}

async function change(
  { em }: AlertsContext,
  { teamId }: Caller,
  id: string,
  apply: (webhook: store.Webhook, tx: EntityManager) => void | Promise<void>,
): Promise<store.Webhook> {
  return em().transactional(async tx => {
    const webhook = await webhookOf(store.lockWebhook(tx, teamId, id), id);
    await apply(webhook, tx);
    await store.updateWebhook(tx, webhook);
    return webhook;
  });
}

async function note(
  context: AlertsContext,
  { teamId, actor }: Caller,
  type: ActivityType,
  { id, target }: store.Webhook,
): Promise<void> {
  await noteActivity(context, {
    teamId,
    type,
    actor,
    target: id,
    details: { receiver: urlTail(target.url) },
  });
}

function viewOf(webhook: store.Webhook): WebhookView {
  const { target, pausedAt, failingSince, createdAt, teamId: _team, ...rest } = webhook;
  const { url, previous } = target;
  return webhookView.parse({
    ...rest,
    url,
    pausedAt: pausedAt?.toISOString() ?? null,
    failingSince: failingSince?.toISOString() ?? null,
    previousSecretUntil: previous && new Date(previous.until) > new Date() ? previous.until : null,
    createdAt: createdAt.toISOString(),
  });
}
