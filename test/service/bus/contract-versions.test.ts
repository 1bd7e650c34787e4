import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { brokerOptions } from "../../../moleculer.config.ts";
import { contractVersions } from "../../../shared/broker/contract-versions.ts";
import { loadConfig } from "../../../shared/config.ts";
import { CONTRACTS } from "../../../shared/contracts/contract-version.ts";
import { until } from "../../support/drivers/until.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const FUTURE = CONTRACTS.version + 5;

describe("Nodes with different message contracts", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  const others: ServiceBroker[] = [];

  before(async () => {
    nats = await NatsServer.start();
  });
  beforeEach(() => {
    nodes = new BusNodes(nats);
  });
  afterEach(async () => {
    await Promise.all([nodes.stop(), ...others.splice(0).map(broker => broker.stop())]);
  });
  after(() => nats?.close());

  /** Creates a node of another version, with a service that counts its starts. */
  function nodeOf(
    version: number,
    oldest: number,
    kind = "gateway",
  ): { broker: ServiceBroker; started: () => number } {
    const env = { NATS_URL: nats.url, SERVICES: kind, IMAGE_STORE_URL: "file:///tmp/no-images" };
    const options = brokerOptions(loadConfig({ ...env, LOG_LEVEL: "fatal" }));
    const middlewares = (options.middlewares ?? []).map(one =>
      typeof one === "object" && one.name === "ContractVersions"
        ? contractVersions({ version, oldest })
        : one,
    );
    const broker = new ServiceBroker({ ...options, middlewares });
    others.push(broker);
    let started = 0;
    broker.createService({
      name: "other",
      actions: { ask: async () => "answer" },
      async started() {
        started += 1;
      },
    });
    return { broker, started: () => started };
  }

  it("work together while the newer one reads the older one's messages", async () => {
    const node = await nodes.start();
    const { broker } = nodeOf(FUTURE, CONTRACTS.version);
    await broker.start();
    await sees(node, "other.ask");
    assert.equal(await node.call("other.ask"), "answer");
  });

  it("refuse to start beside an incompatible node, before any service starts, and say what to do", async () => {
    const node = await nodes.start();
    const { broker, started } = nodeOf(FUTURE, FUTURE);
    await assert.rejects(
      broker.start(),
      new RegExp(
        `version ${CONTRACTS.version} of the message contracts, and this node has version ${FUTURE}.*Stop all nodes of the older version`,
      ),
    );
    assert.equal(started(), 0);
    assert.equal(node.registry.actions.isAvailable("other.ask"), false);
  });

  it("keep a worker from starting, but not a core node if they are a worker's", async () => {
    await nodes.start();
    const { broker: worker, started } = nodeOf(FUTURE, FUTURE, "differ");
    await assert.rejects(worker.start(), /They can't work together/);
    assert.equal(started(), 0);
    await nodes.stop();
    await nodeOf(FUTURE, FUTURE, "differ").broker.start();
    await nodes.start();
  });

  it("ignore and report an incompatible node that joins anyway", async () => {
    const node = await nodes.start();
    const errors: string[] = [];
    node.logger.error = (message: unknown) => void errors.push(String(message));
    const { broker } = nodeOf(FUTURE, 1);
    await broker.start();
    broker.metadata.contracts = { version: FUTURE, oldest: FUTURE };
    broker.registry.regenerateLocalRawInfo(true);
    broker.localServiceChanged();
    await until(() => errors.length > 0);
    assert.match(errors[0] ?? "", /They can't work together/);
  });
});
