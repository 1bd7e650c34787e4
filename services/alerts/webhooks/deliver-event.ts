import type { EntityManager } from "../../../mixins/database.ts";
import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { type Post, postJson } from "../../../shared/alerts/post-json.ts";
import { TEST_EVENT } from "../../../shared/contracts/webhooks/events.ts";
import type { Sender } from "../alerts-context.ts";
import {
  endNotification,
  type LeasedNotification,
  postponeNotification,
} from "../notifications/notification.store.ts";
import { WEBHOOK_TEXTS } from "../texts.ts";
import { nextDeliveryMs, pauseReason } from "./attempt.rule.ts";
import { dropWaiting, findTurn } from "./delivery.store.ts";
import { findTarget, markFailing, markWorking, pauseFailing } from "./webhook.store.ts";
import { signatureHeaders } from "./webhook-secret.ts";

/** Makes one attempt to deliver an event to its webhook. @throws Error that may be temporary */
export async function deliverEvent(
  em: () => EntityManager,
  { id, payload }: LeasedNotification,
  { policy, onUnresolved, resolve }: Pick<Sender, "policy" | "onUnresolved"> & Pick<Post, "resolve">,
  signal: AbortSignal,
): Promise<Outcome> {
  const turn = await findTurn(em(), id);
  const target = turn && (await findTarget(em(), turn.webhookId));
  if (!turn || !target) return { kind: "refused", answer: WEBHOOK_TEXTS.deleted };
  const body = JSON.stringify(payload);
  // The clock of this node, as receivers compare it with theirs.
  const headers = signatureHeaders(target, { id: turn.eventId, body, now: new Date() });
  return postJson({ url: target.url, body, headers, policy, onUnresolved, resolve, signal });
}

/**
 * Stores the result of an attempt: a success, the time of the next attempt, or a failure for good. Pauses a webhook
 * whose receiver fails for days. Tests are attempted once.
 * @returns whether the webhook was paused
 */
export async function recordAttempt(
  em: EntityManager,
  delivery: LeasedNotification,
  outcome: Outcome,
): Promise<boolean> {
  return em.transactional(async tx => {
    const turn = await findTurn(tx, delivery.id);
    // The webhook was deleted with its log.
    if (!turn) return false;
    const { kind, answer } = outcome;
    if (kind === "sent") {
      await endNotification(tx, delivery, "sent", answer);
      await markWorking(tx, turn.webhookId);
      return false;
    }
    if (delivery.kind === TEST_EVENT) {
      await endNotification(tx, delivery, "failed", answer);
      return false;
    }
    const retryAfterMs = kind === "retry" ? outcome.retryAfterMs : null;
    const ageMs = turn.now.getTime() - turn.startedAt.getTime();
    const waitMs = nextDeliveryMs({ attempts: delivery.attempts, ageMs, retryAfterMs }, Math.random());
    const failingForMs = await markFailing(tx, turn.webhookId);
    const because =
      failingForMs === null ? null : pauseReason(outcome, { isLast: waitMs === null, ageMs, failingForMs });
    const isEnded = waitMs === null || because !== null;
    if (isEnded)
      await endNotification(tx, delivery, "failed", WEBHOOK_TEXTS.gaveUp(delivery.attempts, answer));
    else await postponeNotification(tx, delivery, waitMs, answer);
    if (!because || !(await pauseFailing(tx, turn.webhookId, because))) return false;
    await dropWaiting(tx, turn.webhookId, WEBHOOK_TEXTS.paused);
    return true;
  });
}
