import type { ServiceBroker } from "moleculer";
import type { NatsConnection } from "nats";
import { type ContractRange, contractRange, NO_CONTRACTS } from "../contracts/contract-version.ts";

/** Kind of a core node's id. NATS doesn't let workers subscribe to subjects that end in such an id. */
const CORE_ID = /^core\.[\w-]{1,200}$/;
/** Not one of Moleculer's packets. */
const COMMAND = "CONTRACTS";
const PING = "PING";
/** Header of an uncompressed message on the bus. */
const UNCOMPRESSED = "\0";
/** A node that starts is busy, so it gets some time. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Returns whether this is the id of a core node, or of a node that claims to be one. */
export function isCoreId(nodeId: string): boolean {
  return CORE_ID.test(nodeId);
}

/** Answers questions about this core node's contracts. */
export function answerContracts(
  client: NatsConnection,
  prefix: string,
  nodeId: string,
  own: () => unknown,
): void {
  const subject = `${prefix}.${COMMAND}.${nodeId}`;
  client.subscribe(subject, {
    callback: (error, message) => {
      // A job can be requested with this subject for its reply. It is no question.
      if (!error && message.subject === subject) message.respond(JSON.stringify(own()));
    },
  });
}

/**
 * Asks a core node for its contracts. Anyone on the bus can announce contracts in its name, but only core nodes receive
 * this question, and workers can't publish to the inbox of its answer.
 * @returns null if no core node has this id
 */
export async function askContracts(
  client: NatsConnection,
  prefix: string,
  nodeId: string,
  asker: Pick<ServiceBroker, "PROTOCOL_VERSION" | "nodeID">,
): Promise<ContractRange | null> {
  if (!isCoreId(nodeId)) return null;
  const { data, hasReceiver } = await request(client, `${prefix}.${COMMAND}.${nodeId}`, "");
  if (data) return readContracts(data);
  if (hasReceiver) return null;
  // Version 0.2 and before don't know the question, but every node receives pings.
  const ping =
    UNCOMPRESSED + JSON.stringify({ ver: asker.PROTOCOL_VERSION, sender: asker.nodeID, time: 0, id: "" });
  return (await request(client, `${prefix}.${PING}.${nodeId}`, ping)).hasReceiver ? NO_CONTRACTS : null;
}

interface Answer {
  data: Uint8Array | null;
  hasReceiver: boolean;
}

async function request(client: NatsConnection, subject: string, text: string): Promise<Answer> {
  try {
    return {
      data: (await client.request(subject, text, { timeout: ANSWER_TIMEOUT_MS })).data,
      hasReceiver: true,
    };
  } catch (error) {
    // Codes of the client: 503 is "no responders".
    return { data: null, hasReceiver: error instanceof Error && "code" in error && error.code === "TIMEOUT" };
  }
}

function readContracts(data: Uint8Array): ContractRange {
  try {
    return contractRange.parse(JSON.parse(new TextDecoder().decode(data)));
  } catch {
    return NO_CONTRACTS;
  }
}
