import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";

/** The parts of a platform's event that are used here. A missing part is null. */
export interface PlatformEvent {
  /** The delivery's id. A repeat has the same. */
  id: string | null;
  type: string | null;
  deployment: {
    id: string | null;
    url: string | null;
    /** The raw value. Any value but null means that it is no preview. */
    target: unknown;
    meta: Record<string, unknown>;
  };
  /** The platform's name of the project. */
  projectName: string | null;
  projectId: string | null;
  /** The team's id, or the user's id for an account without teams. */
  ownerId: string | null;
  /** The installation of the event. */
  configurationId: string | null;
}

/** Invalid values count as missing, because platforms add and change fields. */
const text = z.string().min(1).nullable().catch(null).default(null);
/** Printable, so that the database accepts it. */
const id = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^[\x21-\x7e]{1,200}$/))
  .nullable()
  .catch(null)
  .default(null);
const named = z.looseObject({ id }).catch({ id: null }).default({ id: null });
const meta = z
  .custom<Record<string, unknown>>(value => typeof value === "object" && value !== null)
  .catch({})
  .default({});

const NO_DEPLOYMENT = { id: null, url: null, name: null, target: null, meta: {} };
const deployment = z
  .object({ id, url: text, name: text, target: z.unknown().default(null), meta })
  .catch(NO_DEPLOYMENT)
  .default(NO_DEPLOYMENT);

const payload = z.object({
  deployment,
  name: text,
  project: named,
  projectId: id,
  team: named,
  teamId: id,
  user: named,
  userId: id,
  configuration: named,
  configurationId: id,
});
const NO_PAYLOAD = payload.parse({});

/**
 * The id of a delivery, with any characters. Unsafe integers are rejected, because several would be read as the same
 * one.
 */
const deliveryId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().min(1).max(1000))
  .nullable()
  .catch(null)
  .default(null);

const body = z.object({
  id: deliveryId,
  type: text,
  payload: payload.catch(NO_PAYLOAD).default(NO_PAYLOAD),
});

/** Parses a delivery's bytes. Returns null if they are not a JSON object in UTF-8. */
export function readEvent(bytes: Buffer): PlatformEvent | null {
  const read = body.safeParse(parseJson(bytes));
  if (!read.success) return null;
  const { id, type, payload } = read.data;
  const { name, ...deployment } = payload.deployment;
  return {
    id,
    type,
    deployment,
    projectName: payload.name ?? name,
    projectId: payload.project.id ?? payload.projectId,
    ownerId: payload.team.id ?? payload.teamId ?? payload.user.id ?? payload.userId,
    configurationId: payload.configuration.id ?? payload.configurationId,
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}

const HEX_SHA1 = /^[0-9a-f]{40}$/i;

/** Returns whether the signature is the HMAC-SHA1 of these bytes, in constant time. */
export function isSigned(bytes: Buffer, signature: string | undefined, secret: string): boolean {
  if (signature === undefined || !HEX_SHA1.test(signature)) return false;
  const expected = createHmac("sha1", secret).update(bytes).digest();
  return timingSafeEqual(expected, Buffer.from(signature, "hex"));
}
