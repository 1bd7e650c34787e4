import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "moleculer";
import type { z } from "zod";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { call, type Meta } from "../../../shared/contracts/bus.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { Gateway } from "../gateway-context.ts";

/** A request whose caller is known and whose every part is valid. */
export interface Input<Body = unknown, Query = unknown> {
  /** Absent on public routes, and on those that a signed link opens. */
  identity: Identity | undefined;
  /** Absent where identity is, and on routes that are about no team. */
  caller: Caller | undefined;
  params: Record<string, string>;
  body: Body;
  /** The names of the body's fields, as it came: what it leaves out is filled in. */
  said: ReadonlySet<string>;
  query: Query;
  idempotencyKey: string | undefined;
  context: Context<unknown, Meta>;
  req: IncomingMessage;
  res: ServerResponse;
}

/** What a handler answers with; one that writes to `res` itself returns nothing. */
export interface Answer {
  status: number;
  body: unknown;
}

/** One line of the table of routes: what the edge must know to admit, check, serve and document a request. */
export interface Route {
  /**
   * The least role in the team that may ask. `any` takes any key or session, and is about no one team; `public` takes
   * everybody; `link` takes a viewer or a signed link, `signed` only that.
   */
  role: Role | "any" | "public" | "link" | "signed";
  /** The team is the one whose id the path has as `:id`; else it is the key's, or the one that the header names. */
  inPath?: true;
  /** The query's `team` names the team too, for who can send no headers. */
  teamInQuery?: true;
  /** Only for the default team, whose admins run the service. */
  forOperators?: true;
  /** A deleted team can be asked for this. */
  evenDeleted?: true;
  summary: string;
  /** Schema of the JSON body; without one a body is not read. */
  body?: z.ZodType;
  query?: z.ZodType;
  idempotent?: true;
  /** Schema or content type of each status answered. */
  answers: Record<number, z.ZodType | string | null>;
  serve(gateway: Gateway, input: Input): Promise<Answer | undefined>;
}

interface ActionRoute<N extends ActionName, Body extends z.ZodType, Query extends z.ZodType>
  extends Omit<Route, "serve" | "body" | "query"> {
  body?: Body;
  query?: Query;
  input(input: Input<z.output<Body>, z.output<Query>>): Actions[N]["params"];
  /** The status of a result; the first of `answers` unless said otherwise. */
  status?(result: Actions[N]["result"]): number;
}

/** A route that is one action's. */
export function actionRoute<
  N extends ActionName,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(action: N, { input: paramsOf, status, ...route }: ActionRoute<N, Body, Query>): Route {
  const [usual] = Object.keys(route.answers);
  return {
    ...route,
    async serve(_gateway, input) {
      // biome-ignore lint/plugin: the edge has parsed both with these very schemas.
      const typed = input as Input<z.output<Body>, z.output<Query>>;
      const result = await call(input.context, action, paramsOf(typed));
      return { status: status?.(result) ?? Number(usual), body: result };
    },
  };
}

interface ServedRoute<Body extends z.ZodType, Query extends z.ZodType>
  extends Omit<Route, "serve" | "body" | "query"> {
  body?: Body;
  query?: Query;
  serve(gateway: Gateway, input: Input<z.output<Body>, z.output<Query>>): Promise<Answer | undefined>;
}

/** A route with a body or a query that the edge itself does something with. */
export function servedRoute<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>({ serve, ...route }: ServedRoute<Body, Query>): Route {
  return {
    ...route,
    serve(gateway, input) {
      // biome-ignore lint/plugin: the edge has parsed both with these very schemas.
      return serve(gateway, input as Input<z.output<Body>, z.output<Query>>);
    },
  };
}
