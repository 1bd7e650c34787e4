import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { onSignals } from "../../../shared/process.ts";

describe("onSignals", () => {
  afterEach(() => {
    for (const signal of ["SIGUSR2", "SIGWINCH"]) process.removeAllListeners(signal);
  });

  it("ignores a signal that npm forwards, but not another one, or the same one later", async () => {
    const heard: string[] = [];
    onSignals(process, ["SIGUSR2", "SIGWINCH"], {
      first: signal => heard.push(`first ${signal}`),
      again: signal => heard.push(`again ${signal}`),
    });
    const send = (signal: "SIGUSR2" | "SIGWINCH") => process.emit(signal, signal);
    send("SIGUSR2");
    send("SIGUSR2");
    assert.deepEqual(heard, ["first SIGUSR2"]);
    send("SIGWINCH");
    assert.deepEqual(heard, ["first SIGUSR2", "again SIGWINCH"]);
    await delay(1_050);
    send("SIGUSR2");
    assert.deepEqual(heard.at(-1), "again SIGUSR2");
  });
});
