import { ServiceError } from "../../../shared/errors.ts";
import { nameRun } from "../../../shared/tracing/work-scope.ts";
import { admit } from "../auth/admit.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Deprecation, Request, Route } from "../routes/route.ts";
import { REQUEST_ERRORS } from "../texts/errors.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { readBody, validate } from "./read-input.ts";
import { idempotencyKeyOf } from "./request-headers.ts";
import { unstorableAt } from "./value-checks.ts";

/**
 * Checks access and input of a request, and answers it. The body is not read before the sender is known. @throws
 * ServiceError
 */
export async function handle(gateway: Gateway, route: Route, request: Request): Promise<void> {
  const { req, res, params, context } = request;
  nameRun(params);
  if (route.deprecated) setDeprecation(res, route.deprecated, gateway);
  const { identity, caller } = await admit(gateway, route, request);
  if (identity) context.meta.actor = identity.actor;
  if (caller) context.meta.caller = caller;
  if (unstorableAt(params)) throw new ServiceError("not_found", REQUEST_ERRORS.badPath);
  const query = route.query ? validate(route.query, request.query) : undefined;
  const sent = route.body ? await readBody(req, res) : undefined;
  const body = route.body ? validate(route.body, sent) : undefined;
  const idempotencyKey = route.idempotent ? idempotencyKeyOf(req) : undefined;
  const answer = await route.serve(gateway, {
    identity,
    caller,
    params,
    body,
    providedFields: new Set(Object.keys(Object(sent))),
    query,
    idempotencyKey,
    context,
    req,
    res,
  });
  if (!answer) return;
  nameRun(answer.body);
  res.setHeader("Cache-Control", "no-store");
  if (answer.status === 204) {
    res.writeHead(204).end();
  } else {
    const json = JSON.stringify(answer.body);
    // With a known length, headers and body are sent in one write.
    res.writeHead(answer.status, {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Length": Buffer.byteLength(json),
    });
    // Responses of one turn of the event loop are sent one after another. A response sent between requests finds
    // its reader asleep, and waking it takes as long as writing.
    setImmediate(() => res.end(json));
  }
}

/** Set before the request is handled, so that errors have them, too. */
function setDeprecation(res: Request["res"], deprecation: Deprecation, { site }: Gateway): void {
  for (const [name, value] of Object.entries(deprecationHeaders(deprecation, `${site.baseUrl}/docs`)))
    res.setHeader(name, value);
}
