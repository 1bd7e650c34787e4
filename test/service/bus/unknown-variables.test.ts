import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeUnknownVariables } from "../../../shared/environment/unknown-variables.ts";
import { VARIABLE_NAMES } from "../../../shared/environment/variables.ts";
import { startRunner } from "../../support/drivers/runner.ts";

const warningsFor = (...given: string[]) => describeUnknownVariables(given, VARIABLE_NAMES);

describe("Unknown variables", () => {
  it("get a warning with the closest setting", () => {
    assert.deepEqual(warningsFor("SERVICE_PORT", "SERVICE_BASEURL", "SERVICE_QUUX", "NATS_REPLICA", "PORT"), [
      "NATS_REPLICA is not a setting. Did you mean NATS_REPLICAS?",
      "SERVICE_BASEURL is not a setting. Did you mean SERVICE_BASE_URL?",
      "SERVICE_PORT is not a setting. Did you mean PORT?",
      "SERVICE_QUUX is not a setting. Remove it.",
    ]);
  });

  it("get no warning if others set them", () => {
    assert.deepEqual(warningsFor(...VARIABLE_NAMES, "PATH", "NATS_STORE_KEY", "NATS_CORE_PASSWORD"), []);
    const links = [
      "NATS_SERVICE_HOST",
      "NATS_PORT",
      "NATS_PORT_4222_TCP",
      "SERVICE_SERVICE_HOST",
      "SERVICE_PORT",
    ];
    assert.deepEqual(warningsFor(...links), []);
  });

  it("get one warning each when a node starts", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vrs-unknown-"));
    const node = startRunner({ SERVICE_PORT: "4500", PORT: "0", SERVICE_DATA_DIR: folder });
    try {
      await node.until(() => node.output.includes("SERVICE_PORT is not a setting. Did you mean PORT?"));
      assert.equal(node.output.split("is not a setting").length, 2, node.output);
    } finally {
      await node.end("SIGKILL");
      await rm(folder, { recursive: true, force: true });
    }
  });
});
