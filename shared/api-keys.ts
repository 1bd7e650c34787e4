import { hash, randomInt } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 32 characters of 62 are 190 bits. */
const LENGTH = 32;

/** A new API key, `vrs_…`. */
export function makeKey(): string {
  return `vrs_${Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("")}`;
}

/** The form in which a key is stored, sent between nodes and looked up: its SHA-256, hex. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}
