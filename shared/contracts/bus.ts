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

/** Metadata that travels with every message. */
export interface Meta {
  /** The caller, in the team that the message is about. Absent on messages that a service sends by itself. */
  caller?: Caller;
  /** The caller, if the message is not about a team yet. */
  actor?: Actor;
  /** Id of the trace, 32 hex digits. Absent if it follows from the request's id. */
  traceId?: string;
}

/**
 * A broker, or the context of the current message. Sending through a context keeps its metadata and trace.
 */
export interface Bus {
  call<Result>(name: string, params: object): Promise<Result>;
  emit(name: string, payload: object): Promise<void>;
  broadcast(name: string, payload: object): Promise<void>;
}

/** Returns a bus that sends everything as this caller, for services that act for a team by themselves. */
export function onBehalf(broker: Pick<ServiceBroker, "call" | "emit" | "broadcast">, caller: Caller): Bus {
  const options = { meta: { caller } };
  return {
    call: <Result>(name: string, params: object) => broker.call<Result, object>(name, params, options),
    emit: (name, payload) => broker.emit(name, payload, options),
    broadcast: (name, payload) => broker.broadcast(name, payload, options),
  };
}

/** Calls an action of any service. @throws the action's error, with its `ServiceError.type` */
export function call<N extends ActionName>(
  bus: Bus,
  name: N,
  params: Actions[N]["params"],
): Promise<Actions[N]["result"]> {
  return bus.call<Actions[N]["result"]>(name, params);
}

/**
 * Sends an event to one node of every listening service. Never rejects. @returns when this node's listeners
 * are done
 */
export function emit<N extends EventName>(bus: Bus, name: N, payload: Events[N]): Promise<void> {
  return bus.emit(name, payload);
}

/**
 * Sends an event to every node of every listening service. Never rejects. @returns when this node's listeners
 * are done
 */
export function broadcast<N extends EventName>(bus: Bus, name: N, payload: Events[N]): Promise<void> {
  return bus.broadcast(name, payload);
}

/** For actions that are not idempotent: they are not retried when their node stops during the call. */
export const NO_RETRY = { retryPolicy: { enabled: false } } as const;

/** Declares an action's handler. The name only selects its types. */
export function action<N extends ActionName, This = Service>(
  name: N,
  handler: (
    this: This,
    params: Actions[N]["params"],
    context: Context<Actions[N]["params"], Meta>,
  ) => Promise<Actions[N]["result"]>,
  options: Pick<ActionSchema, "retryPolicy" | "bulkhead"> = {},
): ActionSchema<This> {
  return {
    ...options,
    // Without it, Moleculer would take the key in the service's schema for the action's name.
    name: name.slice(name.indexOf(".") + 1),
    handler(context: Context<Actions[N]["params"], Meta>) {
      return handler.call(this, context.params, context);
    },
  };
}

/**
 * Declares an action that a use case of the service handles, for the caller that the gateway authenticated.
 * @param run gets the service's dependencies, the caller and the parameters
 */
export function callerAction<N extends ActionName, C>(
  name: N,
  run: (context: C, caller: Caller, params: Actions[N]["params"]) => Promise<Actions[N]["result"]>,
  options: Pick<ActionSchema, "retryPolicy"> = {},
): ActionSchema<Service & { context: C }> {
  return action(
    name,
    function (this: Service & { context: C }, params, context) {
      return run(this.context, callerOf(context), params);
    },
    options,
  );
}

interface EventHandler<This> {
  handler(this: This, context: Context<unknown, Meta>): Promise<void>;
}

/** Declares an event's handler. */
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

/** A service whose handlers have `This` as `this`. */
export type Schema<This> = ServiceSchema<
  ServiceSettingSchema & Record<string, unknown>,
  Record<never, never>,
  Record<never, never>,
  This
>;

/** Returns a service's schema for the runner, which ignores `This`. */
export function service<This>(schema: Schema<This>): ServiceSchema {
  // biome-ignore lint/plugin: Moleculer's types know only handlers whose this is a plain service.
  return schema as unknown as ServiceSchema;
}

/** Returns a part of a service's schema that adds `This` to the service. */
export function mixin<This>(schema: Partial<Schema<This>>): Partial<ServiceSchema> {
  // biome-ignore lint/plugin: as above.
  return schema as unknown as Partial<ServiceSchema>;
}

/** Returns the caller that the gateway authenticated. @throws Error without one: the action needs a caller */
export function callerOf(context: Context<unknown, Meta>): Caller {
  const { caller } = context.meta;
  if (!caller) throw new Error("This action was called without a caller.");
  return caller;
}

/** Returns the actor, in any team. @throws Error without one: the action needs an actor */
export function actorOf(context: Context<unknown, Meta>): Actor {
  const actor = context.meta.actor ?? context.meta.caller?.actor;
  if (!actor) throw new Error("This action was called without an actor.");
  return actor;
}
