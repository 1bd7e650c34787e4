import { createHash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { Actions } from "../../../shared/contracts/actions.ts";
import type { DrawnRequests, LimitName } from "../../../shared/contracts/limits.ts";
import { OPERATOR_MESSAGES } from "../texts/log.ts";
import type { Buckets } from "./request-buckets.ts";

const DRAW = "gateway.draw" satisfies keyof Actions;
/** Requests wait for a draw. A slower gateway is not worth the wait. */
const DRAW_TIMEOUT_MS = 1_000;
/** Longer than the bus takes to notice that a node is gone. */
const AVOID_MS = 15_000;

/**
 * Buckets that apply across all gateways on the bus. A hash of the key selects the gateway with its bucket, and
 * the others draw from there. If that gateway doesn't respond, each gateway counts alone for a while. A key's
 * bucket is full again when a gateway joins or leaves and moves it.
 */
export class SharedBuckets implements Buckets {
  readonly #broker: ServiceBroker;
  readonly #limit: LimitName;
  readonly #local: Buckets;
  /** Until when gateways that did not respond are avoided, by node. */
  readonly #avoided = new Map<string, number>();

  /** Creates shared buckets. @param local the buckets on this node */
  constructor(broker: ServiceBroker, limit: LimitName, local: Buckets) {
    this.#broker = broker;
    this.#limit = limit;
    this.#local = local;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const owner = ownerOf(key, this.#gateways());
    if (owner === null || owner === this.#broker.nodeID || this.#isAvoided(owner))
      return this.#local.draw(key);
    try {
      return await this.#drawFrom(owner, key);
    } catch (error) {
      this.#avoided.set(owner, Date.now() + AVOID_MS);
      this.#broker.logger.warn({ err: error }, OPERATOR_MESSAGES.noRateLimits(owner));
      return this.#local.draw(key);
    }
  }

  #drawFrom(nodeID: string, key: string): Promise<DrawnRequests> {
    const params: Actions[typeof DRAW]["params"] = { limit: this.#limit, key };
    return this.#broker.call(DRAW, params, { nodeID, timeout: DRAW_TIMEOUT_MS, retries: 0 });
  }

  #gateways(): string[] {
    const { endpoints = [] } = this.#broker.registry.actions.get(DRAW) ?? {};
    return endpoints.filter(({ node }) => node.available).map(({ node }) => node.id);
  }

  #isAvoided(nodeID: string): boolean {
    const untilMs = this.#avoided.get(nodeID);
    if (untilMs === undefined) return false;
    if (untilMs > Date.now()) return true;
    this.#avoided.delete(nodeID);
    return false;
  }
}

/**
 * Returns the node with a key's bucket, the same on each node. Null without nodes. With rendezvous hashing, a node
 * that joins or leaves moves only its own keys.
 */
export function ownerOf(key: string, nodes: readonly string[]): string | null {
  let best: { node: string; weight: string } | null = null;
  for (const node of nodes) {
    const weight = createHash("sha256").update(`${node} ${key}`).digest("hex");
    if (best === null || weight > best.weight) best = { node, weight };
  }
  return best?.node ?? null;
}
