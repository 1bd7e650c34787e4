import assert from "node:assert/strict";
import { cleanUp } from "../../../services/teams/cleanup.ts";
import { entities } from "../../../services/teams/entities.ts";
import { authenticate } from "../../../services/teams/keys/authenticate.ts";
import { exchangeToken } from "../../../services/teams/keys/exchange-token.ts";
import { firstKey } from "../../../services/teams/keys/first-key.ts";
import { findOrCreateTeam, insertKey } from "../../../services/teams/keys/key.store.ts";
import { TokenIssuer } from "../../../services/teams/keys/token-issuer.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { findKnownHashes } from "../../../services/teams/sign-in/session.store.ts";
import { hashKey, makeKey } from "../../../shared/api-keys.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { TokenIssuerServer } from "../../support/fakes/token-issuer.ts";

const AUDIENCE = "https://vrs.example";

describe("The issuer of CI jobs' tokens", () => {
  let server: TokenIssuerServer;

  beforeEach(async () => {
    server = await TokenIssuerServer.start();
  });
  afterEach(() => server.close());

  const issuerFor = (hosts: string[] = [new URL(server.url).host], issuer = server.url) =>
    new TokenIssuer({ issuer, audience: AUDIENCE, policy: addressPolicy(hosts) });
  const token = () => server.sign({ aud: AUDIENCE });

  it("is requested at an allowed address only", async () => {
    await assert.rejects(issuerFor([]).verify(await token()), { type: "unavailable" });
    assert.equal(server.reads, 0);
    assert.equal((await issuerFor().verify(await token())).repository, "acme/shop");
  });

  it("is unavailable if it doesn't answer with keys, and works once it does", async () => {
    const issuer = issuerFor();
    server.isDown = true;
    await assert.rejects(issuer.verify(await token()), { type: "unavailable" });
    server.isDown = false;
    await issuer.verify(await token());
    const other = issuerFor(undefined, `${server.url}/elsewhere`);
    await assert.rejects(other.verify(await server.sign({ aud: AUDIENCE })), { type: "unavailable" });
  });

  it("can have several keys", async () => {
    const first = await token();
    await server.rotate("second");
    const issuer = issuerFor();
    await issuer.verify(first);
    await issuer.verify(await token());
    assert.equal(server.reads, 1);
  });

  it("can't send more than a set of keys", async () => {
    server.padding = "x".repeat(300 * 1024);
    await assert.rejects(issuerFor().verify(await token()), /too large/);
  });
});

for (const kind of MAIN_DATABASES) {
  describe(`Keys of CI jobs, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    let server: TokenIssuerServer;
    let issuer: TokenIssuer;
    const em = () => node.em();

    before(async () => {
      server = await TokenIssuerServer.start();
      const policy = addressPolicy([new URL(server.url).host]);
      issuer = new TokenIssuer({ issuer: server.url, audience: AUDIENCE, policy });
      database = await kind.make();
      node = await DatabaseNode.start(database.env, { schema: "teams", entities, migrations });
      await findOrCreateTeam(em(), DEFAULT_TEAM_ID, "Default");
      const upload = { role: "reviewer" as const, uploadProject: "acme/shop", uploadRepository: "acme/shop" };
      await insertKey(em(), { ...firstKey(DEFAULT_TEAM_ID, "ci", makeKey()), ...upload });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
      await server?.close();
    });

    it("expire, but their tokens are remembered until they do too", async () => {
      const token = await server.sign({ aud: AUDIENCE });
      const hash = hashKey((await exchangeToken(em(), issuer, { token })).key);
      const identity = await authenticate(em(), hash);
      assert.deepEqual(
        [identity?.actor.name, identity?.uploadProject, identity?.uploadRepository],
        ["ci", "acme/shop", "acme/shop"],
      );
      assert.deepEqual(await findKnownHashes(em(), [hash]), [hash]);

      await em().execute("update teams.exchanged_key set expires_at = now() where hash = ?", [hash]);
      assert.equal(await authenticate(em(), hash), null);
      assert.deepEqual(await findKnownHashes(em(), [hash]), []);
      await cleanUp({ em, publishGone: async () => {} });
      await assert.rejects(exchangeToken(em(), issuer, { token }), /exchanged before/);

      await em().execute("update teams.exchanged_key set forget_at = now() where hash = ?", [hash]);
      await cleanUp({ em, publishGone: async () => {} });
      assert.equal((await em().execute("select from teams.exchanged_key where hash = ?", [hash])).length, 0);
    });
  });
}
