import { createSecretKey, type KeyObject } from "node:crypto";

const KEY_BYTES = 32;

/** The command that makes a key, for errors and docs. */
export const MAKE_KEY = "openssl rand -base64 32";

/** Reads a key of 32 bytes from base64, base64url or hex. Returns null for anything else. */
export function readSecretKey(text: string): KeyObject | null {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, isHex ? "hex" : "base64");
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : null;
}
