import { setTimeout as delay } from "node:timers/promises";
import { type NatsConnection as Client, NatsError } from "nats";

const TIMEOUT_MS = 10_000;
const RESPONSE_TIMEOUT_MS = 2_500;
const PAUSE_MS = 50;
/** No stream's name: a message for it is refused by every other, and not kept. */
const NO_STREAM = "vrs-none";

/**
 * Waits until a stream answers who publishes to it. nats-server before 2.10 says of a stream that another node is
 * just making that it is there before it can send anything: a consumer made for it then looks well, and what it gives
 * out reaches nobody, until the server is restarted.
 *
 * @param subject one of the stream's
 * @throws Error when it does not answer in time
 */
export async function waitForStream(client: Client, subject: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      const options = { expect: { streamName: NO_STREAM }, timeout: RESPONSE_TIMEOUT_MS };
      await client.jetstream().publish(subject, "", options);
      return;
    } catch (error) {
      // That it refuses is an answer.
      if (error instanceof NatsError && error.api_error) return;
      if (Date.now() > deadline || client.isClosed()) throw error;
    }
    await delay(PAUSE_MS);
  }
}
