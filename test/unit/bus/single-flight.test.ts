import assert from "node:assert/strict";
import { SingleFlight } from "../../../shared/single-flight.ts";

/** Work that ends when the test says so. */
function gated() {
  const gates: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const gate = Promise.withResolvers<void>();
    gates.push(gate);
    return gate.promise;
  };
  return { gates, work };
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve));

describe("turns", () => {
  it("share the next time among all who ask while it is done", async () => {
    const turns = new SingleFlight();
    const { gates, work } = gated();
    const first = turns.take("team", work);
    const others = Array.from({ length: 10 }, () => turns.take("team", work));
    assert.equal(gates.length, 1);
    gates[0]?.resolve();
    await first;
    await settled();
    assert.equal(gates.length, 2, "once more, for what came in meanwhile");
    gates[1]?.resolve();
    await Promise.all(others);
    const later = turns.take("team", work);
    assert.equal(gates.length, 3);
    gates[2]?.resolve();
    await later;
  });

  it("never do the work twice at once, also for who asks the moment that it ends", async () => {
    const turns = new SingleFlight();
    const { gates, work } = gated();
    void turns.take("team", work);
    const second = turns.take("team", work);
    let third = second;
    const asked = gates[0]?.promise.then(async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        third = turns.take("team", work);
        await null;
      }
    });
    gates[0]?.resolve();
    await asked;
    await settled();
    assert.equal(gates.length, 2);
    gates[1]?.resolve();
    await second;
    await settled();
    gates[2]?.resolve();
    await third;
  });

  it("are each key's own", () => {
    const turns = new SingleFlight();
    const { gates, work } = gated();
    void turns.take("one", work);
    void turns.take("other", work);
    assert.equal(gates.length, 2);
  });

  it("go on after a failure, which those of that time hear of", async () => {
    const turns = new SingleFlight();
    const { gates, work } = gated();
    const first = turns.take("team", work);
    const second = turns.take("team", work);
    gates[0]?.reject(new Error("away"));
    await assert.rejects(first, /away/);
    await settled();
    gates[1]?.resolve();
    await second;
  });
});
