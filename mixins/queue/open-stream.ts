import { setTimeout as delay } from "node:timers/promises";
import { type NatsConnection as Client, NatsError } from "nats";

const TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 2_500;
const PAUSE_MS = 50;
/** The name of no stream. Every stream rejects a message for it. */
const NO_STREAM = "vrs-none";

/**
 * Waits until a stream accepts messages. nats-server before 2.10 reports a stream that another node is
 * creating before it can send messages. A consumer created at that moment looks healthy, but its messages
 * reach no node until the server restarts.
 * @param subject a subject of the stream
 * @throws Error if it doesn't respond in time
 */
export async function waitForStream(client: Client, subject: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      const options = { expect: { streamName: NO_STREAM }, timeout: RESPONSE_TIMEOUT_MS };
      await client.jetstream().publish(subject, "", options);
      return;
    } catch (error) {
      // A rejection is a response too.
      if (error instanceof NatsError && error.api_error) return;
      if (Date.now() > deadline || client.isClosed()) throw error;
    }
    await delay(PAUSE_MS);
  }
}
