import assert from "node:assert/strict";
import { eventReader } from "../../../shared/api/event-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

describe("A stream of server-sent events", () => {
  it("is parsed into names and data for any chunks, without comments", () => {
    const stream = bytes(
      'event: runs\r\ndata: {"name":\r\ndata:"ü"}\r\n\r\n:\n\nevent: runs\n\ndata: {}\n\n',
    );
    for (const partBytes of [1, 2, 7, stream.length]) {
      const read = eventReader();
      const events = Array.from({ length: Math.ceil(stream.length / partBytes) }, (_, i) =>
        read(stream.subarray(i * partBytes, (i + 1) * partBytes)),
      ).flat();
      assert.deepEqual(
        events.map(({ event, data }) => ({ event, data })),
        [
          { event: "runs", data: '{"name":\n"ü"}' },
          { event: undefined, data: "{}" },
        ],
      );
    }
  });

  it("refuses an event without an end", () => {
    const read = eventReader();
    assert.deepEqual(read(bytes(`data: ${"x".repeat(60_000)}`)), []);
    assert.throws(() => read(bytes("x".repeat(10_000))), /exceeded/);
  });
});
