import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { loadConfig } from "../../../shared/config.ts";
import { freePort } from "../../support/drivers/free-port.ts";

const UPGRADE = [
  "GET /v1/tunnels HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "\r\n",
].join("\r\n");

describe("A refused tunnel", () => {
  it("is closed by the service after its response, also if the client stays", async () => {
    const port = await freePort();
    const config = loadConfig({
      PORT: String(port),
      IMAGE_STORE_URL: "file:///tmp/no-images",
      LOG_LEVEL: "fatal",
    });
    const broker = new ServiceBroker(brokerOptions(config));
    broker.createService(gateway);
    try {
      await broker.start();
      const client = connect({ port, host: "localhost", allowHalfOpen: true });
      client.write(UPGRADE);
      let response = "";
      client.on("data", (chunk: Buffer) => {
        response += chunk.toString();
      });
      await once(client, "end");
      assert.match(response, /^HTTP\/1\.1 401 [\s\S]+"code":"unauthorized"/);
      // Only a closed connection refuses what the client still sends.
      const failed = once(client, "error");
      const writing = setInterval(() => client.write("still here"), 20);
      const [error] = await failed.finally(() => clearInterval(writing));
      assert.match(String(error), /EPIPE|ECONNRESET/);
    } finally {
      await broker.stop();
    }
  });
});
