import assert from "node:assert/strict";
import { captureRoute } from "../../services/renderer/capture-route.ts";
import type { ResultJob } from "../../shared/contracts/jobs.ts";
import { CaptureRig } from "../support/capture-rig.ts";
import { html } from "../support/flake-pages.ts";

describe("a route's screenshots", () => {
  let rig: CaptureRig;

  before(async () => {
    rig = await CaptureRig.start({ "/": html("<h1>Home</h1>") });
  });
  after(() => rig?.stop());

  it("are tried again when one could not be stored, and the process lives on", async () => {
    const full = new Error("no space left on device");
    const told: string[] = [];
    const node = {
      browsers: rig.pool,
      images: {
        put: () => Promise.reject(full),
        get: () => Promise.reject(full),
        open: () => Promise.reject(full),
        olderThan: () => {
          throw full;
        },
        setAside: () => Promise.reject(full),
        putBack: () => Promise.reject(full),
        remove: () => Promise.reject(full),
        close: async () => {},
      },
      bus: {
        call: () => Promise.reject(full),
        emit: async (name: string) => void told.push(name),
        broadcast: async () => {},
      },
      tell: async ({ kind }: ResultJob) => void told.push(kind),
      onCapture: () => {},
    };
    const screenshots = [320, 640].map(viewport => ({
      id: `shot ${viewport}`,
      viewport,
      baselineHash: null,
    }));
    const job = { runId: "run", teamId: "team", url: rig.site.url, options: {}, screenshots };
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on("unhandledRejection", note);
    try {
      await assert.rejects(captureRoute(node, job, new AbortController().signal), full);
    } finally {
      process.off("unhandledRejection", note);
    }
    assert.deepEqual(unhandled, [], "Node ends a process with a rejection that nobody handles");
    assert.deepEqual(told, ["capture.started"]);
  });
});
