import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "moleculer";
import type { z } from "zod";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import { call, type Meta } from "../../../shared/contracts/bus.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Caller, Identity } from "../../../shared/contracts/teams/caller.ts";
import type { Gateway } from "../gateway-context.ts";

/** A request as the HTTP service passes it on. */
export interface Request {
  req: IncomingMessage;
  res: ServerResponse;
  params: Record<string, string>;
  query: unknown;
  context: Context<unknown, Meta>;
}

/** A request with a known caller and valid input. */
export interface Input<Body = unknown, Query = unknown> {
  /** Missing on public routes, and on requests with a signed link. */
  identity: Identity | undefined;
  /** Missing without an identity, and on routes without a team. */
  caller: Caller | undefined;
  params: Record<string, string>;
  body: Body;
  /** Names of the fields in the body before defaults were added. */
  providedFields: ReadonlySet<string>;
  query: Query;
  idempotencyKey: string | undefined;
  context: Context<unknown, Meta>;
  req: IncomingMessage;
  res: ServerResponse;
}

/** A handler's response. A handler that writes to `res` itself returns nothing. */
export interface Answer {
  status: number;
  body: unknown;
}

/** When a route was deprecated, when it is removed at the earliest, and what replaces it. Dates are UTC, such as 2027-01-31. */
export interface Deprecation {
  since: string;
  sunset: string;
  use: string;
}

/** A route with all that the gateway needs to check access, validate, serve and document a request. */
export interface Route {
  /**
   * The least role that a caller needs in the team. `any` accepts any key or session without a team. `public`
   * accepts everyone. `link` accepts a viewer or a signed link, and `signed` only a signature.
   */
  role: Role | "any" | "public" | "link" | "signed";
  /** The team is the path's `:id`. Otherwise it is the key's team, or the one in the header. */
  teamInPath?: true;
  /** The query's `team` also names the team, for clients that can't send headers. */
  teamInQuery?: true;
  /** Only for the default team, whose admins are the operators. */
  operatorsOnly?: true;
  /** Also serves keys that can only upload to a project. What is served checks the project. */
  allowsUploadKeys?: true;
  /** Only for keys that can only provision users. What is served needs no role. */
  provisioning?: true;
  /** Also serves deleted teams. */
  allowsDeletedTeam?: true;
  summary: string;
  /** Its responses announce the removal. For a field, use `.meta({ deprecated: true })` in its schema. */
  deprecated?: Deprecation;
  /** Schema of the JSON body. Without it, the body is not read. */
  body?: z.ZodType;
  /** Media type of a body that is not JSON. The handler reads it. */
  rawBody?: string;
  /** Whether its body may take minutes to arrive. Others have a minute. */
  hasLongBody?: true;
  query?: z.ZodType;
  idempotent?: true;
  /** Schema or content type of each response status. */
  answers: Record<number, z.ZodType | string | null>;
  serve(gateway: Gateway, input: Input): Promise<Answer | undefined>;
}

interface ActionRoute<N extends ActionName, Body extends z.ZodType, Query extends z.ZodType>
  extends Omit<Route, "serve" | "body" | "query"> {
  body?: Body;
  query?: Query;
  input(input: Input<z.output<Body>, z.output<Query>>): Actions[N]["params"];
  /** Returns the status of a result. Default: the first of `answers`. */
  status?(result: Actions[N]["result"]): number;
}

/** Returns a route that calls one action. */
export function actionRoute<
  N extends ActionName,
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>(action: N, { input: paramsOf, status, ...route }: ActionRoute<N, Body, Query>): Route {
  const [defaultStatus] = Object.keys(route.answers);
  return {
    ...route,
    async serve(_gateway, input) {
      // biome-ignore lint/plugin: the gateway has validated both with these very schemas.
      const typed = input as Input<z.output<Body>, z.output<Query>>;
      const result = await call(input.context, action, paramsOf(typed));
      return { status: status?.(result) ?? Number(defaultStatus), body: result };
    },
  };
}

interface ServedRoute<Body extends z.ZodType, Query extends z.ZodType>
  extends Omit<Route, "serve" | "body" | "query"> {
  body?: Body;
  query?: Query;
  serve(gateway: Gateway, input: Input<z.output<Body>, z.output<Query>>): Promise<Answer | undefined>;
}

/** Returns a route with a body or query that the gateway itself handles. */
export function servedRoute<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
>({ serve, ...route }: ServedRoute<Body, Query>): Route {
  return {
    ...route,
    serve(gateway, input) {
      // biome-ignore lint/plugin: the gateway has validated both with these very schemas.
      return serve(gateway, input as Input<z.output<Body>, z.output<Query>>);
    },
  };
}
