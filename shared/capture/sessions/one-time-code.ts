import { createHmac } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PERIOD_S = 30;
const DIGITS = 6;
/** Far more secrets than a process uses at a time. */
const MAX_SECRETS = 1_000;

/** The last period in which this process used a code, by secret. Servers accept each code once. */
const lastPeriods = new Map<string, number>();

/**
 * Returns the time-based one-time code of a secret (RFC 6238: SHA-1, 6 digits, 30 seconds).
 * @param secret base32, as applications show it, or an otpauth: URI
 */
export function codeAt(secret: string, nowMs: number): string {
  return codeOf(secret, periodOf(nowMs));
}

/** Returns the next code of a secret that this process has not used. It waits for the next period if necessary. */
export async function nextCode(secret: string, signal?: AbortSignal): Promise<string> {
  const period = Math.max(periodOf(Date.now()), (lastPeriods.get(secret) ?? -1) + 1);
  if (lastPeriods.size >= MAX_SECRETS) lastPeriods.clear();
  lastPeriods.set(secret, period);
  await delay(Math.max(0, period * PERIOD_S * 1000 - Date.now()), undefined, { signal });
  return codeOf(secret, period);
}

function periodOf(nowMs: number): number {
  return Math.floor(nowMs / 1000 / PERIOD_S);
}

function codeOf(secret: string, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const digest = createHmac("sha1", decodeBase32(secretOf(secret)))
    .update(counter)
    .digest();
  // Dynamic truncation (RFC 4226, section 5.3).
  const at = (digest.at(-1) ?? 0) & 15;
  const number = (digest.readUInt32BE(at) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, "0");
}

function secretOf(secret: string): string {
  if (!secret.startsWith("otpauth:")) return secret;
  return URL.parse(secret)?.searchParams.get("secret") ?? "";
}

/** Ignores spaces, hyphens, padding and case, which applications show differently. */
function decodeBase32(text: string): Buffer {
  const bytes: number[] = [];
  let bits = 0;
  let value = 0;
  for (const character of text.toUpperCase()) {
    const digit = BASE32.indexOf(character);
    if (digit < 0) continue;
    value = ((value << 5) | digit) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >>> bits) & 0xff);
  }
  return Buffer.from(bytes);
}
