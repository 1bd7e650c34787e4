import { call } from "../../../shared/contracts/bus.ts";
import type { ScimRequest } from "../../../shared/contracts/teams/team-actions.ts";
import type { Gateway } from "../gateway-context.ts";
import type { Input } from "../routes/route.ts";

/** Handles a request of SCIM 2.0, whose bodies have a media type of their own. */
export function scimHandler(method: ScimRequest["method"], resource: ScimRequest["resource"]) {
  return async (
    _gateway: Gateway,
    { body, query, params, context, res }: Input<unknown, Record<string, string>>,
  ): Promise<undefined> => {
    const request = { method, resource, id: params.id ?? null, query: query ?? {}, body: body ?? null };
    const answer = await call(context, "teams.scim", request);
    res.setHeader("Cache-Control", "no-store");
    const location = locationIn(answer.body);
    if (answer.status === 201 && location !== null) res.setHeader("Location", location);
    if (answer.body === null) return void res.writeHead(answer.status).end();
    res.writeHead(answer.status, { "Content-Type": "application/scim+json; charset=utf-8" });
    res.end(JSON.stringify(answer.body));
  };
}

function locationIn(body: object | null): string | null {
  if (body === null || !("meta" in body) || typeof body.meta !== "object" || body.meta === null) return null;
  return "location" in body.meta && typeof body.meta.location === "string" ? body.meta.location : null;
}
