import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Middleware } from "moleculer";
import { z } from "zod";

/**
 * Services that load and decode untrusted data. A node with only these is a worker, with fewer permissions at
 * NATS.
 */
const WORKER_SERVICES: readonly string[] = ["renderer", "differ"];
/** The only event that workers receive. */
const WORKER_EVENT = "run.canceled";
const INFO_PACKET = "INFO";

const announcement = z.looseObject({ sender: z.string(), services: z.array(z.unknown()) });
const offer = z.looseObject({
  name: z.string(),
  fullName: z.string().optional(),
  actions: z.record(z.string(), z.looseObject({ name: z.string() })).default({}),
  events: z.record(z.string(), z.looseObject({ name: z.string(), group: z.string().nullish() })).default({}),
});

/** Returns whether a node with these services is a worker. */
export function isWorker(services: readonly string[]): boolean {
  return services.every(name => WORKER_SERVICES.includes(name));
}

/**
 * Returns a node's id on the bus, `core.…` or `worker.user.…`. NATS grants permissions by it. Two processes
 * never share one, because containers on one host may share its name and process numbers.
 * @param user the worker's NATS user, which keeps its messages from other workers
 */
export function nodeIdFor(
  services: readonly string[],
  user: string | null = null,
  host = hostname(),
): string {
  const worker = user === null ? "worker" : `worker.${user}`;
  const kind = isWorker(services) ? worker : "core";
  // A dot would start another token of a subject.
  const hostToken = host.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return `${kind}.${hostToken}-${process.pid}-${randomBytes(3).toString("hex")}`;
}

/** Middleware that ignores what nodes other than core nodes offer or listen to beyond a worker's services. */
export function restrictWorkers(): Middleware {
  // Moleculer's types say that this hook returns the handler's result.
  const hook: object = { transitMessageHandler: restrict };
  return { name: "BoundWorkers", ...hook };
}

function restrict(next: Handler): Handler {
  return async (command, packet) => {
    if (command !== INFO_PACKET || isCore(packet.payload)) return next(command, packet);
    const parsed = announcement.safeParse(packet.payload);
    if (!parsed.success) return false;
    const services = parsed.data.services.flatMap(restrictedOffer);
    return next(command, { ...packet, payload: { ...parsed.data, services } });
  };
}

interface Packet {
  payload?: unknown;
}

type Handler = (command: string, packet: Packet) => Promise<boolean>;

/** A worker that claims to be a core node receives no requests: NATS doesn't let it subscribe. */
function isCore(payload: unknown): boolean {
  const { data } = z.object({ sender: z.string() }).safeParse(payload);
  return data?.sender.startsWith("core.") ?? false;
}

/** Keeps only names. A worker must not set options of its actions either. */
function restrictedOffer(service: unknown): object[] {
  const { data } = offer.safeParse(service);
  if (!data) return [];
  const { name, fullName = name } = data;
  if (fullName !== name || ![...WORKER_SERVICES, "$node"].includes(name)) return [];
  const actions = Object.values(data.actions).filter(action => action.name.startsWith(`${name}.`));
  const events = Object.values(data.events).filter(
    event => event.name === WORKER_EVENT && (event.group ?? name) === name,
  );
  return [{ name, fullName, settings: {}, metadata: {}, actions: byName(actions), events: byName(events) }];
}

function byName(list: { name: string }[]): Record<string, { name: string }> {
  return Object.fromEntries(list.map(({ name }) => [name, { name }]));
}
