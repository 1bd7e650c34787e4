import { createHmac } from "node:crypto";

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PERIOD_S = 30;
const DIGITS = 6;
/** Far more secrets than a process uses at a time. */
const MAX_SECRETS = 1_000;

/** The last period whose code this process used, by secret. Servers accept each code once. */
const usedPeriods = new Map<string, number>();
/** When the last login that uses codes of a secret has ended. */
const turns = new Map<string, Promise<void>>();

/** A code that no other login of this process gets. */
export interface OneTimeCode {
  code: string;
  /** Makes the code available again, because no page has seen it. */
  giveBack(): void;
}

/**
 * Returns the time-based one-time code of a secret (RFC 6238: SHA-1, 6 digits, 30 seconds).
 * @param secret base32, as applications show it, or an otpauth: URI
 */
export function codeAt(secret: string, nowMs: number): string {
  return codeOf(secret, periodOf(nowMs));
}

/** Returns the next unused code of a secret. It waits for the next period if necessary. */
export async function nextCode(secret: string, signal?: AbortSignal): Promise<OneTimeCode> {
  const period = unusedPeriod(secret);
  if (usedPeriods.size >= MAX_SECRETS) usedPeriods.clear();
  usedPeriods.set(secret, period);
  const giveBack = () => {
    if (usedPeriods.get(secret) === period) usedPeriods.set(secret, period - 1);
  };
  await untilPeriod(period, signal).catch((error: unknown) => {
    giveBack();
    throw error;
  });
  return { code: codeOf(secret, period), giveBack };
}

/**
 * Runs work that uses codes of these secrets, one after another. Each starts when the current codes are unused. So a
 * login waits for its code before it needs a browser.
 * @throws the signal's reason, if it aborts before the work starts
 */
export async function withUnusedCodes<T>(
  secrets: readonly string[],
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  // The same order everywhere, so that no two wait for each other.
  const [secret, ...rest] = [...new Set(secrets)].sort();
  if (secret === undefined) return await work();
  const turn = Promise.withResolvers<void>();
  const before = turns.get(secret);
  const own = (before ?? Promise.resolve()).then(() => turn.promise);
  turns.set(secret, own);
  try {
    if (before) await unlessAborted(before, signal);
    await untilPeriod(unusedPeriod(secret), signal);
    return await withUnusedCodes(rest, work, signal);
  } finally {
    turn.resolve();
    // After an abort, the turn before may still last.
    void own.then(() => {
      if (turns.get(secret) === own) turns.delete(secret);
    });
  }
}

function unusedPeriod(secret: string): number {
  return Math.max(periodOf(Date.now()), (usedPeriods.get(secret) ?? -1) + 1);
}

async function untilPeriod(period: number, signal?: AbortSignal): Promise<void> {
  const waitMs = period * PERIOD_S * 1000 - Date.now();
  if (waitMs <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, waitMs);
  await unlessAborted(promise, signal).finally(() => clearTimeout(timer));
}

async function unlessAborted(work: Promise<void>, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  await Promise.race([work, aborted.promise]).finally(() => signal?.removeEventListener("abort", onAbort));
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
