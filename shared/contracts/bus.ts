import type {
  ActionSchema,
  Context,
  Service,
  ServiceBroker,
  ServiceSchema,
  ServiceSettingSchema,
} from "moleculer";
import type { ActionName, Actions } from "./actions.ts";
import type { EventName, Events } from "./events.ts";
import type { Actor, Caller } from "./teams/caller.ts";

/** What travels beside every message's parameters. */
export interface Meta {
  /** Who asked, in the team that it is about; absent on messages that a service sends of its own accord. */
  caller?: Caller;
  /** Who asked, where it is about no team yet. */
  actor?: Actor;
}

/** A broker, or the context of the message being handled: sending through a context keeps its meta and its trace. */
export interface Bus {
  call<Result>(name: string, params: object): Promise<Result>;
  emit(name: string, payload: object): Promise<void>;
  broadcast(name: string, payload: object): Promise<void>;
}

/** A bus on which everything is asked as this caller: of a service that does something for a team of its own accord. */
export function onBehalf(broker: Pick<ServiceBroker, "call" | "emit" | "broadcast">, caller: Caller): Bus {
  const options = { meta: { caller } };
  return {
    call: <Result>(name: string, params: object) => broker.call<Result, object>(name, params, options),
    emit: (name, payload) => broker.emit(name, payload, options),
    broadcast: (name, payload) => broker.broadcast(name, payload, options),
  };
}

/** Calls an action of any service. @throws whatever the action throws; ServiceError.type survives the bus. */
export function call<N extends ActionName>(
  bus: Bus,
  name: N,
  params: Actions[N]["params"],
): Promise<Actions[N]["result"]> {
  return bus.call<Actions[N]["result"]>(name, params);
}

/** Tells one node of every service that listens. Never rejects. @returns when those that listen on this node have ended too */
export function emit<N extends EventName>(bus: Bus, name: N, payload: Events[N]): Promise<void> {
  return bus.emit(name, payload);
}

/** Tells every node of every service that listens. Never rejects. @returns when those that listen on this node have ended too */
export function broadcast<N extends EventName>(bus: Bus, name: N, payload: Events[N]): Promise<void> {
  return bus.broadcast(name, payload);
}

/** Of an action that does something more each time: it is not asked again when its node goes away in the middle. */
export const NO_RETRY = { retryPolicy: { enabled: false } } as const;

/** Declares the handler of an action; its name is for the types. */
export function action<N extends ActionName, This = Service>(
  _name: N,
  handler: (
    this: This,
    params: Actions[N]["params"],
    context: Context<Actions[N]["params"], Meta>,
  ) => Promise<Actions[N]["result"]>,
  options: Pick<ActionSchema, "retryPolicy"> = {},
): ActionSchema<This> {
  return {
    ...options,
    handler(context: Context<Actions[N]["params"], Meta>) {
      return handler.call(this, context.params, context);
    },
  };
}

interface EventHandler<This> {
  handler(this: This, context: Context<unknown, Meta>): Promise<void>;
}

/** Declares the handler of an event. */
export function on<N extends EventName, This = Service>(
  _name: N,
  handler: (this: This, payload: Events[N], context: Context<Events[N], Meta>) => Promise<void> | void,
): EventHandler<This> {
  return {
    async handler(context: Context<Events[N], Meta>) {
      await handler.call(this, context.params, context);
    },
  };
}

/** A service whose handlers see `This`. */
export type Schema<This> = ServiceSchema<
  ServiceSettingSchema & Record<string, unknown>,
  Record<never, never>,
  Record<never, never>,
  This
>;

/** A service's schema for the runner, which takes no notice of `This`. */
export function service<This>(schema: Schema<This>): ServiceSchema {
  // biome-ignore lint/plugin: Moleculer's types know only handlers whose this is a plain service.
  return schema as unknown as ServiceSchema;
}

/** A part of a service's schema that gives the service `This`. */
export function mixin<This>(schema: Partial<Schema<This>>): Partial<ServiceSchema> {
  // biome-ignore lint/plugin: as above.
  return schema as unknown as Partial<ServiceSchema>;
}

/** The caller that the gateway vouched for. @throws Error when there is none: the action is not for use without one. */
export function callerOf(context: Context<unknown, Meta>): Caller {
  const { caller } = context.meta;
  if (!caller) throw new Error("This action was called without a caller.");
  return caller;
}

/** Who asked, in whatever team. @throws Error when there is nobody: the action is not for use without one. */
export function actorOf(context: Context<unknown, Meta>): Actor {
  const actor = context.meta.actor ?? context.meta.caller?.actor;
  if (!actor) throw new Error("This action was called without an actor.");
  return actor;
}
