import assert from "node:assert/strict";
import { ServiceBroker } from "moleculer";
import { Authenticator } from "../../services/gateway/authenticate.ts";
import type { Caller } from "../../shared/contracts/actions.ts";

const caller: Caller = { teamId: "team", role: "admin", actor: { kind: "key", id: "key", name: "ci" } };

describe("the gateway's knowledge of keys", () => {
  it("believes no answer that was on its way while the key was revoked", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Caller | null>();
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
      const first = authenticator.caller(broker, "Bearer some-key");
      await asked.promise;
      authenticator.forget(caller.actor.id);
      answer.resolve(caller);
      await first;
      await assert.rejects(authenticator.caller(broker, "Bearer some-key"), { type: "unauthorized" });
    } finally {
      await broker.stop();
    }
  });
});
