import { z } from "zod";
import type { ScimRequest } from "../../../shared/contracts/teams/team-actions.ts";
import { scimHandler } from "../handlers/serve-scim.ts";
import { type Route, servedRoute } from "./route.ts";

const SCIM = "application/scim+json";

const listQuery = z.looseObject({
  filter: z
    .string()
    .max(1_000)
    .optional()
    .describe('Comparisons with `eq`, joined by `and`, such as `userName eq "ada@example.com"`'),
  startIndex: z.string().max(20).optional().describe("Index of the first result, from 1"),
  count: z.string().max(20).optional().describe("Results, 0–200. Default: 100"),
  excludedAttributes: z.string().max(500).optional().describe("`members` leaves out the members of groups"),
});

const body = z.looseObject({}).describe("As in RFC 7643, or RFC 7644 for PATCH");

type Method = ScimRequest["method"];

function scimRoute(
  method: Method,
  resource: ScimRequest["resource"],
  summary: string,
  answers: Route["answers"] = { 200: SCIM },
): Route {
  const common = { role: "viewer", provisioning: true, summary, answers } as const;
  // Entra ID sends flags in capitals and other parameters, which count as absent.
  const query = listQuery.transform(({ filter, startIndex, count, excludedAttributes }) =>
    Object.fromEntries(
      Object.entries({ filter, startIndex, count, excludedAttributes }).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as const] : [],
      ),
    ),
  );
  const serve = scimHandler(method, resource);
  return method === "GET" || method === "DELETE"
    ? servedRoute({ ...common, query, serve })
    : servedRoute({ ...common, query, body, serve });
}

function routesOf(resource: "Users" | "Groups", one: string): Record<string, Route> {
  const list = `/scim/v2/${resource}`;
  return {
    [`GET ${list}`]: scimRoute("GET", resource, `List provisioned ${one}s`),
    [`POST ${list}`]: scimRoute("POST", resource, `Provision a ${one}`, { 201: SCIM }),
    [`GET ${list}/:id`]: scimRoute("GET", resource, `Get a provisioned ${one}`),
    [`PUT ${list}/:id`]: scimRoute("PUT", resource, `Replace a provisioned ${one}`),
    [`PATCH ${list}/:id`]: scimRoute("PATCH", resource, `Change a provisioned ${one}`),
    [`DELETE ${list}/:id`]: scimRoute("DELETE", resource, `Delete a provisioned ${one}`, { 204: null }),
  };
}

/** Routes of SCIM 2.0, for keys with the scope `scim`. */
export const SCIM_ROUTES: Record<string, Route> = {
  ...routesOf("Users", "user"),
  ...routesOf("Groups", "group"),
  "GET /scim/v2/ServiceProviderConfig": scimRoute(
    "GET",
    "ServiceProviderConfig",
    "Get what this service supports of SCIM",
  ),
  "GET /scim/v2/ResourceTypes": scimRoute("GET", "ResourceTypes", "List the types of SCIM resources"),
  "GET /scim/v2/ResourceTypes/:id": scimRoute("GET", "ResourceTypes", "Get a type of SCIM resources"),
  "GET /scim/v2/Schemas": scimRoute("GET", "Schemas", "List the SCIM schemas"),
  "GET /scim/v2/Schemas/:id": scimRoute("GET", "Schemas", "Get a SCIM schema"),
};
