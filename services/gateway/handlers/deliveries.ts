import type { IncomingMessage } from "node:http";
import { readRawBody } from "../http/read-input.ts";
import { LIMIT_ERRORS } from "../texts/errors.ts";
import { HeldBytes } from "./uploads/held-bytes.ts";

const MAX_BYTES = 128 * 1024 * 1024;

/** Receives webhook deliveries with bounded memory. Anyone can send them, and only the whole body shows who did. */
export class Deliveries {
  readonly #held: HeldBytes;

  constructor(maxBytes = MAX_BYTES) {
    this.#held = new HeldBytes(maxBytes, { busy: LIMIT_ERRORS.deliveries });
  }

  /**
   * Reads a delivery. Its bytes count until `use` is done.
   * @throws ServiceError payload_too_large; unavailable if the gateway holds too many bytes
   */
  async receive<T>(
    req: IncomingMessage,
    maxMebibytes: number | undefined,
    use: (body: Buffer) => Promise<T>,
  ): Promise<T> {
    const held = { teamId: "", bytes: 0 };
    try {
      return await use(await readRawBody(req, maxMebibytes, bytes => this.#held.add(held, bytes)));
    } finally {
      this.#held.free(held);
    }
  }
}
