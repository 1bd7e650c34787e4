import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Service, ServiceBroker } from "moleculer";
import { database, type WithDatabase } from "../../mixins/database.ts";
import { TeamEntity } from "../../services/teams/team.entity.ts";
import { bindConfig, loadConfig } from "../../shared/config.ts";
import { service } from "../../shared/contracts/bus.ts";
import { logError } from "../../shared/log-error.ts";

describe("the log", () => {
  it("tells of a database's error without the values that it was about", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "vrs-log-"));
    const broker = new ServiceBroker({ logger: false });
    bindConfig(broker, loadConfig({ SERVICE_DATA_DIR: dataDir }));
    let error: unknown;
    broker.createService(
      service<Service & WithDatabase>({
        name: "secrets",
        mixins: [database({ schema: "secrets", entities: [TeamEntity], migrations: [] })],
        async started() {
          await this.em().execute(
            "create table secrets.team (id text, name text check (name = ''), created_at timestamptz)",
          );
          const insert = this.em().insert(TeamEntity, { id: "1", name: "swordfish", createdAt: new Date() });
          error = await insert.catch((reason: unknown) => reason);
        },
      }),
    );
    try {
      await broker.start();
    } finally {
      await broker.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
    assert.match(error instanceof Error ? error.message : "", /swordfish/, "the error itself holds it");
    assert.match(JSON.stringify({ ...Object(error) }), /insert into .*swordfish/);
    const logged = JSON.stringify(logError(error));
    assert.match(logged, /violates check constraint/);
    assert.doesNotMatch(logged, /swordfish/);
  });
});
