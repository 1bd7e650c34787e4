import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "moleculer";
import type { Caller } from "../../shared/contracts/actions.ts";
import type { Meta } from "../../shared/contracts/bus.ts";
import { ROLES } from "../../shared/contracts/http.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { Gateway } from "./gateway.ts";
import { check, idempotencyKeyOf, readBody } from "./read-input.ts";
import type { Route } from "./route.ts";
import { unstorableAt } from "./storable.ts";

/** A request as the HTTP service hands it on. */
export interface Request {
  req: IncomingMessage;
  res: ServerResponse;
  params: Record<string, string>;
  query: unknown;
  context: Context<unknown, Meta>;
}

/** Admits a request, checks all of it, and answers. Nothing of the body is read before its sender is known. @throws ServiceError */
export async function handle(gateway: Gateway, route: Route, request: Request): Promise<void> {
  const { req, res, params, context } = request;
  const caller = await admit(gateway, route, request);
  if (caller) context.meta.caller = caller;
  if (unstorableAt(params)) throw new ServiceError("not_found", "The path holds a character that no id has.");
  const query = route.query ? check(route.query, request.query) : undefined;
  const body = route.body ? check(route.body, await readBody(req, res)) : undefined;
  const idempotencyKey = route.idempotent ? idempotencyKeyOf(req) : undefined;
  const answer = await route.serve(gateway, {
    caller,
    params,
    body,
    query,
    idempotencyKey,
    context,
    req,
    res,
  });
  if (!answer) return;
  res.setHeader("Cache-Control", "no-store");
  if (answer.status === 204) {
    res.writeHead(204).end();
  } else {
    const json = JSON.stringify(answer.body);
    // With its length known, headers and body leave in one write.
    res.writeHead(answer.status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(json),
    });
    res.end(json);
  }
}

/** Who asks, within their rate and with the role for it. @throws ServiceError unauthorized, rate_limited, forbidden */
async function admit(
  gateway: Gateway,
  { role }: Route,
  { req, res, query, context }: Request,
): Promise<Caller | undefined> {
  // Whether a signature is a right one, the handler finds out: it is of the thing asked for.
  if (role === "public" || role === "signed") return undefined;
  const { authorization } = req.headers;
  if (role === "link" && authorization === undefined && hasToken(query)) return undefined;
  const caller = await gateway.authenticator.caller(context, authorization);
  await gateway.rateLimit.take(caller.actor.id, res);
  if (role !== "link" && ROLES.indexOf(caller.role) < ROLES.indexOf(role)) {
    const message = `This needs a key with the role ${role}; "${caller.actor.name}" is a ${caller.role}'s.`;
    throw new ServiceError("forbidden", message);
  }
  return caller;
}

function hasToken(query: unknown): boolean {
  return typeof query === "object" && query !== null && "token" in query;
}
