import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { ProgressStreams } from "../../services/gateway/progress-streams.ts";
import type { RunProgress } from "../../shared/contracts/http.ts";

const progress = (status: RunProgress["status"]): RunProgress => ({
  id: "run",
  status,
  conclusion: null,
  progress: { total: 1, captured: 0, compared: 0 },
  counts: { unchanged: 0, changed: 0, new: 0, removed: 0, failed: 0 },
  error: null,
});

describe("the streams of progress", () => {
  it("end with the run, also when the state that they begin with is read late", async () => {
    const streams = new ProgressStreams();
    const errors: Error[] = [];
    const server = createServer((_req, res) => {
      res.on("error", error => errors.push(error));
      const begin = streams.watch("run", "key", res);
      streams.tell(progress("completed"));
      begin(progress("rendering"));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      const port = typeof address === "object" ? address?.port : undefined;
      const text = await (await fetch(`http://127.0.0.1:${port}`)).text();
      assert.deepEqual(
        [...text.matchAll(/"status":"(\w+)"/g)].map(match => match[1]),
        ["completed"],
      );
      assert.deepEqual(errors, [], "nothing is written after the end");
    } finally {
      server.close();
    }
  });
});
