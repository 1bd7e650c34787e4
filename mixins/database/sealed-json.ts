import { JsonType, type Platform, type TransformContext } from "@mikro-orm/core";
import type { SecretBox, SecretPurpose } from "../../shared/secrets/secret-box.ts";
import { SECRET_MESSAGES } from "../texts.ts";
import type { EntityManager } from "./open-schema.ts";

/** Marks a JSON value as encrypted. Values stored before encryption lack it and are read as they are. */
export const SEALED = "$sealed";

const boxes = new WeakMap<object, SecretBox>();
/** Every box of this process, to compare two values of the same ORM. */
const everyBox = new Set<SecretBox>();

/** Attaches the keys of sealed columns to an ORM. */
export function bindSecrets(platform: object, box: SecretBox): void {
  boxes.set(platform, box);
  everyBox.add(box);
}

/** Returns the box of a unit of work. @throws Error if its ORM was opened without one */
export function secretsOf(em: EntityManager): SecretBox {
  return boxOf(em.getPlatform());
}

/**
 * Declares a property that is encrypted in the database: `p.type(sealedJson("alert channels")).$type<…>()`.
 * @param field the only field of the object to encrypt. By default, the whole value is encrypted
 */
export function sealedJson(purpose: SecretPurpose, field: string | null = null): SealedJson {
  return new SealedJson(purpose, field);
}

class SealedJson extends JsonType {
  // MikroORM copies types without their # fields.
  private readonly purpose: SecretPurpose;
  private readonly field: string | null;

  constructor(purpose: SecretPurpose, field: string | null) {
    super();
    this.purpose = purpose;
    this.field = field;
  }

  override convertToDatabaseValue(
    value: unknown,
    platform: Platform,
    context?: TransformContext,
  ): string | null {
    const seal = (secret: unknown) => sealJson(boxOf(platform), secret, this.purpose);
    return super.convertToDatabaseValue(
      value === undefined ? null : this.change(value, seal),
      platform,
      context,
    );
  }

  override convertToJSValue(value: unknown, platform: Platform): unknown {
    return this.open(boxOf(platform), value);
  }

  /** Compares the contents, because two encryptions of one value differ. */
  override compareValues(a: unknown, b: unknown): boolean {
    return a === b || this.plain(a) === this.plain(b);
  }

  private plain(value: unknown): string {
    const json = parsed(value);
    for (const box of everyBox) {
      try {
        return JSON.stringify(this.open(box, json));
      } catch {
        // The keys belong to another ORM.
      }
    }
    return JSON.stringify(json);
  }

  private open(box: SecretBox, value: unknown): unknown {
    return this.change(parsed(value), secret => openJson(box, secret, this.purpose));
  }

  private change(value: unknown, change: (secret: unknown) => unknown): unknown {
    const field = this.field;
    if (field === null) return change(value);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, own]) => [name, name === field ? change(own) : own]),
    );
  }
}

/** Encrypts a JSON value. An empty object or null holds no secret and stays readable for SQL. */
export function sealJson(box: SecretBox, value: unknown, purpose: SecretPurpose): unknown {
  if (value === null || (typeof value === "object" && Object.keys(value).length === 0)) return value;
  return { [SEALED]: box.seal(JSON.stringify(value), purpose) };
}

/** Decrypts a value of `sealJson`. Returns a value that was never sealed unchanged. @throws SecretKeyError */
export function openJson<T>(box: SecretBox, value: T, purpose: SecretPurpose): T {
  if (typeof value !== "object" || value === null || !(SEALED in value)) return value;
  const opened: T = JSON.parse(box.open(String(value[SEALED]), purpose));
  return opened;
}

function parsed(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

function boxOf(platform: object): SecretBox {
  const box = boxes.get(platform);
  if (!box) throw new Error(SECRET_MESSAGES.noKeys);
  return box;
}
