import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { Middleware } from "moleculer";

const PLAIN = 0;
const DEFLATED = 1;
/** Compressing smaller messages costs more than it saves. */
const DEFLATE_FROM_BYTES = 16_384;
/** No real message is near this. A worker's message of 1 MB could otherwise inflate to 1 GB. */
const INFLATED_MAX_BYTES = 64 * 1_048_576;

const compress = promisify(deflate);
const decompress = promisify(inflate);

type Send = (topic: string, data: Buffer, meta: object) => Promise<void>;
type Receive = (command: string, data: Buffer) => Promise<void>;

/**
 * Middleware that compresses large messages on the bus, in the format of Moleculer's own. That one has no limit, and
 * throws at an empty message, which ends the connection.
 */
export function busCompression(): Middleware {
  const hooks: object = {
    transporterSend: (next: Send): Send => {
      return async (topic, data, meta) => {
        const isSmall = data.length < DEFLATE_FROM_BYTES;
        const body = isSmall ? data : await compress(data);
        return next(topic, Buffer.concat([Buffer.of(isSmall ? PLAIN : DEFLATED), body]), meta);
      };
    },
    transporterReceive: (next: Receive): Receive => {
      return async (command, data) => {
        const body = data.subarray(1);
        if (data[0] === PLAIN) return next(command, body);
        if (data[0] === DEFLATED)
          return next(command, await decompress(body, { maxOutputLength: INFLATED_MAX_BYTES }));
      };
    },
  };
  // biome-ignore lint/plugin: Moleculer's types take the hook's result for the handler's.
  return { name: "BusCompression", ...hooks } as Middleware;
}
