import assert from "node:assert/strict";
import { z } from "zod";
import { createdKey, keyList } from "../../../shared/contracts/teams/keys.ts";
import { activityList, createdTeam, memberList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { pageOf } from "../../support/drivers/browser/browser-client.ts";
import { OidcBrowser } from "../../support/drivers/oidc-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { OidcServer } from "../../support/servers/oidc-server.ts";

const USER = "urn:ietf:params:scim:schemas:core:2.0:User";
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group";
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
const ERROR = "urn:ietf:params:scim:api:messages:2.0:Error";
const TEAM = `/v1/teams/${DEFAULT_TEAM_ID}`;

const resource = z.looseObject({
  id: z.string(),
  userName: z.string().optional(),
  displayName: z.string().optional(),
  externalId: z.string().optional(),
  active: z.boolean().optional(),
  name: z.record(z.string(), z.string()).optional(),
  emails: z.array(z.looseObject({ value: z.string() })).optional(),
  members: z.array(z.looseObject({ value: z.string() })).optional(),
  groups: z.array(z.looseObject({ value: z.string(), display: z.string() })).optional(),
  meta: z.object({
    ...{ resourceType: z.string(), created: z.iso.datetime(), lastModified: z.iso.datetime() },
    location: z.url(),
  }),
});
const listed = z.object({
  schemas: z.tuple([z.literal("urn:ietf:params:scim:api:messages:2.0:ListResponse")]),
  totalResults: z.int(),
  startIndex: z.int(),
  itemsPerPage: z.int(),
  Resources: z.array(resource),
});
const refusal = z.object({
  schemas: z.tuple([z.literal(ERROR)]),
  status: z.string(),
  detail: z.string().min(1),
  scimType: z.string().optional(),
});

describe("Provisioning by SCIM 2.0", () => {
  let provider: OidcServer;
  let vrs: Vrs;
  let key: string;

  before(async () => {
    provider = await OidcServer.start();
    vrs = await Vrs.start(provider.env);
    provider.register(vrs.baseUrl, "default");
    key = await makeKey();
  });
  after(async () => {
    await vrs?.stop();
    await provider?.close();
  });

  const makeKey = async () => {
    const answer = await vrs.post("/v1/keys", { name: "Entra ID", scope: "scim" });
    return createdKey.parse(await answer.json()).key;
  };
  const send = (method: string, path: string, body?: object, as = key) =>
    fetch(`${vrs.baseUrl}/scim/v2${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${as}`,
        ...(body && { "Content-Type": "application/scim+json; charset=utf-8" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const ok = async (method: string, path: string, body?: object, status = 200) => {
    const answer = await send(method, path, body);
    assert.equal(answer.status, status, await answer.clone().text());
    assert.equal(answer.headers.get("content-type"), "application/scim+json; charset=utf-8");
    return resource.parse(await answer.json());
  };
  const list = async (path: string) => listed.parse(await (await send("GET", path)).json());
  const refused = async (answer: Response, status: number, scimType?: string) => {
    assert.equal(answer.status, status, await answer.clone().text());
    assert.equal(answer.headers.get("content-type"), "application/scim+json; charset=utf-8");
    const body = refusal.parse(await answer.json());
    assert.deepEqual([body.status, body.scimType], [String(status), scimType]);
    return body.detail;
  };
  const patch = (path: string, ...Operations: object[]) =>
    send("PATCH", path, { schemas: [PATCH], Operations });
  const create = (userName: string, more: object = {}) =>
    ok("POST", "/Users", { schemas: [USER], userName, active: true, ...more }, 201);
  const browser = () => new OidcBrowser(vrs.baseUrl);
  const policy = async (groupRoles: object[], defaultRole: string | null = null) => {
    const answer = await fetch(`${vrs.baseUrl}${TEAM}/sign-in`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${vrs.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ defaultRole, groupRoles, enforced: false }),
    });
    assert.equal(answer.status, 200, await answer.clone().text());
  };
  const members = async () =>
    memberList.parse(await (await vrs.request(`${TEAM}/members?limit=100`)).json()).data;

  it("accepts only keys with the scope scim, which can do nothing else", async () => {
    await refused(await send("GET", "/Users", undefined, vrs.key), 403);
    await refused(await send("GET", "/Users", undefined, "vrs_wrong"), 401);
    const asKey = (path: string) =>
      fetch(`${vrs.baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } });
    for (const path of ["/v1/runs", "/v1/session", `${TEAM}/members`, "/v1/keys"])
      await problemOf(await asKey(path), "forbidden");
    const signIn = await fetch(`${vrs.baseUrl}/v1/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ apiKey: key }),
    });
    await problemOf(signIn, "forbidden");
    const { data } = keyList.parse(await (await vrs.request("/v1/keys")).json());
    assert.equal(data.find(({ name }) => name === "Entra ID")?.scope, "scim");
  });

  it("describes itself", async () => {
    const config = await (await send("GET", "/ServiceProviderConfig")).json();
    assert.deepEqual(
      [config.patch.supported, config.bulk.supported, config.filter.supported],
      [true, false, true],
    );
    const types = await (await send("GET", "/ResourceTypes")).json();
    assert.deepEqual(
      types.Resources.map(({ id }: { id: string }) => id),
      ["User", "Group"],
    );
    assert.equal((await (await send("GET", `/Schemas/${USER}`)).json()).id, USER);
    await refused(await send("GET", "/Schemas/none"), 404);
    await refused(await send("GET", "/Me"), 404);
  });

  it("creates, gets, replaces and deletes users, with errors in SCIM's form", async () => {
    const made = await create("Ada@acme.example", {
      ...{ externalId: "ext-ada", displayName: "Ada", title: "Engineer" },
      name: { givenName: "Ada", familyName: "L", formatted: "Ada L" },
      emails: [{ primary: true, type: "work", value: "ada@acme.example" }],
    });
    assert.equal(made.meta.location, `${vrs.baseUrl}/scim/v2/Users/${made.id}`);
    const path = `/Users/${made.id}`;
    assert.deepEqual(await ok("GET", path), made);
    assert.deepEqual([made.externalId, made.name?.familyName, made.active], ["ext-ada", "L", true]);
    await refused(await send("POST", "/Users", { userName: "ada@ACME.example" }), 409, "uniqueness");
    const nameless = await send("POST", "/Users", { active: true });
    assert.equal(await refused(nameless, 400, "invalidValue"), '"userName" is required.');
    await refused(
      await send("POST", "/Users", { userName: "a", emails: [{ value: 1 }] }),
      400,
      "invalidValue",
    );
    await refused(await send("POST", "/Users"), 400);
    const put = await ok("PUT", path, { schemas: [USER], userName: "ada@acme.example", active: true });
    assert.deepEqual([put.userName, put.externalId, put.emails], ["ada@acme.example", undefined, undefined]);
    await refused(await send("GET", "/Users/scu_unknown"), 404);
    const malformed = await fetch(`${vrs.baseUrl}/scim/v2/Users`, {
      method: "POST",
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/scim+json" },
      body: "{",
    });
    await refused(malformed, 400);
    assert.equal((await send("DELETE", path)).status, 204);
    await refused(await send("DELETE", path), 404);
  });

  it("finds users as Entra ID and Okta ask, in pages", async () => {
    const ids = [];
    for (const n of [1, 2, 3])
      ids.push((await create(`page-${n}@acme.example`, { externalId: `ext-${n}` })).id);
    const found = async (filter: string) =>
      (await list(`/Users?filter=${encodeURIComponent(filter)}`)).Resources.map(({ id }) => id);
    assert.deepEqual(await found('userName eq "PAGE-2@acme.example"'), [ids[1]]);
    assert.deepEqual(await found('externalId eq "ext-3"'), [ids[2]]);
    assert.deepEqual(await found('emails[type eq "work"].value eq "page-1@acme.example"'), [ids[0]]);
    assert.deepEqual(await found(`${USER}:userName EQ "page-2@acme.example" and active eq true`), [ids[1]]);
    assert.deepEqual(await found('userName eq "none"'), []);
    const hostile = '" or 1=1 --';
    assert.deepEqual(await found(`userName eq ${JSON.stringify(hostile)}`), []);
    for (const filter of [
      "userName",
      'userName co "a"',
      'password eq "a"',
      'userName eq "a" or active eq true',
      "userName eq true",
      'userName eq "\\u0000"',
    ])
      await refused(await send("GET", `/Users?filter=${encodeURIComponent(filter)}`), 400, "invalidFilter");
    const first = await list("/Users?startIndex=1&count=2");
    assert.deepEqual([first.itemsPerPage, first.startIndex, first.totalResults >= 3], [2, 1, true]);
    const next = await list("/Users?startIndex=3&count=2");
    assert.ok(next.Resources.every(({ id }) => !first.Resources.some(own => own.id === id)));
    assert.deepEqual((await list("/Users?count=0")).Resources, []);
    assert.equal((await list("/Users?startIndex=-5&count=1")).startIndex, 1);
    await refused(await send("GET", "/Users?count=many"), 400, "invalidValue");
  });

  it("patches users as Entra ID sends it", async () => {
    const { id } = await create("entra@acme.example");
    const path = `/Users/${id}`;
    const done = await patch(
      path,
      { op: "Replace", path: "displayName", value: "Entra" },
      { op: "Add", path: 'emails[type eq "work"].value', value: "e@acme.example" },
      { op: "Add", path: "name.givenName", value: "En" },
      { op: "Replace", path: `${USER}:externalId`, value: "object-id" },
      {
        op: "Add",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "QA",
      },
    );
    assert.equal(done.status, 200, await done.clone().text());
    const user = resource.parse(await done.json());
    assert.deepEqual(
      [user.displayName, user.emails?.[0]?.value, user.name, user.externalId],
      ["Entra", "e@acme.example", { givenName: "En" }, "object-id"],
    );
    assert.equal((await patch(path, { op: "Replace", path: "active", value: "False" })).status, 200);
    assert.equal((await ok("GET", path)).active, false);
    const [again] = (await list(`/Users?filter=${encodeURIComponent('userName eq "entra@acme.example"')}`))
      .Resources;
    assert.equal(again?.active, false, "inactive users are still found");
    assert.equal(
      (await patch(path, { op: "Add", value: { active: "True", "name.familyName": "Tra" } })).status,
      200,
    );
    assert.deepEqual((await ok("GET", path)).name, { givenName: "En", familyName: "Tra" });
    await refused(await patch(path, { op: "remove", path: "userName" }), 400, "mutability");
    const unclear = await patch(path, { op: "replace", path: "active", value: "maybe" });
    assert.match(await refused(unclear, 400, "invalidValue"), /must be true or false/);
    await refused(await patch(path, { op: "move", path: "active" }), 400, "invalidSyntax");
    await refused(await patch(path), 400, "invalidSyntax");
    await refused(
      await patch(path, { op: "replace", path: "emails[x pr].value", value: "a" }),
      400,
      "invalidPath",
    );
  });

  it("deactivates as Okta sends it: sessions and keys end at once, and the user can't come back", async () => {
    await policy([], "viewer");
    const { id } = await create("olga@acme.example", { externalId: "olga" });
    const own = browser();
    assert.equal((await own.signIn("olga")).status, 302);
    await policy([{ group: "Owners", role: "admin" }], "viewer");
    const group = await ok(
      "POST",
      "/Groups",
      { schemas: [GROUP], displayName: "Owners", members: [{ value: id }] },
      201,
    );
    assert.equal((await own.session()).team?.role, "admin");
    const made = await own.send("POST", "/v1/keys", { name: "of olga", role: "admin" });
    const { key: ofOlga } = createdKey.parse(await made.json());
    const asKey = () => fetch(`${vrs.baseUrl}/v1/keys`, { headers: { Authorization: `Bearer ${ofOlga}` } });
    assert.equal((await asKey()).status, 200);
    const off = await patch(`/Users/${id}`, { op: "replace", value: { active: false } });
    assert.equal(off.status, 200);
    await problemOf(await own.send("GET", "/v1/runs"), "unauthorized");
    await problemOf(await asKey(), "unauthorized");
    assert.ok((await members()).every(({ login }) => login !== "olga"));
    await pageOf(await browser().signIn("olga"), 403, /deactivated/);
    assert.equal((await patch(`/Users/${id}`, { op: "replace", value: { active: true } })).status, 200);
    const back = browser();
    assert.equal((await back.signIn("olga")).status, 302);
    assert.equal((await back.session()).team?.role, "admin", "by the group");
    assert.equal((await send("DELETE", `/Groups/${group.id}`)).status, 204);
    assert.equal((await back.session()).team?.role, "viewer");
    assert.equal((await send("DELETE", `/Users/${id}`)).status, 204);
    await problemOf(await back.send("GET", "/v1/runs"), "unauthorized");
    const noted = activityList.parse(await (await vrs.request(`${TEAM}/activity?limit=100`)).json()).data;
    for (const type of ["scim.created", "scim.deactivated", "scim.activated", "scim.deleted"])
      assert.ok(
        noted.some(
          own => own.type === type && own.target === "olga@acme.example" && own.actor.name === "Entra ID",
        ),
        type,
      );
  });

  it("links members who joined before, by their subject or verified address only", async () => {
    await policy([], "viewer");
    provider.accounts.set("pia", { email: "pia@acme.example", email_verified: true });
    provider.accounts.set("rob", { email: "rob@acme.example", email_verified: false });
    const [pia, rob] = [browser(), browser()];
    await pia.signIn("pia");
    await rob.signIn("rob");
    const ofPia = await create("pia@acme.example");
    const ofRob = await create("rob@acme.example");
    await patch(`/Users/${ofPia.id}`, { op: "replace", path: "active", value: false });
    await patch(`/Users/${ofRob.id}`, { op: "replace", path: "active", value: false });
    await problemOf(await pia.send("GET", "/v1/runs"), "unauthorized");
    assert.equal((await rob.send("GET", "/v1/runs")).status, 200, "an unverified address proves nothing");
  });

  it("changes roles with groups, in both providers' forms", async () => {
    await policy(
      [
        { group: "QA", role: "reviewer" },
        { group: "Leads", role: "admin" },
      ],
      "viewer",
    );
    const { id } = await create("sam@acme.example", { externalId: "sam" });
    const own = browser();
    await own.signIn("sam");
    const role = async () => (await own.session()).team?.role;
    const qa = await ok("POST", "/Groups", { schemas: [GROUP], displayName: "QA", externalId: "g-1" }, 201);
    await refused(await send("POST", "/Groups", { displayName: "qa" }), 409, "uniqueness");
    const path = `/Groups/${qa.id}`;
    assert.equal((await patch(path, { op: "Add", path: "members", value: [{ value: id }] })).status, 200);
    assert.equal(await role(), "reviewer");
    assert.deepEqual(
      (await ok("GET", `/Users/${id}`)).groups?.map(({ display }) => display),
      ["QA"],
    );
    const found = await list(
      `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "QA"')}`,
    );
    assert.deepEqual(
      found.Resources.map(own => [own.id, own.members]),
      [[qa.id, undefined]],
    );
    await patch(path, { op: "Remove", path: "members", value: [{ value: id }] });
    assert.equal(await role(), "viewer");
    await patch(path, { op: "replace", value: { id: qa.id, displayName: "Leads" } });
    await patch(path, { op: "add", path: "members", value: [{ value: id, display: "sam" }] });
    assert.equal(await role(), "admin");
    await patch(path, { op: "remove", path: `members[value eq "${id}"]` });
    assert.equal(await role(), "viewer");
    await ok("PUT", path, {
      schemas: [GROUP],
      displayName: "QA",
      members: [{ value: id }, { value: "scu_other" }],
    });
    assert.deepEqual(
      (await ok("GET", path)).members?.map(({ value }) => value),
      [id],
    );
    assert.equal(await role(), "reviewer");
    assert.equal((await send("DELETE", path)).status, 204);
    assert.equal(await role(), "viewer");
  });

  it("keeps the last admin, and the users of other teams", async () => {
    const made = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
    const asOther = { Authorization: `Bearer ${made.key}`, "Content-Type": "application/json" };
    const request = (method: string, path: string, body?: object) =>
      fetch(`${vrs.baseUrl}${path}`, {
        method,
        headers: asOther,
        ...(body && { body: JSON.stringify(body) }),
      });
    const scim = createdKey.parse(
      await (await request("POST", "/v1/keys", { name: "scim", scope: "scim" })).json(),
    );
    const rules = { defaultRole: null, groupRoles: [{ group: "top", role: "admin" }], enforced: false };
    assert.equal((await request("PUT", `/v1/teams/${made.id}/sign-in`, rules)).status, 200);
    provider.accounts.set("tess", { groups: ["top"] });
    const user = await send("POST", "/Users", { userName: "tess", externalId: "tess" }, scim.key);
    const { id } = resource.parse(await user.json());
    await refused(await send("GET", `/Users/${id}`), 404);
    const tess = browser();
    assert.equal((await tess.signIn("tess")).status, 302);
    const keys = keyList.parse(await (await request("GET", "/v1/keys")).json());
    const admin = keys.data.find(({ role }) => role === "admin");
    assert.equal((await request("DELETE", `/v1/keys/${admin?.id}`)).status, 204);
    await refused(await send("DELETE", `/Users/${id}`, undefined, scim.key), 409);
    const off = { Operations: [{ op: "replace", value: { active: false } }] };
    await refused(await send("PATCH", `/Users/${id}`, off, scim.key), 409);
    assert.equal((await tess.send("GET", "/v1/runs")).status, 200);
  });
});

describe("Provisioning by SCIM 2.0 on a plan with few members", () => {
  it("refuses users above the plan's limit", async () => {
    const vrs = await Vrs.start({ SERVICE_PLAN: "free" });
    try {
      const made = await vrs.post("/v1/keys", { name: "scim", scope: "scim" });
      const { key } = createdKey.parse(await made.json());
      const post = (userName: string, active = true) =>
        fetch(`${vrs.baseUrl}/scim/v2/Users`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/scim+json" },
          body: JSON.stringify({ userName, active }),
        });
      assert.equal((await post("one@acme.example")).status, 201);
      const full = await post("two@acme.example");
      assert.equal(full.status, 403);
      assert.match(refusal.parse(await full.json()).detail, /The plan allows 1 member/);
      assert.equal((await post("two@acme.example", false)).status, 201, "an inactive user takes no seat");
    } finally {
      await vrs.stop();
    }
  });
});
