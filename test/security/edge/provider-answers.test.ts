import assert from "node:assert/strict";
import { createHash, createSecretKey } from "node:crypto";
import { generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { LogoutTokenError } from "../../../services/teams/sign-in/oidc/logout-token.ts";
import { OidcProvider } from "../../../services/teams/sign-in/oidc/oidc-provider.ts";
import { ProviderError } from "../../../services/teams/sign-in/oidc/provider-error.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { FAKE_CLIENT, IdentityProvider } from "../../support/fakes/identity-provider.ts";

const SECRETS = { state: "s".repeat(43), nonce: "n".repeat(43), verifier: "v".repeat(43) };
const REDIRECT = "https://vrs.example/auth/oidc/default/callback";
const EVENT = "http://schemas.openid.net/event/backchannel-logout";

describe("Answers of an identity provider", () => {
  let fake: IdentityProvider;

  before(async () => {
    fake = await IdentityProvider.start();
  });
  after(() => fake?.close());
  beforeEach(() => {
    fake.metadata = {};
    fake.userinfo = {};
  });

  const connect = (policy: ReturnType<typeof addressPolicy> | null = null) =>
    new OidcProvider({
      client: {
        ...{ name: "Fake", issuer: fake.issuer, clientId: FAKE_CLIENT.id, clientSecret: FAKE_CLIENT.secret },
        ...{ scopes: "openid", groupsClaim: "realm_access.roles" },
      },
      policy,
      redirectUrl: REDIRECT,
    });
  const answer = (query: Record<string, string> = {}, provider = connect()) =>
    provider.accountOf(new URLSearchParams({ code: "a code", state: SECRETS.state, ...query }), SECRETS);
  const withToken = (claims: JWTPayload) => {
    fake.idToken = () => fake.sign({ nonce: SECRETS.nonce, ...claims });
    return answer();
  };
  const fails = (failure: ProviderError["failure"], detail: RegExp) => (error: unknown) => {
    assert.ok(error instanceof ProviderError, String(error));
    assert.deepEqual([error.failure, detail.test(error.message)], [failure, true], error.message);
    return true;
  };
  const now = () => Math.floor(Date.now() / 1_000);

  it("are asked for with a state, a nonce and a code challenge", async () => {
    const url = new URL(await connect().authorizeUrl(SECRETS));
    const challenge = createHash("sha256").update(SECRETS.verifier).digest("base64url");
    assert.deepEqual(Object.fromEntries(url.searchParams), {
      ...{ response_type: "code", client_id: FAKE_CLIENT.id, redirect_uri: REDIRECT, scope: "openid" },
      ...{ state: SECRETS.state, nonce: SECRETS.nonce },
      ...{ code_challenge: challenge, code_challenge_method: "S256" },
    });
  });

  it("are accepted with valid claims, which the userinfo endpoint completes", async () => {
    fake.userinfo = { email: "Ada@acme.example", email_verified: true, sub: "ada" };
    const { account, sid } = await withToken({ realm_access: { roles: ["qa"] }, sid: "s-1" });
    assert.deepEqual([account.email, account.groups, sid], ["ada@acme.example", ["qa"], "s-1"]);
    const [exchange] = fake.exchanges.slice(-1);
    assert.equal(exchange?.get("code_verifier"), SECRETS.verifier);
  });

  it("are refused with another state, issuer or nonce", async () => {
    fake.idToken = () => fake.sign({ nonce: SECRETS.nonce });
    await assert.rejects(answer({ state: "x".repeat(43) }), fails("token", /state/));
    await assert.rejects(answer({ iss: "https://other.example" }), fails("token", /issuer|iss/));
    await assert.rejects(withToken({ nonce: "other" }), fails("token", /nonce/));
    await assert.rejects(withToken({ nonce: undefined }), fails("token", /nonce/));
    await assert.rejects(withToken({ iss: "https://other.example" }), fails("token", /iss/));
  });

  it("are refused for another client, when expired, and from the future", async () => {
    await assert.rejects(withToken({ aud: "another" }), fails("token", /aud/));
    await assert.rejects(
      withToken({ aud: [FAKE_CLIENT.id, "another"], azp: "another" }),
      fails("token", /azp/),
    );
    await assert.rejects(withToken({ exp: now() - 120 }), fails("token", /exp|timestamp/));
    await assert.rejects(withToken({ nbf: now() + 120 }), fails("token", /nbf|timestamp/));
    assert.ok(await withToken({ exp: now() - 30 }), "clocks differ by some seconds");
  });

  it("are refused with another signature, or none", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    fake.idToken = () => fake.sign({ nonce: SECRETS.nonce }, privateKey);
    await assert.rejects(answer(), fails("token", /signature/));
    const claims = { iss: fake.issuer, aud: FAKE_CLIENT.id, sub: "ada", nonce: SECRETS.nonce };
    const times = { iat: now(), exp: now() + 300 };
    fake.idToken = async () => new UnsecuredJWT({ ...claims, ...times }).encode();
    await assert.rejects(answer(), fails("token", /./));
    const shared = createSecretKey(Buffer.from(FAKE_CLIENT.secret.padEnd(32, "x")));
    fake.idToken = () =>
      new SignJWT({ ...claims, ...times }).setProtectedHeader({ alg: "HS256" }).sign(shared);
    await assert.rejects(answer(), fails("token", /alg/));
    const foreign = new SignJWT({ ...claims, ...times }).setProtectedHeader({ alg: "RS256", kid: "unknown" });
    fake.idToken = () => foreign.sign(privateKey);
    await assert.rejects(answer(), fails("token", /./));
  });

  it("are refused if the userinfo is another user's", async () => {
    fake.userinfo = { sub: "mallory", email: "admin@acme.example", email_verified: true };
    await assert.rejects(withToken({}), fails("token", /sub/));
  });

  it("are accepted with rotated keys at once", async () => {
    const provider = connect();
    fake.idToken = () => fake.sign({ nonce: SECRETS.nonce });
    assert.ok(await answer({}, provider));
    await fake.rotate("second");
    assert.ok(await answer({}, provider));
  });

  it("never lead a browser to a script", async () => {
    fake.metadata = {
      authorization_endpoint: "javascript:alert(1)",
      end_session_endpoint: "javascript:alert(1)",
    };
    await assert.rejects(connect().authorizeUrl(SECRETS), fails("token", /./));
    await assert.rejects(connect().signOutUrl("token", "https://vrs.example"), fails("token", /./));
  });

  it("aren't read from private addresses for a team, also behind a public configuration", async () => {
    const refused = connect(addressPolicy([]));
    await assert.rejects(refused.authorizeUrl(SECRETS), fails("unreachable", /loopback/));
    const listed = connect(addressPolicy([new URL(fake.issuer).host]));
    fake.idToken = () => fake.sign({ nonce: SECRETS.nonce });
    assert.ok(await answer({}, listed));
    for (const endpoint of ["token_endpoint", "jwks_uri", "userinfo_endpoint"]) {
      fake.metadata = { [endpoint]: "http://127.0.0.1:8099/" };
      const half = connect(addressPolicy([new URL(fake.issuer).host]));
      await assert.rejects(answer({}, half), fails("unreachable", /loopback/), endpoint);
    }
  });

  describe("to a logout", () => {
    const logout = (changes: JWTPayload & Record<string, unknown>) =>
      fake.sign({ jti: "1", events: { [EVENT]: {} }, ...changes });
    const verify = async (changes: JWTPayload & Record<string, unknown>) =>
      connect().verifyLogout(await logout(changes));

    it("name a session or a user", async () => {
      const token = await verify({ sid: "s-1", sub: undefined });
      assert.deepEqual([token.id, token.sid, token.subject], ["1", "s-1", null]);
      assert.equal((await verify({})).subject, "ada");
    });

    it("are refused without the event, with a nonce, and for another client", async () => {
      for (const changes of [
        { events: {} },
        { events: undefined },
        { nonce: "n" },
        { aud: "another" },
        { iss: "https://other.example" },
        { iat: now() - 3_600 },
        { exp: now() - 300 },
        { jti: undefined },
        { sub: undefined },
      ])
        await assert.rejects(verify(changes), LogoutTokenError, JSON.stringify(changes));
    });

    it("are refused with another signature, or none", async () => {
      const { privateKey } = await generateKeyPair("RS256");
      const claims = { jti: "1", events: { [EVENT]: {} } };
      await assert.rejects(connect().verifyLogout(await fake.sign(claims, privateKey)), LogoutTokenError);
      const bare = { ...claims, iss: fake.issuer, aud: FAKE_CLIENT.id, sub: "ada", iat: now() };
      const none = new UnsecuredJWT(bare).encode();
      await assert.rejects(connect().verifyLogout(none), LogoutTokenError);
      const shared = createSecretKey(Buffer.from(FAKE_CLIENT.secret.padEnd(32, "x")));
      const symmetric = await new SignJWT(bare).setProtectedHeader({ alg: "HS256" }).sign(shared);
      await assert.rejects(connect().verifyLogout(symmetric), LogoutTokenError);
      await assert.rejects(connect().verifyLogout("no token"), LogoutTokenError);
    });
  });
});
