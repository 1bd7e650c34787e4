import assert from "node:assert/strict";
import { headers } from "nats";
import { encodeJob, readDelivery } from "../../../mixins/queue/job-message.ts";
import { areCompatible, CONTRACTS } from "../../../shared/contracts/contract-version.ts";

const JOB = { runId: "run", screenshotId: "shot", baselineHash: "a", currentHash: "b", token: "" };
const REPLY = "$JS.ACK.vrs-compare.workers.1.7.7.1700000000000000000.0";

/** Reads the contracts of a job with these headers. */
function contractsIn(head: Awaited<ReturnType<typeof encodeJob>>["headers"]) {
  return readDelivery({ subject: "vrs.work.compare.run.shot", reply: REPLY, headers: head }).contracts;
}

describe("A job in JetStream", () => {
  it("carries the contracts of the node that wrote it", async () => {
    const { headers: head } = await encodeJob("compare", JOB, { id: "shot", fairKey: "run" });
    assert.deepEqual(contractsIn(head), CONTRACTS);
  });

  it("of a region goes to no node that would capture its pages from elsewhere", async () => {
    const page = { url: "https://shop.example/", options: {}, rendering: null, screenshots: [] };
    const capture = { runId: "run", teamId: "team", ...page };
    const rangeOf = async (more: { region?: string }) => {
      const { headers: head } = await encodeJob(
        "capture",
        { ...capture, ...more },
        { id: "a", fairKey: "run" },
      );
      return contractsIn(head);
    };
    const [regional, other] = [await rangeOf({ region: "eu-west" }), await rangeOf({})];
    const older = { version: 2, oldest: 1 };
    assert.equal(areCompatible(older, regional), false);
    assert.equal(areCompatible(CONTRACTS, regional), true);
    assert.equal(areCompatible(older, other), true);
  });

  it("has the first version without them", () => {
    assert.deepEqual(contractsIn(headers()), { version: 1, oldest: 1 });
  });

  it("is readable by no version if they are not numbers", () => {
    const head = headers();
    head.set("Vrs-Contract", "two one");
    assert.deepEqual(contractsIn(head), { version: 0, oldest: 0 });
  });
});
