import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { ProgressStreams } from "../../../services/gateway/streams/progress-streams.ts";
import type { RunProgress } from "../../../shared/contracts/runs/runs.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { until } from "../../support/drivers/until.ts";

const progress = (status: RunProgress["status"]): RunProgress => ({
  id: "run",
  status,
  conclusion: null,
  progress: { total: 1, captured: 0, compared: 0 },
  counts: { unchanged: 0, minor: 0, changed: 0, new: 0, removed: 0, failed: 0 },
  error: null,
});

/** Opens a stream over HTTP, reads it to its end, and closes both. */
async function streamed(
  streams: ProgressStreams,
  read: () => Promise<RunProgress>,
  during: (begin: (progress: RunProgress) => void) => void,
  reviews = false,
): Promise<{ statuses: (string | undefined)[]; errors: Error[] }> {
  const errors: Error[] = [];
  const server = createServer((_req, res) => {
    res.on("error", error => errors.push(error));
    during(streams.open({ runId: "run", actorId: "key", openedBy: ["key"], reviews, read }, res));
    res.flushHeaders();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const address = server.address();
    const port = typeof address === "object" ? address?.port : undefined;
    const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
    return { statuses: [...text.matchAll(/"status":"(\w+)"/g)].map(match => match[1]), errors };
  } finally {
    server.close();
  }
}

const unread = () => Promise.reject(new Error("not to be read"));

describe("Progress streams", () => {
  it("end with the run, also if the first state is read after the end", async () => {
    const streams = new ProgressStreams();
    const { statuses, errors } = await streamed(streams, unread, begin => {
      streams.publish(progress("completed"));
      begin(progress("rendering"));
    });
    assert.deepEqual(statuses, ["completed"]);
    assert.deepEqual(errors, [], "nothing is written after the end");
  });

  it("end with the run if the event of its end is lost, and survive failed reads", async () => {
    const states = [new ServiceError("unavailable", "Later."), progress("comparing"), progress("completed")];
    const read = async () => {
      const state = states.shift() ?? progress("completed");
      if (state instanceof Error) throw state;
      return state;
    };
    const { statuses } = await streamed(new ProgressStreams(20), read, begin => begin(progress("rendering")));
    assert.deepEqual([statuses.at(0), statuses.at(-1)], ["rendering", "completed"]);
    assert.deepEqual(states, [], "every state was read");
  });

  it("don't send a state that was read before a newer one was published", async () => {
    const streams = new ProgressStreams(20);
    const reads = [Promise.withResolvers<RunProgress>()];
    // Later than the published state is sent, which is throttled.
    const read = () => reads.pop()?.promise ?? delay(500, progress("completed"));
    const [old] = reads;
    const { statuses } = await streamed(streams, read, begin => {
      begin(progress("rendering"));
      const look = setInterval(() => {
        if (reads.length > 0) return;
        clearInterval(look);
        streams.publish(progress("comparing"));
        old?.resolve(progress("rendering"));
      }, 5);
    });
    assert.equal(statuses.filter(status => status === "rendering").length, 1);
    assert.equal(statuses.at(-1), "completed");
  });

  for (const code of ["unauthorized", "not_found", "conflict"] as const) {
    it(`end if reading the run fails with ${code}`, async () => {
      const read = () => Promise.reject(new ServiceError(code, "No more."));
      const { statuses } = await streamed(new ProgressStreams(20), read, begin =>
        begin(progress("rendering")),
      );
      assert.deepEqual(statuses, ["rendering"]);
    });
  }

  it("send reviews after the run's end if requested, and send nothing twice", async () => {
    const streams = new ProgressStreams(20);
    const states: string[] = [];
    const read = async () => {
      states.push("read");
      return { ...progress("completed"), conclusion: "approved" as const };
    };
    const { statuses } = await streamed(
      streams,
      read,
      begin => {
        begin(progress("completed"));
        setTimeout(() => streams.publish(progress("completed")), 300);
        const look = setInterval(() => {
          if (states.length < 40) return;
          clearInterval(look);
          streams.endOpenedBy(["key"]);
        }, 5);
      },
      true,
    );
    // The first state, the published one, and at most one read after each.
    assert.ok(statuses.length >= 3 && statuses.length <= 4, statuses.join(" "));
  });

  it("end if the reader disconnected before they started, and free their places", async function () {
    this.timeout(10_000);
    const gone = Promise.withResolvers<ServerResponse>();
    const server = createServer((_req, res) => {
      res.once("close", () => gone.resolve(res));
      res.flushHeaders();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      await (await fetch(`http://127.0.0.1:${port}`)).body?.cancel();
      const res = (await gone.promise).setMaxListeners(0);
      const streams = new ProgressStreams(20);
      const watched = { runId: "run", actorId: "key", openedBy: ["key"], reviews: false, read: unread };
      const watch = () => streams.open(watched, res);
      for (let count = 0; count < 50; count += 1) watch();
      assert.throws(watch, { type: "rate_limited" });
      await until(() => {
        try {
          watch();
        } catch {
          return false;
        }
        return true;
      });
      streams.close();
    } finally {
      server.close();
    }
  });

  it("end if their key is revoked, while others continue", async () => {
    const streams = new ProgressStreams();
    const { statuses } = await streamed(streams, unread, begin => {
      begin(progress("rendering"));
      streams.endOpenedBy(["other"]);
      streams.publish({ ...progress("comparing"), id: "run" });
      setTimeout(() => streams.endOpenedBy(["key"]), 500);
    });
    assert.deepEqual(statuses, ["rendering", "comparing"]);
  });
});
