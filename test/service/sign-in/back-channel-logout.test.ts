import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { OidcBrowser } from "../../support/drivers/oidc-browser.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { problemOf } from "../../support/formats/problem.ts";
import { OIDC_CLIENT, OidcServer } from "../../support/servers/oidc-server.ts";

const EVENT = "http://schemas.openid.net/event/backchannel-logout";

describe("The back-channel logout of a provider", () => {
  let provider: OidcServer;
  let vrs: Vrs;

  before(async () => {
    provider = await OidcServer.start();
    vrs = await Vrs.start(provider.env);
    provider.register(vrs.baseUrl, "default");
    const answer = await fetch(`${vrs.baseUrl}/v1/teams/${DEFAULT_TEAM_ID}/sign-in`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${vrs.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ defaultRole: "viewer", groupRoles: [], enforced: false }),
    });
    assert.equal(answer.status, 200);
  });
  after(async () => {
    await vrs?.stop();
    await provider?.close();
  });

  const now = () => Math.floor(Date.now() / 1_000);
  const claims = (more: JWTPayload = {}): JWTPayload => ({
    ...{ iss: provider.issuer, aud: OIDC_CLIENT.id, sub: "gil", iat: now(), jti: randomUUID() },
    events: { [EVENT]: {} },
    ...more,
  });
  const logout = (token: string, path = "default") =>
    fetch(`${vrs.baseUrl}/auth/oidc/${path}/logout`, {
      method: "POST",
      body: new URLSearchParams({ logout_token: token }),
    });
  const refused = async (answer: Response, status: number, why: RegExp) => {
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.equal(JSON.parse(text).error, "invalid_request");
    assert.match(JSON.parse(text).error_description, why);
  };
  const signedIn = async (login: string) => {
    const own = new OidcBrowser(vrs.baseUrl);
    assert.equal((await own.signIn(login)).status, 302);
    return own;
  };
  const isOpen = async (own: OidcBrowser) => (await own.send("GET", "/v1/runs")).status === 200;

  it("ends the sessions of a user, once for each token", async () => {
    const [first, other] = [await signedIn("gil"), await signedIn("hal")];
    const token = await provider.sign(claims());
    assert.equal((await logout(token)).status, 200);
    await problemOf(await first.send("GET", "/v1/runs"), "unauthorized");
    assert.ok(await isOpen(other), "of another user");
    const again = await signedIn("gil");
    await refused(await logout(token), 400, /used before/);
    assert.ok(await isOpen(again), "after a replay");
    assert.equal((await logout(await provider.sign(claims()))).status, 200);
    await problemOf(await again.send("GET", "/v1/runs"), "unauthorized");
  });

  it("refuses tokens that are forged, old, or meant for something else", async () => {
    const own = await signedIn("gil");
    const { privateKey } = await generateKeyPair("RS256");
    const forged: [string, string | Promise<string>][] = [
      ["another key", new SignJWT(claims()).setProtectedHeader({ alg: "RS256" }).sign(privateKey)],
      [
        "the client secret",
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256" })
          .sign(new TextEncoder().encode(OIDC_CLIENT.secret)),
      ],
      ["no signature", new UnsecuredJWT(claims()).encode()],
      ["another client", provider.sign(claims({ aud: "other" }))],
      ["another issuer", provider.sign(claims({ iss: "https://other.example" }))],
      ["an ID token", provider.sign(claims({ nonce: "n" }))],
      ["no event", provider.sign(claims({ events: {} }))],
      ["nobody", provider.sign({ ...claims(), sub: undefined })],
      ["no id", provider.sign({ ...claims(), jti: undefined })],
      ["no time", provider.sign({ ...claims(), iat: undefined })],
      ["a token of an hour ago", provider.sign(claims({ iat: now() - 3_600 }))],
      ["a token of the future", provider.sign(claims({ iat: now() + 3_600 }))],
      ["an expired token", provider.sign(claims({ exp: now() - 120 }))],
      ["no token", "none"],
    ];
    for (const [what, token] of forged) {
      const answer = await logout(await token);
      assert.equal(answer.status, 400, `${what}: ${await answer.text()}`);
    }
    assert.ok(await isOpen(own));
    const empty = await fetch(`${vrs.baseUrl}/auth/oidc/default/logout`, { method: "POST" });
    await refused(empty, 400, /no logout_token/);
    await refused(await logout(await provider.sign(claims()), "team_other"), 404, /no such/);
    assert.ok(await isOpen(own));
  });
});
