import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { Authenticator, type Credential } from "../../../services/gateway/auth/authenticate.ts";
import { WrongCredentials } from "../../../services/gateway/auth/wrong-credentials.ts";
import type { Identity } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";

const identity: Identity = { actor: { kind: "key", id: "key", name: "ci" }, teams: [], session: null };
const authenticatorOf = (perMinute: number) =>
  new Authenticator({
    credentials: new WrongCredentials(perMinute),
    signIns: new WrongCredentials(perMinute),
  });
const key: Credential = { kind: "key", hash: "some hash" };

describe("Cached identities", () => {
  it("exclude responses that were on their way while the key was revoked", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Identity | null>();
    const answers = [answer.promise, Promise.resolve(null)];
    const broker = new ServiceBroker({ logger: false });
    broker.createService({
      name: "teams",
      actions: {
        authenticate() {
          asked.resolve();
          return answers.shift();
        },
      },
    });
    await broker.start();
    try {
      const authenticator = authenticatorOf(60);
      const first = authenticator.identify(broker, key, "192.0.2.1");
      await asked.promise;
      authenticator.invalidate([identity.actor.id]);
      answer.resolve(identity);
      await first;
      await assert.rejects(authenticator.identify(broker, key, "192.0.2.1"), { type: "unauthorized" });
    } finally {
      await broker.stop();
    }
  });

  describe("in a flood of wrong keys", () => {
    const FLOOD = "192.0.2.66";
    const good = new Set(["good", "new and good"]);
    const lookUps: string[] = [];
    let asked = 0;
    let broker: ServiceBroker;

    before(async () => {
      broker = new ServiceBroker({ logger: false });
      broker.createService({
        name: "teams",
        actions: {
          authenticate({ params }: { params: { keyHash: string } }) {
            lookUps.push(params.keyHash);
            return good.has(params.keyHash) ? identity : null;
          },
          knownCredentials({ params }: { params: { hashes: string[] } }) {
            asked += 1;
            return params.hashes.filter(hash => good.has(hash));
          },
        },
      });
      await broker.start();
    });
    after(() => broker.stop());

    it("look up 60 wrong keys per minute and address, and further ones in batches", async () => {
      const authenticator = authenticatorOf(60);
      const identify = (hash: string, address = FLOOD) =>
        authenticator.identify(broker, { kind: "key", hash }, address).then(
          () => "known",
          (error: unknown) => (error instanceof ServiceError ? error.type : String(error)),
        );
      assert.equal(await identify("good"), "known");
      for (let count = 0; count < 60; count += 1)
        assert.equal(await identify(`wrong ${count}`), "unauthorized");
      lookUps.length = 0;
      const flood = Array.from({ length: 1_500 }, (_, count) => identify(`flood ${count}`));
      // A cached key, a new key, and a key from another address.
      const others = [identify("good"), identify("new and good"), identify("wrong elsewhere", "192.0.2.1")];
      assert.deepEqual(await Promise.all(others), ["known", "known", "unauthorized"]);
      assert.deepEqual(new Set(await Promise.all(flood)), new Set(["rate_limited"]));
      assert.deepEqual(lookUps.toSorted(), ["new and good", "wrong elsewhere"]);
      assert.ok(asked <= 2, `${asked} questions for ${flood.length} keys`);
    });

    it("tell how long to wait, and that valid keys keep working", async () => {
      const authenticator = authenticatorOf(60);
      const identify = (hash: string) => authenticator.identify(broker, { kind: "key", hash }, FLOOD);
      for (let count = 0; count < 60; count += 1) await identify(`${count}`).catch(() => {});
      const error = await identify("one more").catch((reason: unknown) => reason);
      assert.ok(error instanceof ServiceError);
      const { retryAfterSeconds = 0 } = error.data;
      assert.ok(retryAfterSeconds > 0 && retryAfterSeconds <= 60, `${retryAfterSeconds}`);
      assert.match(error.message, /Valid credentials still work/);
    });

    it("keep valid keys, however many wrong ones arrive", async () => {
      const authenticator = authenticatorOf(60);
      const identify = (hash: string, address: string) =>
        authenticator.identify(broker, { kind: "key", hash }, address).catch(() => null);
      await identify("good", FLOOD);
      for (let count = 0; count < 1_200; count += 1) await identify(`wrong ${count}`, `198.51.100.${count}`);
      lookUps.length = 0;
      assert.ok(await identify("good", FLOOD));
      assert.deepEqual(lookUps, []);
    });
  });
});
