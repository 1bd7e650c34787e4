import { SCIM_TOKEN } from "../texts.ts";
import type { StoredGroup, StoredUser } from "./scim.store.ts";

const CORE = "urn:ietf:params:scim:schemas:core:2.0";
const USER_SCHEMA = `${CORE}:User`;
const GROUP_SCHEMA = `${CORE}:Group`;
const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

export const MAX_RESULTS = 200;

/** A page of a list, which starts at 1. */
export function listOf(resources: object[], total: number, startIndex: number): object {
  return {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  };
}

/** @param root URL of `/scim/v2` */
export function userResource(
  { id, userName, externalId, active, attributes, createdAt, changedAt }: StoredUser,
  groups: { id: string; displayName: string }[],
  root: string,
): object {
  const { displayName, name, emails } = attributes;
  return {
    schemas: [USER_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    userName,
    active,
    ...(displayName !== null && { displayName }),
    ...(Object.keys(name).length > 0 && { name }),
    ...(emails.length > 0 && { emails }),
    groups: groups.map(group => ({
      value: group.id,
      display: group.displayName,
      $ref: `${root}/Groups/${group.id}`,
    })),
    meta: metaOf("User", { id, createdAt, changedAt }, root),
  };
}

/** @param members null to leave them out */
export function groupResource(
  { id, displayName, externalId, createdAt, changedAt }: StoredGroup,
  members: { id: string; userName: string }[] | null,
  root: string,
): object {
  return {
    schemas: [GROUP_SCHEMA],
    id,
    ...(externalId !== null && { externalId }),
    displayName,
    ...(members && {
      members: members.map(member => ({
        value: member.id,
        display: member.userName,
        $ref: `${root}/Users/${member.id}`,
      })),
    }),
    meta: metaOf("Group", { id, createdAt, changedAt }, root),
  };
}

function metaOf(
  resourceType: "User" | "Group",
  { id, createdAt, changedAt }: { id: string; createdAt: Date; changedAt: Date },
  root: string,
): object {
  return {
    resourceType,
    created: new Date(createdAt).toISOString(),
    lastModified: new Date(changedAt).toISOString(),
    location: `${root}/${resourceType}s/${id}`,
  };
}

/** Returns what this service supports (RFC 7643, section 5). */
export function serviceProviderConfig(root: string): object {
  return {
    schemas: [`${CORE}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: "oauthbearertoken",
        name: "Bearer token",
        description: SCIM_TOKEN,
        primary: true,
      },
    ],
    meta: { resourceType: "ServiceProviderConfig", location: `${root}/ServiceProviderConfig` },
  };
}

/** Returns the types of resources (RFC 7643, section 6). */
export function resourceTypes(root: string): (object & { id: string })[] {
  return (
    [
      ["User", USER_SCHEMA],
      ["Group", GROUP_SCHEMA],
    ] as const
  ).map(([id, schema]) => ({
    schemas: [`${CORE}:ResourceType`],
    ...{ id, name: id, endpoint: `/${id}s`, schema },
    meta: { resourceType: "ResourceType", location: `${root}/ResourceTypes/${id}` },
  }));
}

const attribute = (name: string, more: object = {}) => ({
  ...{ name, type: "string", multiValued: false, required: false, caseExact: false },
  ...{ mutability: "readWrite", returned: "default", uniqueness: "none" },
  ...more,
});

/** Returns the attributes that are stored (RFC 7643, section 7). */
export function schemas(root: string): (object & { id: string })[] {
  const describe = (id: string, name: string, attributes: object[]) => ({
    schemas: [`${CORE}:Schema`],
    ...{ id, name, attributes },
    meta: { resourceType: "Schema", location: `${root}/Schemas/${id}` },
  });
  return [
    describe(USER_SCHEMA, "User", [
      attribute("userName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("displayName"),
      attribute("active", { type: "boolean" }),
      attribute("name", {
        type: "complex",
        subAttributes: [attribute("formatted"), attribute("familyName"), attribute("givenName")],
      }),
      attribute("emails", {
        ...{ type: "complex", multiValued: true },
        subAttributes: [attribute("value"), attribute("type"), attribute("primary", { type: "boolean" })],
      }),
      attribute("groups", {
        ...{ type: "complex", multiValued: true, mutability: "readOnly" },
        subAttributes: [attribute("value", { mutability: "readOnly" }), attribute("display")],
      }),
    ]),
    describe(GROUP_SCHEMA, "Group", [
      attribute("displayName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("members", {
        ...{ type: "complex", multiValued: true },
        subAttributes: [attribute("value"), attribute("display")],
      }),
    ]),
  ];
}
