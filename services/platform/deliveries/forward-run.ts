import { randomUUID } from "node:crypto";
import { acquireLease, type LeaseResult } from "../../../shared/acquire-lease.ts";
import { ApiClient } from "../../../shared/api/api-client.ts";
import type { DeliveryAnswer } from "../../../shared/contracts/platform/delivery.ts";
import type { PlatformSettings } from "../../../shared/environment/platform-variables.ts";
import type { PlatformContext, Store } from "../platform-context.ts";
import { DELIVERY_REASONS, LOG_MESSAGES } from "../texts.ts";
import { finishDelivery, leaseDelivery, releaseDelivery } from "./delivery.store.ts";
import { describeFailure } from "./describe-api-failure.ts";
import type { RunRequest } from "./run-request.rule.ts";

/** Longer than the API needs, and shorter than the lease, so that a live node responds before its lease expires. */
const SUBMIT_TIMEOUT_MS = 8_000;

interface Forwarding {
  store: Store;
  api: NonNullable<PlatformSettings["api"]>;
  warn: PlatformContext["warn"];
}

/**
 * Submits a delivery's run to the Cloud API, once for concurrent equal deliveries. After a failure the delivery can be
 * repeated.
 * @param id the delivery's id; null if it has none
 * @returns null if an equal delivery was processed meanwhile
 */
export async function forwardRun(
  { store, api, warn }: Forwarding,
  { id, run }: { id: string | null; run: RunRequest },
): Promise<DeliveryAnswer | null> {
  const lease = randomUUID();
  const leased = id === null ? "mine" : await acquireLease(() => leaseInStore(store, id, lease));
  if (leased === "done") return null;
  if (leased === "others") return { status: 502, body: IN_PROGRESS };
  try {
    const runId = await submit(api, run);
    if (id !== null) await store.query(em => finishDelivery(em, id, lease), undefined);
    return { status: 200, body: { triggered: true, runId, previewUrl: run.body.url } };
  } catch (error) {
    if (id !== null) await store.query(em => releaseDelivery(em, id, lease), undefined);
    const failure = describeFailure(error, api.apiKey);
    // An error response is complete. Without one, the log needs the error itself.
    const unexpected = failure.status === null ? error : null;
    warn(unexpected, LOG_MESSAGES.runRejected(failure.status ?? "", failure.error));
    return { status: 502, body: failure };
  }
}

const IN_PROGRESS = {
  triggered: false,
  error: DELIVERY_REASONS.inProgress,
  status: null,
  code: "unavailable",
  requestId: null,
};

/** Leases the delivery. Without the database there is no lease, but the API recognizes repeats. */
async function leaseInStore(store: Store, id: string, lease: string): Promise<LeaseResult> {
  return await store.query(em => leaseDelivery(em, id, lease), "mine");
}

async function submit(api: Forwarding["api"], { body, idempotencyKey }: RunRequest): Promise<string> {
  const signal = AbortSignal.timeout(SUBMIT_TIMEOUT_MS);
  // The platform retries by itself, later than a client would.
  const client = new ApiClient({ ...api, lenient: true, attempts: 1, signal });
  const { id } = await client.submitRun(body, idempotencyKey ?? undefined);
  return id;
}
