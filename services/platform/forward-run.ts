import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { ApiClient } from "../../shared/api-client.ts";
import type { DeliveryAnswer } from "../../shared/contracts/delivery.ts";
import type { PlatformSettings } from "../../shared/platform-variables.ts";
import { describeFault } from "./api-fault.ts";
import { type Claimed, claimDelivery, finishDelivery, releaseDelivery } from "./delivery.store.ts";
import type { PlatformNode, Store } from "./platform-node.ts";
import type { RunRequest } from "./run-request.ts";

/** The API accepts a run in much less. */
const FORWARDED_WITHIN_MS = 8_000;
/** Longer than that: who has claimed a delivery and is still alive has answered it by then. */
const LEASE_MS = 13_000;
/** An equal delivery waits for what becomes of the first, a dead one's too; with its own turn, less than the bus waits. */
const WAITS_MS = 15_000;
const LOOK_EVERY_MS = 150;

interface Forwarding {
  store: Store;
  api: NonNullable<PlatformSettings["api"]>;
  warn: PlatformNode["warn"];
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
  const claimed = id === null ? "mine" : await claimInTurn(store, id, claim);
  if (claimed === "done") return null;
  if (claimed === "others") return { status: 502, body: STILL_UNDER_WAY };
  try {
    const runId = await submit(api, run);
    if (id !== null) await store.ask(em => finishDelivery(em, id, claim), undefined);
    return { status: 200, body: { triggered: true, runId, previewUrl: run.body.url } };
  } catch (error) {
    if (id !== null) await store.ask(em => releaseDelivery(em, id, claim), undefined);
    const fault = describeFault(error, api.apiKey);
    // An answer says all there is to say; where there was none, or none of its kind, the error itself may.
    const unexpected = fault.status === null ? error : null;
    warn(unexpected, `The Cloud API did not take a preview's run: ${fault.status ?? ""} ${fault.error}`);
    return { status: 502, body: fault };
  }
}

const STILL_UNDER_WAY = {
  triggered: false,
  error: "An equal delivery is still being processed",
  status: null,
  code: "unavailable",
  requestId: null,
};

/** Claims a delivery, or waits until it is clear what became of the one that did. */
async function claimInTurn(store: Store, id: string, claim: string): Promise<Claimed> {
  const until = Date.now() + WAITS_MS;
  for (;;) {
    // Without a store nothing is claimed; the API itself knows a repeat.
    const claimed = await store.ask(em => claimDelivery(em, id, { claim, leaseMs: LEASE_MS }), "mine");
    if (claimed !== "others" || Date.now() >= until) return claimed;
    await delay(LOOK_EVERY_MS);
  }
}

async function submit(api: Forwarding["api"], { body, idempotencyKey }: RunRequest): Promise<string> {
  // The platform tries again by itself, and later than a client of ours would.
  const client = new ApiClient({ ...api, attempts: 1, signal: AbortSignal.timeout(FORWARDED_WITHIN_MS) });
  const { id } = await client.submitRun(body, idempotencyKey ?? undefined);
  return id;
}
