import type { Middleware, ServiceBroker } from "moleculer";
import { z } from "zod";
import {
  areCompatible,
  CONTRACTS,
  type ContractRange,
  contractRange,
  NO_CONTRACTS,
} from "../contracts/contract-version.ts";
import { NatsTransporter } from "./nats-transporter.ts";
import { isCoreId } from "./proven-contracts.ts";
import { LOG_MESSAGES } from "./texts.ts";

const INFO_PACKET = "INFO";
/** Nodes that one node reports. More would fill its log. */
const MAX_REPORTED = 20;
const MAX_ID_LENGTH = 250;
/** Questions to other nodes at the same time. A forger could make a node ask without end. */
const MAX_QUESTIONS = 20;

const announcement = z.looseObject({
  sender: z.string(),
  metadata: z
    .looseObject({ contracts: contractRange.catch(NO_CONTRACTS) })
    .catch({ contracts: NO_CONTRACTS }),
});

/**
 * Middleware that keeps nodes apart whose message contracts differ too much. A node that finds such a core node while
 * it starts doesn't start its services, so it migrates no database and takes no job. A running node ignores a newcomer.
 *
 * Workers can announce anything, also in the name of a core node. So a core node asks the node itself before it
 * refuses to start, and no worker's contracts count. Workers can't ask, and believe what is announced.
 * @param own what this node reads and announces
 */
export function contractVersions(own = CONTRACTS): Middleware {
  const judge = new ContractJudge(own);
  const hooks: object = {
    name: "ContractVersions",
    created(broker: ServiceBroker) {
      judge.broker = broker;
      broker.metadata.contracts = own;
    },
    transitMessageHandler: (next: Handler): Handler => {
      return async (command, packet) =>
        command === INFO_PACKET && !judge.accepts(packet.payload) ? false : next(command, packet);
    },
    // The bus is connected by now, and the other nodes have announced themselves.
    serviceStarting: () => judge.allowStart(),
  };
  // biome-ignore lint/plugin: Moleculer's types take the hook's result for the handler's.
  return hooks as Middleware;
}

type Handler = (command: string, packet: { payload?: unknown }) => Promise<boolean>;

/** What a node makes of the contracts of others. */
class ContractJudge {
  broker: ServiceBroker | null = null;
  readonly #own: ContractRange;
  readonly #reported = new Set<string>();
  readonly #questions = new Map<string, Promise<void>>();
  #refusal: string | null = null;

  constructor(own: ContractRange) {
    this.#own = own;
  }

  /** Returns whether this node works with the sender of an announcement. */
  accepts(payload: unknown): boolean {
    const parsed = announcement.safeParse(payload);
    // Other middlewares reject it.
    if (!parsed.success) return true;
    const { sender, metadata } = parsed.data;
    if (sender === this.broker?.nodeID || areCompatible(this.#own, metadata.contracts)) return true;
    if (!isCoreId(sender))
      this.#report(
        sender,
        LOG_MESSAGES.incompatibleWorker(sender, metadata.contracts.version, this.#own.version),
      );
    else if (!isCoreId(this.broker?.nodeID ?? "")) this.#oppose(sender, metadata.contracts);
    else this.#ask(sender);
    return false;
  }

  /** @throws Error if a core node with incompatible contracts is running */
  async allowStart(): Promise<void> {
    await Promise.all(this.#questions.values());
    if (this.#refusal !== null) throw new Error(this.#refusal);
  }

  /** Asks the node itself for its contracts. */
  #ask(nodeId: string): void {
    const { broker } = this;
    const bus = broker?.transit?.tx;
    if (!(bus instanceof NatsTransporter) || this.#questions.has(nodeId)) return;
    if (this.#questions.size >= MAX_QUESTIONS || this.#reported.has(nodeId)) return;
    const question = bus.askContracts(nodeId).then(contracts => {
      this.#questions.delete(nodeId);
      if (contracts === null) this.#report(nodeId, LOG_MESSAGES.forgedContracts(nodeId));
      else if (!areCompatible(this.#own, contracts)) this.#oppose(nodeId, contracts);
    });
    this.#questions.set(nodeId, question);
  }

  /** Doesn't start beside this node, or reports it if this node runs already. */
  #oppose(nodeId: string, { version }: ContractRange): void {
    const message = LOG_MESSAGES.incompatible(nodeId, version, this.#own.version);
    if (this.broker?.started !== true) this.#refusal ??= message;
    else this.#report(nodeId, message);
  }

  #report(nodeId: string, message: string): void {
    // Workers choose what they call themselves.
    if (nodeId.length > MAX_ID_LENGTH || this.#reported.has(nodeId) || this.#reported.size >= MAX_REPORTED)
      return;
    this.#reported.add(nodeId);
    this.broker?.logger.error(message);
  }
}
