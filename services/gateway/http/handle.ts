import { ServiceError } from "../../../shared/errors.ts";
import { admit } from "../auth/admit.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Route } from "../routes/route.ts";
import { REQUEST_ERRORS } from "../texts.ts";
import { check, idempotencyKeyOf, readBody } from "./read-input.ts";
import type { Request } from "./request.ts";
import { unstorableAt } from "./storable.ts";

/** Admits a request, checks all of it, and answers. Nothing of the body is read before its sender is known. @throws ServiceError */
export async function handle(gateway: Gateway, route: Route, request: Request): Promise<void> {
  const { req, res, params, context } = request;
  const { identity, caller } = await admit(gateway, route, request);
  if (identity) context.meta.actor = identity.actor;
  if (caller) context.meta.caller = caller;
  if (unstorableAt(params)) throw new ServiceError("not_found", REQUEST_ERRORS.badPath);
  const query = route.query ? check(route.query, request.query) : undefined;
  const sent = route.body ? await readBody(req, res) : undefined;
  const body = route.body ? check(route.body, sent) : undefined;
  const idempotencyKey = route.idempotent ? idempotencyKeyOf(req) : undefined;
  const answer = await route.serve(gateway, {
    identity,
    caller,
    params,
    body,
    said: new Set(Object.keys(Object(sent))),
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
    // The answers of one turn of the event loop leave right after one another: sent between the turn's requests, each
    // finds its reader asleep, and to wake it takes as long as to write.
    setImmediate(() => res.end(json));
  }
}
