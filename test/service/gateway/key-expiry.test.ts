import assert from "node:assert/strict";
import { ensureDefaultTeam } from "../../../services/teams/default-team.ts";
import { entities } from "../../../services/teams/entities.ts";
import { authenticate } from "../../../services/teams/keys/authenticate.ts";
import { createKey, listKeys, revokeKey } from "../../../services/teams/keys/manage-keys.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { findKnownHashes } from "../../../services/teams/sign-in/session.store.ts";
import { authenticateSession, openKeySession } from "../../../services/teams/sign-in/sessions.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { expireKeyRow } from "../../support/rows/people-rows.ts";

const KEY = "vrs_bootstrap_key_of_the_tests";
const DAY_MS = 24 * 60 * 60_000;

for (const kind of MAIN_DATABASES) {
  describe(`An API key with an expiry, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    let caller: Caller;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, { schema: "teams", entities, migrations });
      await ensureDefaultTeam(node.em(), KEY);
      const first = await authenticate(node.em(), hashKey(KEY));
      assert.ok(first);
      caller = { teamId: first.teams[0]?.id ?? "", role: "admin", actor: first.actor };
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    it("works until then, and is listed with the time", async () => {
      const { id, key, expiresAt } = await createKey(node.em(), caller, {
        ...{ name: "short", role: "reviewer", expiresInDays: 30 },
      });
      const days = (Date.parse(expiresAt ?? "") - Date.now()) / DAY_MS;
      assert.ok(days > 29.9 && days <= 30, expiresAt ?? "no time");
      assert.ok(await authenticate(node.em(), hashKey(key)));
      const { data } = await listKeys(node.em(), caller, { limit: 100 });
      assert.deepEqual(
        data.map(listed => [listed.id === id, listed.expiresAt]),
        [
          [true, expiresAt],
          [false, null],
        ],
      );
    });

    it("fails afterwards, also in a browser's session, and can still be revoked", async () => {
      const { id, key } = await createKey(node.em(), caller, {
        ...{ name: "short", role: "admin", expiresInDays: 1 },
      });
      const session = {
        keyHash: hashKey(key),
        tokenHash: hashKey(`${id} token`),
        before: null,
        browser: null,
      };
      assert.ok(await openKeySession(node.em(), session));
      assert.ok(await authenticateSession(node.em(), session.tokenHash));
      await expireKeyRow(node.em(), id);
      assert.equal(await authenticate(node.em(), hashKey(key)), null);
      assert.equal(await authenticateSession(node.em(), session.tokenHash), null);
      assert.equal(await openKeySession(node.em(), { ...session, tokenHash: "other" }), null);
      assert.deepEqual(await findKnownHashes(node.em(), [hashKey(key), hashKey(KEY)]), [hashKey(KEY)]);
      await revokeKey(node.em(), caller, id);
    });

    it("is not enough to revoke the last admin key that never expires", async () => {
      await createKey(node.em(), caller, { name: "short", role: "admin", expiresInDays: 1 });
      await assert.rejects(revokeKey(node.em(), caller, caller.actor.id), { type: "conflict" });
      await createKey(node.em(), caller, { name: "long", role: "admin" });
      await revokeKey(node.em(), caller, caller.actor.id);
    });
  });
}
