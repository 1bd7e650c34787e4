import { createHmac, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const KEY_BYTES = 32;
const SALT_BYTES = 16;

const derive = promisify<string, Buffer, number, Buffer>(scrypt);

/** Returns what is stored of a password: the salt and the derived key. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  return `${salt.toString("base64url")}.${(await derive(password, salt, KEY_BYTES)).toString("base64url")}`;
}

/** Returns whether a password is the stored one. */
export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = "", key = ""] = stored.split(".");
  const derived = await derive(password, Buffer.from(salt, "base64url"), KEY_BYTES);
  const expected = Buffer.from(key, "base64url");
  return derived.length === expected.length && timingSafeEqual(derived, expected);
}

/** Returns the proof that a reader knew the password. It ends with the password, and opens no other page. */
export function ticketOf(id: string, stored: string): string {
  return createHmac("sha256", stored).update(`status page ${id}`).digest("base64url");
}

/** Returns whether a ticket is the one of a page. */
export function isTicket(ticket: string, id: string, stored: string): boolean {
  const [given, expected] = [Buffer.from(ticket), Buffer.from(ticketOf(id, stored))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}
