import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { ServiceBroker } from "moleculer";
import { ownerOf } from "../../../services/gateway/auth/shared-buckets.ts";
import gateway from "../../../services/gateway/gateway.service.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { DrawnRequests } from "../../../shared/contracts/limits.ts";
import { freePort } from "../../support/drivers/free-port.ts";
import { NatsServer } from "../../support/servers/nats-server.ts";
import { BusNodes, dropDead, sees } from "../../support/servers/nodes/bus-node.ts";
import { needs } from "../../support/servers/server-programs.ts";

const PER_MINUTE = 300;
/** Concurrent requests per gateway. */
const CALLERS = 5;
/** Allowed deviation from a key's limit over all gateways. */
const TOLERANCE = 0.1;

/** Prefix of wrong keys. */
const WRONG = "wrong";

/** Numbers of responses to a key. */
interface Answers {
  accepted: number;
  refused: number;
}

interface GatewayNode {
  broker: ServiceBroker;
  url: string;
}

describe("The rate limit of a key over two gateways on one bus", () => {
  needs("nats-server");
  let nats: NatsServer;
  let nodes: BusNodes;
  let gateways: GatewayNode[] = [];

  beforeEach(async () => {
    nats = await NatsServer.start();
    nodes = new BusNodes(nats);
    await startTeams(nodes);
    gateways = await Promise.all([startGateway(nodes), startGateway(nodes)]);
    for (const { broker } of gateways) {
      await sees(broker, "gateway.draw", 2);
      await sees(broker, "teams.authenticate");
    }
  });
  afterEach(async () => {
    await nodes?.stop();
    await nats?.close();
  });

  const addresses = () => gateways.map(({ url }) => url);

  it("applies within 10%, however the requests are distributed", async () => {
    for (const [key, urls] of [
      ["on both", addresses()],
      ["on the first", addresses().slice(0, 1)],
      ["on the second", addresses().slice(1)],
    ] as const) {
      const { accepted, allowed } = await flood(urls, key);
      assert.ok(accepted <= allowed * (1 + TOLERANCE), `${key}: ${accepted} of ${allowed} were accepted`);
      assert.ok(
        accepted >= allowed * (1 - TOLERANCE),
        `${key}: only ${accepted} of ${allowed} were accepted`,
      );
    }
  });

  it("applies to the wrong keys of an address over both gateways", async () => {
    const statuses = new Map<number, number>();
    for (let sent = 0; sent < PER_MINUTE + 20; sent++) {
      for (const url of addresses()) {
        const status = await ask(url, `${WRONG} ${sent}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    assert.equal(statuses.get(401), PER_MINUTE);
    assert.equal(statuses.get(429), PER_MINUTE + 40);
    assert.equal(await ask(addresses()[0] ?? "", "right"), 200);
  });

  it("is counted by each gateway alone if the one with the bucket is gone", async () => {
    const ids = gateways.map(({ broker }) => broker.nodeID);
    const [first, second] = gateways;
    assert.ok(first && second);
    const key = keyOwnedBy(second.broker, ids);
    assert.equal(await ask(first.url, key), 200);
    await dropDead(second.broker);
    const begun = performance.now();
    for (let asked = 0; asked < 30; asked++) assert.equal(await ask(first.url, key), 200);
    assert.ok(performance.now() - begun < 8_000, "it was waited for once");
  });

  it("is counted by each gateway alone if the one with the bucket does not respond", async () => {
    const [first] = gateways;
    assert.ok(first);
    let draws = 0;
    const released = Promise.withResolvers<DrawnRequests>();
    const silent = nodes.make();
    const draw = () => {
      draws += 1;
      return released.promise;
    };
    silent.createService({ name: "gateway", actions: { draw } });
    await silent.start();
    try {
      await sees(first.broker, "gateway.draw", 3);
      const key = keyOwnedBy(silent, [...gateways.map(({ broker }) => broker.nodeID), silent.nodeID]);
      const begun = performance.now();
      for (let asked = 0; asked < 30; asked++) assert.equal(await ask(first.url, key), 200);
      assert.equal(draws, 1, "the gateway waits for it once");
      assert.ok(performance.now() - begun < 8_000, "it waits for a second");
    } finally {
      released.resolve({ requests: 0, inBucket: 0 });
    }
  });
});

describe("The gateway with a key's bucket", () => {
  const NODES = ["core.a", "core.b", "core.c"];
  const keys = Array.from({ length: 300 }, (_, i) => `key_${i}`);

  it("is the same for any order of the nodes", () => {
    for (const key of keys) assert.equal(ownerOf(key, NODES), ownerOf(key, NODES.toReversed()));
  });

  it("gets an equal share of the keys, and keeps them if another one leaves", () => {
    for (const node of NODES) {
      const kept = keys.filter(key => ownerOf(key, NODES) === node);
      assert.ok(kept.length > 60 && kept.length < 140, `${node} keeps ${kept.length}`);
    }
    const moved = keys.filter(key => ownerOf(key, NODES) !== ownerOf(key, NODES.slice(0, 2)));
    assert.ok(moved.every(key => ownerOf(key, NODES) === "core.c"));
  });

  it("is null without gateways", () => {
    assert.equal(ownerOf("key", []), null);
  });
});

/** Starts a teams service in which every key except wrong ones has its own identity. */
async function startTeams(nodes: BusNodes): Promise<void> {
  const broker = nodes.make();
  const wrong = new Set(Array.from({ length: 2 * PER_MINUTE }, (_, i) => hashKey(tokenOf(`${WRONG} ${i}`))));
  broker.createService({
    name: "teams",
    actions: {
      authenticate: ({ params: { keyHash } }) =>
        wrong.has(keyHash)
          ? null
          : { actor: { kind: "key", id: `key_${keyHash}`, name: "test" }, teams: [], session: null },
      knownCredentials: ({ params: { hashes } }) => hashes.filter((hash: string) => !wrong.has(hash)),
    },
  });
  await broker.start();
}

async function startGateway(nodes: BusNodes): Promise<GatewayNode> {
  const port = await freePort();
  const broker = nodes.make(undefined, { PORT: String(port), SERVICE_RATE_LIMIT: String(PER_MINUTE) });
  broker.createService(gateway);
  await broker.start();
  return { broker, url: `http://localhost:${port}` };
}

function tokenOf(key: string): string {
  return key.replaceAll(" ", "-");
}

/** Returns the actor of a key. */
function actorOf(key: string): string {
  return `key_${hashKey(tokenOf(key))}`;
}

/** Returns a key whose bucket this node owns, among these nodes. */
function keyOwnedBy({ nodeID }: ServiceBroker, nodeIds: readonly string[]): string {
  const keys = Array.from({ length: 100 }, (_, index) => `key ${index}`);
  const key = keys.find(name => ownerOf(actorOf(name), nodeIds) === nodeID);
  assert.ok(key !== undefined);
  return key;
}

async function ask(url: string, key: string): Promise<number> {
  const Authorization = `Bearer ${tokenOf(key)}`;
  const answer = await fetch(`${url}/v1/session`, { headers: { Authorization } });
  await answer.arrayBuffer();
  return answer.status;
}

/** Sends requests until most are refused. @returns the accepted requests, and the limit for that time */
async function flood(urls: readonly string[], key: string): Promise<{ accepted: number; allowed: number }> {
  const answers: Answers = { accepted: 0, refused: 0 };
  const begun = performance.now();
  const call = async (url: string) => {
    while (answers.refused < PER_MINUTE) {
      const status = await ask(url, key);
      assert.ok(status === 200 || status === 429, String(status));
      answers[status === 200 ? "accepted" : "refused"] += 1;
      if (status === 429) await delay(50);
    }
  };
  await Promise.all(urls.flatMap(url => Array.from({ length: CALLERS }, () => call(url))));
  const minutes = (performance.now() - begun) / 60_000;
  return { accepted: answers.accepted, allowed: PER_MINUTE * (1 + minutes) };
}
