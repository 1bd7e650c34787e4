import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { Authenticator, type Credential } from "../../services/gateway/authenticate.ts";
import type { Identity } from "../../shared/contracts/caller.ts";

const identity: Identity = { actor: { kind: "key", id: "key", name: "ci" }, teams: [], session: null };
const key: Credential = { kind: "key", hash: "some hash" };

describe("the gateway's knowledge of keys", () => {
  it("believes no answer that was on its way while the key was revoked", async () => {
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
      const authenticator = new Authenticator();
      const first = authenticator.identify(broker, key);
      await asked.promise;
      authenticator.forget([identity.actor.id]);
      answer.resolve(identity);
      await first;
      await assert.rejects(authenticator.identify(broker, key), { type: "unauthorized" });
    } finally {
      await broker.stop();
    }
  });
});
