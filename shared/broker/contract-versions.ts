import type { Middleware, ServiceBroker } from "moleculer";
import { z } from "zod";
import { areCompatible, CONTRACTS, contractRange, NO_CONTRACTS } from "../contracts/contract-version.ts";
import { LOG_MESSAGES } from "./texts.ts";

const INFO_PACKET = "INFO";
/** Nodes that one node reports. More would fill its log. */
const MAX_REPORTED = 20;

const announcement = z.looseObject({
  sender: z.string(),
  metadata: z
    .looseObject({ contracts: contractRange.catch(NO_CONTRACTS) })
    .catch({ contracts: NO_CONTRACTS }),
});

/**
 * Middleware that keeps nodes apart whose message contracts differ too much. A node that finds such a node while it
 * starts doesn't start its services, so it migrates no database and takes no job. A running node ignores a newcomer.
 * @param own what this node reads and announces
 */
export function contractVersions(own = CONTRACTS): Middleware {
  const reported = new Set<string>();
  let broker: ServiceBroker | null = null;
  let refusal: string | null = null;

  const check = (payload: unknown): boolean => {
    const parsed = announcement.safeParse(payload);
    // Other middlewares reject it.
    if (!parsed.success) return true;
    const { sender, metadata } = parsed.data;
    if (sender === broker?.nodeID || areCompatible(own, metadata.contracts)) return true;
    const message = LOG_MESSAGES.incompatible(sender, metadata.contracts.version, own.version);
    if (broker?.started !== true) refusal ??= message;
    else if (!reported.has(sender) && reported.size < MAX_REPORTED) {
      reported.add(sender);
      broker.logger.error(message);
    }
    return false;
  };

  const hooks: object = {
    name: "ContractVersions",
    created(made: ServiceBroker) {
      broker = made;
      made.metadata.contracts = own;
    },
    transitMessageHandler: (next: Handler): Handler => {
      return async (command, packet) =>
        command === INFO_PACKET && !check(packet.payload) ? false : next(command, packet);
    },
    // The bus is connected by now, and the other nodes have announced themselves.
    async serviceStarting() {
      if (refusal !== null) throw new Error(refusal);
    },
  };
  // biome-ignore lint/plugin: Moleculer's types take the hook's result for the handler's.
  return hooks as Middleware;
}

type Handler = (command: string, packet: { payload?: unknown }) => Promise<boolean>;
