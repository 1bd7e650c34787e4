import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Middleware } from "moleculer";
import { z } from "zod";

/** What loads and decodes things of strangers. A node that has nothing else is a worker; NATS lets it do less. */
const WORKER_SERVICES: readonly string[] = ["renderer", "differ"];
/** The only event that workers listen to. */
const HEARD = "run.canceled";
const INFO = "INFO";

const announcement = z.looseObject({ sender: z.string(), services: z.array(z.unknown()) });
const offer = z.looseObject({
  name: z.string(),
  fullName: z.string().optional(),
  actions: z.record(z.string(), z.looseObject({ name: z.string() })).default({}),
  events: z.record(z.string(), z.looseObject({ name: z.string(), group: z.string().nullish() })).default({}),
});

/** Whether a node with these services is a worker. */
export function isWorker(services: readonly string[]): boolean {
  return services.every(name => WORKER_SERVICES.includes(name));
}

/**
 * Returns a node's name on the bus, `core.…` or `worker.user.…`, by which NATS tells apart what is for whom. Never an
 * earlier process's: containers on one host may share its name and their process numbers too.
 *
 * @param user the worker's user of NATS, which keeps what is sent to it from other workers
 */
export function nodeIdFor(
  services: readonly string[],
  user: string | null = null,
  host = hostname(),
): string {
  const worker = user === null ? "worker" : `worker.${user}`;
  const kind = isWorker(services) ? worker : "core";
  // A dot would begin another token of a subject.
  const place = host.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  return `${kind}.${place}-${process.pid}-${randomBytes(3).toString("hex")}`;
}

/** Middleware that believes no node but a core one that it offers more, or listens to more, than a worker does. */
export function restrictWorkers(): Middleware {
  // Moleculer's types say that this hook returns what the handler does.
  const hook: object = { transitMessageHandler: bounded };
  return { name: "BoundWorkers", ...hook };
}

function bounded(next: Handler): Handler {
  return async (command, packet) => {
    if (command !== INFO || isCore(packet.payload)) return next(command, packet);
    const told = announcement.safeParse(packet.payload);
    if (!told.success) return false;
    const services = told.data.services.flatMap(restrictedOffer);
    return next(command, { ...packet, payload: { ...told.data, services } });
  };
}

interface Packet {
  payload?: unknown;
}

type Handler = (command: string, packet: Packet) => Promise<boolean>;

/** Who lies about being core hears nothing of what is asked of it: NATS keeps it from a worker. */
function isCore(payload: unknown): boolean {
  const { data } = z.object({ sender: z.string() }).safeParse(payload);
  return data?.sender.startsWith("core.") ?? false;
}

/** Nothing but names: how an action is called is not for a worker to say either. */
function restrictedOffer(service: unknown): object[] {
  const { data } = offer.safeParse(service);
  if (!data) return [];
  const { name, fullName = name } = data;
  if (fullName !== name || ![...WORKER_SERVICES, "$node"].includes(name)) return [];
  const actions = Object.values(data.actions).filter(action => action.name.startsWith(`${name}.`));
  const events = Object.values(data.events).filter(
    event => event.name === HEARD && (event.group ?? name) === name,
  );
  return [{ name, fullName, settings: {}, metadata: {}, actions: named(actions), events: named(events) }];
}

function named(list: { name: string }[]): Record<string, { name: string }> {
  return Object.fromEntries(list.map(({ name }) => [name, { name }]));
}
