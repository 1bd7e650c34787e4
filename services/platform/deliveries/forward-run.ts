import { randomUUID } from "node:crypto";
import { acquireLease, type Claimed } from "../../../shared/acquire-lease.ts";
import { ApiClient } from "../../../shared/api-client.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PlatformSettings } from "../../../shared/environment/platform-variables.ts";
import type { PlatformContext, Store } from "../platform-context.ts";
import { DELIVERY_REASONS, LOG_MESSAGES } from "../texts.ts";
import { claimDelivery, finishDelivery, releaseDelivery } from "./delivery.store.ts";
import { describeFailure } from "./describe-api-failure.ts";
import type { RunRequest } from "./run-request.rule.ts";

/** The API accepts a run in much less. Shorter than the lease: who is still alive has answered its delivery by then. */
const FORWARDED_WITHIN_MS = 8_000;

interface Forwarding {
  store: Store;
  api: NonNullable<PlatformSettings["api"]>;
  warn: PlatformContext["warn"];
}

/**
 * Asks the Cloud API for a delivery's run, once for however many equal deliveries come at the same moment. One that
 * failed leaves nothing, so that it may come again.
 * @param id the delivery's; null for one that cannot be told from others
 * @returns null when an equal one was processed meanwhile
 */
export async function forwardRun(
  { store, api, warn }: Forwarding,
  { id, run }: { id: string | null; run: RunRequest },
): Promise<DeliveryAnswer | null> {
  const claim = randomUUID();
  const claimed = id === null ? "mine" : await acquireLease(() => claimOf(store, id, claim));
  if (claimed === "done") return null;
  if (claimed === "others") return { status: 502, body: STILL_UNDER_WAY };
  try {
    const runId = await submit(api, run);
    if (id !== null) await store.ask(em => finishDelivery(em, id, claim), undefined);
    return { status: 200, body: { triggered: true, runId, previewUrl: run.body.url } };
  } catch (error) {
    if (id !== null) await store.ask(em => releaseDelivery(em, id, claim), undefined);
    const fault = describeFailure(error, api.apiKey);
    // An answer says all there is to say; where there was none, or none of its kind, the error itself may.
    const unexpected = fault.status === null ? error : null;
    warn(unexpected, LOG_MESSAGES.runRejected(fault.status ?? "", fault.error));
    return { status: 502, body: fault };
  }
}

const STILL_UNDER_WAY = {
  triggered: false,
  error: DELIVERY_REASONS.inProgress,
  status: null,
  code: "unavailable",
  requestId: null,
};

/** Without a store nothing is claimed; the API itself knows a repeat. */
async function claimOf(store: Store, id: string, claim: string): Promise<Claimed> {
  return await store.ask(em => claimDelivery(em, id, claim), "mine");
}

async function submit(api: Forwarding["api"], { body, idempotencyKey }: RunRequest): Promise<string> {
  const signal = AbortSignal.timeout(FORWARDED_WITHIN_MS);
  // The platform tries again by itself, and later than a client of ours would.
  const client = new ApiClient({ ...api, lenient: true, attempts: 1, signal });
  const { id } = await client.submitRun(body, idempotencyKey ?? undefined);
  return id;
}
