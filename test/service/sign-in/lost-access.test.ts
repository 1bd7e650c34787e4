import assert from "node:assert/strict";
import { z } from "zod";
import { createdKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam, memberList } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { pageOf } from "../../support/drivers/browser/browser-client.ts";
import { OidcBrowser } from "../../support/drivers/oidc-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { OIDC_CLIENT, OidcServer } from "../../support/servers/oidc-server.ts";

const resource = z.looseObject({ id: z.string() });

/** The API of a team, for one of its admin keys, and for a key that provisions. */
class TeamApi {
  readonly baseUrl: string;
  readonly id: string;
  readonly #key: string;
  #scimKey = "";

  constructor(baseUrl: string, id: string, key: string) {
    this.baseUrl = baseUrl;
    this.id = id;
    this.#key = key;
  }

  send(method: string, path: string, body?: object, key = this.#key): Promise<Response> {
    return fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": "application/json" }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  }

  async policy(defaultRole: string | null, enforced = false): Promise<void> {
    const body = { defaultRole, groupRoles: [], enforced };
    const answer = await this.send("PUT", `/v1/teams/${this.id}/sign-in`, body);
    assert.equal(answer.status, 200, await answer.text());
  }

  async scim(method: string, path: string, body?: object): Promise<Response> {
    if (this.#scimKey === "") {
      const made = await this.send("POST", "/v1/keys", { name: "scim", scope: "scim" });
      this.#scimKey = createdKey.parse(await made.json()).key;
    }
    return this.send(method, `/scim/v2${path}`, body, this.#scimKey);
  }

  /** Provisions something. @returns its id */
  async provision(path: "/Users" | "/Groups", body: object): Promise<string> {
    const answer = await this.scim("POST", path, body);
    assert.equal(answer.status, 201, await answer.clone().text());
    return resource.parse(await answer.json()).id;
  }

  async members() {
    const answer = await this.send("GET", `/v1/teams/${this.id}/members?limit=100`);
    return memberList.parse(await answer.json()).data;
  }

  async remove(login: string): Promise<void> {
    const { id } = (await this.members()).find(own => own.login === login) ?? assert.fail(login);
    const answer = await this.send("POST", "/v1/teams", { teamId: this.id, remove: [id] });
    assert.equal(answer.status, 200, await answer.text());
  }

  async has(login: string): Promise<boolean> {
    return (await this.members()).some(own => own.login === login);
  }
}

const signIn = async (vrs: Vrs, login: string) => {
  const own = new OidcBrowser(vrs.baseUrl);
  assert.equal((await own.signIn(login)).status, 302, login);
  return own;
};

describe("Access that an identity provider takes away", () => {
  let provider: OidcServer;
  let vrs: Vrs;
  let team: TeamApi;

  before(async () => {
    provider = await OidcServer.start();
    vrs = await Vrs.start({ ...provider.env, SERVICE_OIDC_AUTO_JOIN: "all-teams" });
    provider.register(vrs.baseUrl, "default");
    team = new TeamApi(vrs.baseUrl, DEFAULT_TEAM_ID, vrs.key);
  });
  after(async () => {
    await vrs?.stop();
    await provider?.close();
  });
  beforeEach(() => team.policy("viewer"));

  const newTeam = async () => {
    const made = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
    return new TeamApi(vrs.baseUrl, made.id, made.key ?? assert.fail());
  };

  it("isn't given back by an invitation", async () => {
    const email = "cleo@acme.example";
    await team.provision("/Users", { userName: email, externalId: "cleo", active: false });
    await team.send("POST", "/v1/teams", { teamId: team.id, add: [{ email, role: "admin" }] });
    provider.accounts.set("cleo", { email, email_verified: true });
    await pageOf(await new OidcBrowser(vrs.baseUrl).signIn("cleo"), 403, /deactivated/);
    assert.equal(await team.has(email), false);
  });

  it("ends for members whom SCIM creates as inactive", async () => {
    const dan = await signIn(vrs, "dan");
    await team.provision("/Users", { userName: "dan@acme.example", externalId: "dan", active: false });
    await problemOf(await dan.send("GET", "/v1/runs"), "unauthorized");
    assert.equal(await team.has("dan"), false);
  });

  it("ends in one team only, unless the operators' team takes it away", async () => {
    const other = await newTeam();
    await other.policy("viewer");
    const eve = await signIn(vrs, "eve");
    assert.equal((await eve.session()).teams.length, 2);
    await other.provision("/Users", { userName: "eve@acme.example", externalId: "eve", active: false });
    assert.deepEqual(
      (await eve.session()).teams.map(({ id }) => id),
      [DEFAULT_TEAM_ID],
    );
    await team.provision("/Users", { userName: "eve@acme.example", externalId: "eve", active: false });
    await problemOf(await eve.send("GET", "/v1/runs"), "unauthorized");
  });

  it("isn't given back by a group's other members", async () => {
    const gus = await team.provision("/Users", { userName: "gus@acme.example", externalId: "gus" });
    const hal = await team.provision("/Users", { userName: "hal@acme.example", externalId: "hal" });
    await signIn(vrs, "gus");
    const group = await team.provision("/Groups", { displayName: "G", members: [{ value: gus }] });
    await team.remove("gus");
    const add = { Operations: [{ op: "add", path: "members", value: [{ value: hal }] }] };
    assert.equal((await team.scim("PATCH", `/Groups/${group}`, add)).status, 200);
    assert.equal(await team.has("gus"), false);
  });

  it("can't be taken from all members at once by another provider", async () => {
    const other = await newTeam();
    const body = { name: "Own ID", issuer: provider.issuer, clientId: OIDC_CLIENT.id };
    const change = (more: object = {}) =>
      other.send("PUT", `/v1/teams/${other.id}/provider`, {
        ...{ ...body, clientSecret: OIDC_CLIENT.secret },
        ...more,
      });
    await other.policy("viewer", true);
    await problemOf(await change(), "conflict");
    await other.policy("viewer");
    assert.equal((await change()).status, 200);
    await other.policy("viewer", true);
    assert.equal((await change({ name: "Renamed" })).status, 200);
    const next = await OidcServer.start();
    try {
      await problemOf(await change({ issuer: next.issuer }), "conflict");
      await other.policy("viewer");
      assert.equal((await change({ issuer: next.issuer })).status, 200);
    } finally {
      await next.close();
    }
  });
});

describe("A group of a provider, on a plan with one member", () => {
  it("gives nobody a seat that the plan doesn't have", async () => {
    const provider = await OidcServer.start();
    const vrs = await Vrs.start({ ...provider.env, SERVICE_PLAN: "free" });
    try {
      provider.register(vrs.baseUrl, "default");
      const team = new TeamApi(vrs.baseUrl, DEFAULT_TEAM_ID, vrs.key);
      const one = await team.provision("/Users", { userName: "one@acme.example", externalId: "one" });
      await signIn(vrs, "one");
      await team.remove("one");
      await team.provision("/Users", { userName: "two@acme.example", externalId: "two" });
      const group = { displayName: "G", members: [{ value: one }] };
      const full = await team.scim("POST", "/Groups", group);
      assert.equal(full.status, 403, await full.clone().text());
      assert.match(await full.text(), /The plan allows 1 member/);
      assert.equal(await team.has("one"), false);
    } finally {
      await vrs.stop();
      await provider.close();
    }
  });
});
