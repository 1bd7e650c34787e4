import type { TunnelAnswer, TunnelRequest } from "../../shared/contracts/runs/tunnels.ts";
import { parseJson } from "../../shared/json.ts";

const LINE_FEED = 0x0a;

/** Encodes a message: a line of JSON, then its bytes as they are. */
export function encodeParts(message: TunnelRequest | TunnelAnswer): Buffer {
  const { data, ...head } = { data: undefined, ...message };
  return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...(data ? [data] : [])]);
}

/** Decodes a message. Returns null for what is none. Its fields are unchecked. */
export function decodeParts(message: Uint8Array): object | null {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const end = bytes.indexOf(LINE_FEED);
  const head = end < 0 ? null : parseJson(bytes.toString("utf8", 0, end));
  if (typeof head !== "object" || head === null) return null;
  return { ...head, data: bytes.subarray(end + 1) };
}
