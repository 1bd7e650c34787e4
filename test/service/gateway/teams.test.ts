import assert from "node:assert/strict";
import { ensureDefaultTeam } from "../../../services/teams/default-team.ts";
import { entities } from "../../../services/teams/entities.ts";
import { ApiKeyEntity } from "../../../services/teams/keys/api-key.entity.ts";
import { insertKey } from "../../../services/teams/keys/key.store.ts";
import { revokeKey } from "../../../services/teams/keys/manage-keys.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { TeamEntity } from "../../../services/teams/team.entity.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { createDatabase } from "../../support/servers/postgres-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

const NODES = 6;
const KEY = "vrs_bootstrap_key_of_the_tests";

describe("Nodes with the teams service that start at the same moment", () => {
  needs("database");
  let nodes: DatabaseNode[];

  beforeEach(async () => {
    const env = { DATABASE_URL: await createDatabase() };
    const schema = { schema: "teams", entities, migrations };
    nodes = await Promise.all(Array.from({ length: NODES }, () => DatabaseNode.start(env, schema)));
    // Connected already, so that all requests are really concurrent.
    await onEach(node => node.em().execute("select 1"));
  });
  afterEach(() => onEach(node => node.stop()));

  const onEach = <T>(act: (node: DatabaseNode, index: number) => Promise<T>) => Promise.all(nodes.map(act));
  const em = (index = 0) => {
    const node = nodes[index];
    assert.ok(node);
    return node.em();
  };

  it("create one default team and one first key, which only its creator shows", async () => {
    const shown = (await onEach(node => ensureDefaultTeam(node.em(), null))).filter(key => key !== null);
    assert.equal(shown.length, 1);
    assert.equal(await em().count(TeamEntity), 1);
    const keys = await em().find(ApiKeyEntity, {});
    assert.deepEqual(
      keys.map(({ hash, role }) => ({ hash, role })),
      [{ hash: hashKey(shown[0] ?? ""), role: "admin" }],
    );
  });

  it("create one row for a configured key, and show none", async () => {
    assert.deepEqual(
      await onEach(node => ensureDefaultTeam(node.em(), KEY)),
      nodes.map(() => null),
    );
    const keys = await em().find(ApiKeyEntity, {});
    assert.deepEqual(
      keys.map(key => key.hash),
      [hashKey(KEY)],
    );
  });

  it("do not restore a configured key that was revoked", async () => {
    await ensureDefaultTeam(em(), KEY);
    await em().nativeUpdate(ApiKeyEntity, {}, { revokedAt: new Date() });
    await onEach(node => ensureDefaultTeam(node.em(), KEY));
    assert.equal(await em().count(ApiKeyEntity, { revokedAt: null }), 0);
  });

  it("keep one admin key when two revoke each other", async () => {
    await ensureDefaultTeam(em(), KEY);
    const first = await em().findOneOrFail(ApiKeyEntity, { hash: hashKey(KEY) });
    const ids = nodes.map((_, index) => (index === 0 ? first.id : `${first.id}${index}`));
    for (const id of ids.slice(1)) await insertKey(em(), { ...first, id, hash: id });
    const outcomes = await onEach((node, index) => {
      const actor = { kind: "key", id: ids[(index + 1) % ids.length] ?? "", name: "admin" } as const;
      const caller: Caller = { teamId: first.teamId, role: "admin", actor };
      return revokeKey(node.em(), caller, ids[index] ?? "").then(
        () => "revoked",
        error => error.type,
      );
    });
    const left = await em().count(ApiKeyEntity, { revokedAt: null });
    assert.ok(left >= 1);
    assert.equal(outcomes.filter(outcome => outcome === "revoked").length, nodes.length - left);
    for (const outcome of outcomes) assert.ok(["revoked", "not_found"].includes(outcome), outcome);
  });

  it("keep the last admin key when it revokes itself", async () => {
    await ensureDefaultTeam(em(), KEY);
    const { id, teamId, name } = await em().findOneOrFail(ApiKeyEntity, { hash: hashKey(KEY) });
    const caller: Caller = { teamId, role: "admin", actor: { kind: "key", id, name } };
    await assert.rejects(revokeKey(em(), caller, id), { type: "conflict" });
    assert.equal(await em().count(ApiKeyEntity, { revokedAt: null }), 1);
  });
});
