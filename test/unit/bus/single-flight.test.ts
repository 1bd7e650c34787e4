import assert from "node:assert/strict";
import { SingleFlight } from "../../../shared/async.ts";

/** Work that ends when the test ends it. */
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

describe("SingleFlight", () => {
  it("shares the next run among all requests during a run", async () => {
    const flights = new SingleFlight();
    const { gates, work } = gated();
    const first = flights.run("team", work);
    const others = Array.from({ length: 10 }, () => flights.run("team", work));
    assert.equal(gates.length, 1);
    gates[0]?.resolve();
    await first;
    await settled();
    assert.equal(gates.length, 2, "once more, for what came in meanwhile");
    gates[1]?.resolve();
    await Promise.all(others);
    const later = flights.run("team", work);
    assert.equal(gates.length, 3);
    gates[2]?.resolve();
    await later;
  });

  it("never runs the work twice at once, even if requested the moment it ends", async () => {
    const flights = new SingleFlight();
    const { gates, work } = gated();
    void flights.run("team", work);
    const second = flights.run("team", work);
    let third = second;
    const asked = gates[0]?.promise.then(async () => {
      for (let turn = 0; turn < 5; turn += 1) {
        third = flights.run("team", work);
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

  it("separates keys", () => {
    const flights = new SingleFlight();
    const { gates, work } = gated();
    void flights.run("one", work);
    void flights.run("other", work);
    assert.equal(gates.length, 2);
  });

  it("continues after a failure, which rejects that run's requests", async () => {
    const flights = new SingleFlight();
    const { gates, work } = gated();
    const first = flights.run("team", work);
    const second = flights.run("team", work);
    gates[0]?.reject(new Error("away"));
    await assert.rejects(first, /away/);
    await settled();
    gates[1]?.resolve();
    await second;
  });
});
