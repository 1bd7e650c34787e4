import { createHash } from "node:crypto";
import type { ServiceBroker } from "moleculer";
import type { Actions } from "../../../shared/contracts/actions.ts";
import type { DrawnRequests, LimitName } from "../../../shared/contracts/limits.ts";
import { OPERATOR_MESSAGES } from "../texts.ts";
import type { Buckets } from "./request-buckets.ts";

const DRAW = "gateway.draw" satisfies keyof Actions;
/** A request waits for it: a gateway that does not answer by then is not worth the wait. */
const ANSWERS_WITHIN_MS = 1_000;
/** Longer than the bus takes to notice that a node is gone. */
const AVOIDED_MS = 15_000;

/**
 * Buckets that hold over all gateways on the bus: each key's bucket is on one of them, which a hash of the key names,
 * and the others draw from it. Where that gateway does not answer, each counts for itself meanwhile. The bucket of a
 * key is full again when a gateway that comes or goes changes where it is.
 */
export class SharedBuckets implements Buckets {
  readonly #broker: ServiceBroker;
  readonly #limit: LimitName;
  readonly #local: Buckets;
  /** Until when gateways that did not answer are left alone, by node. */
  readonly #avoided = new Map<string, number>();

  /** @param local the buckets on this node */
  constructor(broker: ServiceBroker, limit: LimitName, local: Buckets) {
    this.#broker = broker;
    this.#limit = limit;
    this.#local = local;
  }

  async draw(key: string): Promise<DrawnRequests> {
    const keeper = keeperOf(key, this.#gateways());
    if (keeper === null || keeper === this.#broker.nodeID || this.#isAvoided(keeper))
      return this.#local.draw(key);
    try {
      return await this.#ask(keeper, key);
    } catch (error) {
      this.#avoided.set(keeper, Date.now() + AVOIDED_MS);
      this.#broker.logger.warn({ err: error }, OPERATOR_MESSAGES.noRateLimits(keeper));
      return this.#local.draw(key);
    }
  }

  #ask(nodeID: string, key: string): Promise<DrawnRequests> {
    const params: Actions[typeof DRAW]["params"] = { limit: this.#limit, key };
    return this.#broker.call(DRAW, params, { nodeID, timeout: ANSWERS_WITHIN_MS, retries: 0 });
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
 * The node that keeps a key's bucket, the same wherever it is asked for; null among none. Rendezvous hashing: a node
 * that comes or goes moves no keys but its own.
 */
export function keeperOf(key: string, nodes: readonly string[]): string | null {
  let best: { node: string; weight: string } | null = null;
  for (const node of nodes) {
    const weight = createHash("sha256").update(`${node} ${key}`).digest("hex");
    if (best === null || weight > best.weight) best = { node, weight };
  }
  return best?.node ?? null;
}
