import { hash, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 characters out of 62 are 190 bits. */
const LENGTH = 32;

/** Creates an API key, `vrs_…`. */
export function makeKey(): string {
  return `vrs_${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")}`;
}

/** Returns the hash of a key: its SHA-256 in hex. Keys are stored, sent between nodes, and found by it. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}
