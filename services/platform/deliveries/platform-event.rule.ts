import { z } from "zod";

/** An event of the deployment platform, as far as anything here depends on it. What it does not have is null. */
export interface PlatformEvent {
  /** The delivery's; a repeat has the same. */
  id: string | null;
  type: string | null;
  deployment: {
    id: string | null;
    url: string | null;
    /** As it came: anything but null is no preview. */
    target: unknown;
    meta: Record<string, unknown>;
  };
  /** What the platform calls the project. */
  projectName: string | null;
  projectId: string | null;
  /** The team's id, or of an account without teams its person's. */
  ownerId: string | null;
  /** Of the installation that the event is about. */
  configurationId: string | null;
}

/** What is not as it should be counts as absent: a platform adds and changes fields, and its event still stands. */
const text = z.string().min(1).nullable().catch(null).default(null);
/** Printable, so that the database can keep it. */
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

/** Of a delivery, of any characters. A number so large that others are read as the same one tells it from none. */
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

/** Reads a delivery's bytes; null when they are no JSON object in UTF-8. */
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
