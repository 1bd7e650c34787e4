import assert from "node:assert/strict";
import { createSecretKey } from "node:crypto";
import { generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { readUploadAccess } from "../../../cli/upload/actions-access.ts";
import { createdKey, exchangedKey } from "../../../shared/contracts/teams/keys.ts";
import { createdTeam } from "../../../shared/contracts/teams/people.ts";
import { Vrs } from "../../support/drivers/vrs.ts";
import { TokenIssuerServer } from "../../support/fakes/token-issuer.ts";
import { problemOf } from "../../support/formats/problem.ts";

const SCREENSHOTS = [{ name: "Card", hash: "0".repeat(64) }];

describe("Tokens of CI jobs", () => {
  let vrs: Vrs;
  let issuer: TokenIssuerServer;
  let keyId: string;

  before(async () => {
    issuer = await TokenIssuerServer.start();
    vrs = await Vrs.start({
      UPLOAD_TOKEN_ISSUER: issuer.url,
      SERVICE_ALLOW_HOSTS: new URL(issuer.url).host,
    });
    keyId = await bind("acme/shop", "acme/shop");
  });
  after(async () => {
    await vrs?.stop();
    await issuer?.close();
  });

  async function bind(project: string, repository: string, key = vrs.key): Promise<string> {
    const body = { name: "ci", scope: "upload", project, repository };
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await vrs.postTo(vrs.baseUrl, "/v1/keys", body, headers);
    const created = createdKey.parse(await answer.json());
    assert.equal(created.repository, repository);
    return created.id;
  }

  const token = (claims: Record<string, unknown> = {}) => issuer.sign({ aud: vrs.baseUrl, ...claims });
  const exchange = (body: object) =>
    fetch(`${vrs.baseUrl}/v1/upload-keys`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  const keyFor = async (body: object) => {
    const answer = await exchange(body);
    assert.equal(answer.status, 201, await answer.clone().text());
    return exchangedKey.parse(await answer.json());
  };
  const upload = (key: string, body: object) =>
    vrs.postTo(
      vrs.baseUrl,
      "/v1/builds",
      { screenshots: SCREENSHOTS, ...body },
      { Authorization: `Bearer ${key}` },
    );

  it("are exchanged for a key of 10 minutes that can only upload to the project", async () => {
    const { key, project, expiresAt } = await keyFor({ token: await token() });
    assert.equal(project, "acme/shop");
    const seconds = (Date.parse(expiresAt) - Date.now()) / 1_000;
    assert.ok(seconds > 590 && seconds <= 600, String(seconds));
    assert.equal((await upload(key, { project })).status, 202);
    await problemOf(await upload(key, { project: "acme/bank" }), "forbidden");
    const runs = await fetch(`${vrs.baseUrl}/v1/runs`, { headers: { Authorization: `Bearer ${key}` } });
    await problemOf(runs, "forbidden");
  });

  it("give access to a project with another name, for commits of the repository only", async () => {
    await bind("website", "Acme/Site");
    const { key } = await keyFor({ token: await token({ repository: "acme/site" }), project: "website" });
    const scm = (repo: string) => ({ owner: "acme", repo, sha: "a".repeat(40), branch: "main" });
    assert.equal((await upload(key, { project: "website", scm: scm("site") })).status, 202);
    await problemOf(await upload(key, { project: "website", scm: scm("bank") }), "forbidden");
    await problemOf(await exchange({ token: await token(), project: "website" }), "forbidden");
  });

  it("are exchanged once", async () => {
    const once = await token();
    const answers = await Promise.all([1, 2, 3].map(() => exchange({ token: once })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 401, 401]);
    assert.match(
      (await problemOf(await exchange({ token: once }), "unauthorized")).detail,
      /exchanged before/,
    );
  });

  it("are refused if a claim is wrong or missing", async () => {
    const now = Math.floor(Date.now() / 1_000);
    const cases: [Record<string, unknown>, RegExp][] = [
      [{ aud: "https://other.example" }, /audience/],
      [{ aud: `${vrs.baseUrl}.evil.example` }, /audience/],
      [{ iss: "https://token.example" }, /claim iss/],
      [{ exp: now - 60, iat: now - 360 }, /expired/],
      [{ nbf: now + 600 }, /claim nbf/],
      [{ iat: now + 600 }, /claim iat/],
      [{ iat: now - 7_200, exp: now + 86_400 }, /expired|claim iat/],
      [{ jti: undefined }, /claim jti/],
      [{ exp: undefined }, /claim exp/],
      [{ iat: undefined }, /claim iat/],
      [{ repository: undefined }, /names no repository/],
      [{ repository: ["acme/shop"] }, /names no repository/],
    ];
    for (const [claims, detail] of cases)
      assert.match(
        (await problemOf(await exchange({ token: await token(claims) }), "unauthorized")).detail,
        detail,
      );
    await problemOf(await exchange({ token: await token({ repository: "acme/shop2" }) }), "forbidden");
    await problemOf(
      await exchange({ token: await token({ repository: "evil/shop" }), project: "acme/shop" }),
      "forbidden",
    );
  });

  it("are refused if the issuer didn't sign them", async () => {
    const { privateKey } = await generateKeyPair("RS256");
    const claims = {
      ...{ iss: issuer.url, aud: vrs.baseUrl, repository: "acme/shop", jti: "forged" },
      ...{ iat: Math.floor(Date.now() / 1_000), exp: Math.floor(Date.now() / 1_000) + 300 },
    };
    const jwks = await (await fetch(`${issuer.url}/.well-known/jwks`)).text();
    const symmetric = new SignJWT(claims).setProtectedHeader({ alg: "HS256", kid: "first" });
    const good = await token();
    for (const forged of [
      await issuer.sign({ ...claims }, privateKey),
      new UnsecuredJWT(claims).encode(),
      await symmetric.sign(createSecretKey(Buffer.from(jwks))),
      `${good.slice(0, -8)}AAAAAAAA`,
      "not a token",
      "a.b.c",
    ])
      await problemOf(await exchange({ token: forged }), "unauthorized");
    await problemOf(await exchange({ token: "x".repeat(10_001) }), "invalid_request");
  });

  it("cause few requests to the issuer", async () => {
    const before = issuer.reads;
    for (let count = 0; count < 20; count++) await exchange({ token: await token() });
    const header = { alg: "RS256", kid: "unknown" };
    const { privateKey } = await generateKeyPair("RS256");
    for (let count = 0; count < 20; count++)
      await exchange({ token: await new SignJWT({}).setProtectedHeader(header).sign(privateKey) });
    assert.ok(issuer.reads - before <= 1, String(issuer.reads - before));
  });

  it("upload to the team that the job names, and to the default team otherwise", async () => {
    const team = createdTeam.parse(await (await vrs.post("/v1/teams", { name: "Other" })).json());
    await bind("acme/app", "acme/app", team.key ?? "");
    const repository = "acme/app";
    await problemOf(await exchange({ token: await token({ repository }) }), "forbidden");
    await keyFor({ token: await token({ repository }), team: team.id });
    await problemOf(await exchange({ token: await token(), team: team.id }), "forbidden");
  });

  it("are requested and exchanged by `vrs upload` in a job without an API key", async () => {
    const env = {
      ...{ HOME: vrs.dataDir, SERVICE_API_URL: `${vrs.baseUrl}/` },
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: issuer.jobCredential,
    };
    const { signal } = new AbortController();
    const access = await readUploadAccess({ env, signal }, "acme/shop");
    assert.deepEqual([access.url, await access.currentKey?.()], [vrs.baseUrl, access.apiKey]);
    assert.equal((await upload(access.apiKey, { project: "acme/shop" })).status, 202);
    const withKey = { ...env, SERVICE_API_KEY: "vrs_own" };
    assert.deepEqual(await readUploadAccess({ env: withKey, signal }, "acme/shop"), {
      url: vrs.baseUrl,
      apiKey: "vrs_own",
    });
    await assert.rejects(
      readUploadAccess({ env, signal }, "acme/bank"),
      /No API key lets the repository acme\/shop/,
    );
    const refused = { ...env, ACTIONS_ID_TOKEN_REQUEST_TOKEN: "wrong" };
    await assert.rejects(readUploadAccess({ env: refused, signal }, "acme/shop"), /gave no OIDC token: 401/);
  });

  it("lose their keys when the team revokes its key", async () => {
    const { key, project } = await keyFor({ token: await token() });
    assert.equal((await upload(key, { project })).status, 202);
    assert.equal((await vrs.request(`/v1/keys/${keyId}`, { method: "DELETE" })).status, 204);
    await problemOf(await upload(key, { project }), "unauthorized");
    await problemOf(await exchange({ token: await token() }), "forbidden");
  });
});
