import assert from "node:assert/strict";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { connect } from "nats";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { createDatabase, PostgresServer, query } from "../../support/servers/postgres-server.ts";
import { S3Server } from "../../support/servers/s3-server.ts";
import { needs } from "../../support/servers/server-programs.ts";

describe("The tests' servers", () => {
  describe("nats-server", () => {
    needs("nats-server");

    it("keeps its store over a restart on the same port, or loses it", async () => {
      const server = await NatsServer.start();
      try {
        const streams = async () => {
          const connection = await connect({ servers: server.url });
          try {
            const manager = await connection.jetstreamManager();
            const found = await manager.streams.names().next();
            if (found.length === 0) await manager.streams.add({ name: "kept", subjects: ["kept.>"] });
            return found;
          } finally {
            await connection.close();
          }
        };
        assert.deepEqual(await streams(), []);
        await server.kill();
        await assert.rejects(connect({ servers: server.url }));
        await server.start();
        assert.deepEqual(await streams(), ["kept"]);
        await server.stop();
        await server.start({ keepStore: false });
        assert.deepEqual(await streams(), []);
      } finally {
        await server.close();
      }
    });
  });

  describe("PostgreSQL", () => {
    needs("postgresql");

    it("creates separate empty databases", async () => {
      const [one, other] = await Promise.all([createDatabase(), createDatabase()]);
      await query(one, "create table berth (id int)");
      await assert.rejects(query(other, "select * from berth"), /does not exist/);
    });

    it("keeps what was committed when it is killed", async () => {
      const server = await PostgresServer.start();
      try {
        const url = await server.createDatabase();
        await query(url, "create table berth as select 7 as id");
        await server.kill();
        await assert.rejects(query(url, "select 1"));
        await server.start();
        assert.deepEqual(await query(url, "select id from berth where id = $1", [7]), [{ id: 7 }]);
      } finally {
        await server.close();
      }
    });
  });

  it("S3 keeps its objects while it rejects connections", async () => {
    const server = await S3Server.start();
    const client = new S3Client({
      endpoint: server.endpoint,
      region: "us-east-1",
      forcePathStyle: true,
      maxAttempts: 1,
      requestChecksumCalculation: "WHEN_REQUIRED",
      credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" },
    });
    try {
      const object = { Bucket: "images", Key: "ab/cd.png" };
      await client.send(new PutObjectCommand({ ...object, Body: Buffer.from("png") }));
      await server.refuse();
      await assert.rejects(client.send(new GetObjectCommand(object)));
      await server.accept();
      const { Body } = await client.send(new GetObjectCommand(object));
      assert.equal(await Body?.transformToString(), "png");
    } finally {
      client.destroy();
      await server.close();
    }
  });
});
