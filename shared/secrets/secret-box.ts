import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { SECRET_ERRORS } from "./texts.ts";

const CIPHER = "aes-256-gcm";
const FORMAT = "v1";
/** As NIST SP 800-38D recommends for GCM. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Enough to distinguish the few keys of an installation, and useless for guessing one. */
const KEY_ID_CHARS = 12;

/** The purpose of a secret. A text that was sealed for one purpose doesn't open for another. */
export type SecretPurpose =
  | "capture options"
  | "alert channels"
  | "alert receiver"
  | "link key"
  | "api key"
  | "platform token"
  | "project secret"
  | "project configuration"
  | "webhook"
  | "code host"
  | "project chat"
  | "project email"
  | "chat app"
  | "identity provider"
  | "sign-in token";

/** A stored secret that no key of this node opens. The message has the remedy. */
export class SecretKeyError extends Error {
  override name = "SecretKeyError";
}

/** Encrypts secrets for storage with AES-256-GCM. The first key encrypts, every key decrypts. */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, KeyObject>;
  readonly #first: string | undefined;

  /** @param keys keys of 32 bytes each. None on a node that stores no secrets */
  constructor(keys: readonly KeyObject[]) {
    this.#keys = new Map(keys.map(key => [keyIdOf(key), key]));
    this.#first = this.#keys.keys().next().value;
  }

  /** The prefix of every text that the first key sealed. @throws SecretKeyError on a node without keys */
  get currentPrefix(): string {
    if (this.#first === undefined) throw new SecretKeyError(SECRET_ERRORS.noKey);
    return `${FORMAT}.${this.#first}.`;
  }

  /** Encrypts a text with the first key. @throws SecretKeyError on a node without keys */
  seal(text: string, purpose: SecretPurpose): string {
    const prefix = this.currentPrefix;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#keyOf(prefix), nonce);
    cipher.setAAD(Buffer.from(`${prefix}${purpose}`));
    const parts = [nonce, cipher.update(text, "utf8"), cipher.final()];
    return prefix + Buffer.concat([...parts, cipher.getAuthTag()]).toString("base64");
  }

  /**
   * Decrypts a text of `seal`.
   * @throws SecretKeyError if no key of this node sealed it, or Error if it was changed or sealed for another
   * purpose
   */
  open(sealed: string, purpose: SecretPurpose): string {
    const prefix = prefixOf(sealed);
    const bytes = Buffer.from(sealed.slice(prefix.length), "base64");
    const decipher = createDecipheriv(CIPHER, this.#keyOf(prefix), bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(`${prefix}${purpose}`));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return (
      decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    );
  }

  #keyOf(prefix: string): KeyObject {
    const id = prefix.split(".")[1] ?? "";
    const key = this.#keys.get(id);
    if (key) return key;
    throw new SecretKeyError(SECRET_ERRORS.unknownKey(id));
  }
}

/** Returns an id that doesn't reveal the key: the start of its digest. */
function keyIdOf(key: KeyObject): string {
  return createHash("sha256").update("vrs key id").update(key.export()).digest("hex").slice(0, KEY_ID_CHARS);
}

function prefixOf(sealed: string): string {
  const prefix = /^v1\.[0-9a-f]{12}\./.exec(sealed)?.[0];
  if (prefix === undefined) throw new Error(SECRET_ERRORS.unknownFormat);
  return prefix;
}

const KEY_BYTES = 32;

/** The command that creates a key, for errors and docs. */
export const MAKE_KEY = "openssl rand -base64 32";

/** Reads a key of 32 bytes from base64, base64url or hex. Returns null for anything else. */
export function readSecretKey(text: string): KeyObject | null {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  if (!isHex && !/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, isHex ? "hex" : "base64");
  return bytes.length === KEY_BYTES ? createSecretKey(bytes) : null;
}
