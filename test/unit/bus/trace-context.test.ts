import assert from "node:assert/strict";
import {
  formatTraceparent,
  parseTraceparent,
  spanIdOf,
  traceIdOf,
} from "../../../shared/tracing/trace-context.ts";
import { readOrigin } from "../../../shared/tracing/work-scope.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN = "00f067aa0ba902b7";
const VALID = `00-${TRACE}-${SPAN}-01`;

describe("A traceparent header", () => {
  const valid: [string, boolean][] = [
    [VALID, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-ff`, true],
    [`cc-${TRACE}-${SPAN}-01-of-the-future`, true],
  ];
  for (const [header, isSampled] of valid) {
    it(`is read: ${header}`, () => {
      assert.deepEqual(parseTraceparent(header), { traceId: TRACE, spanId: SPAN, isSampled });
    });
  }

  const invalid: unknown[] = [
    undefined,
    ["00"],
    "",
    `${VALID}, ${VALID}`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${"0".repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${"0".repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-0`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `${VALID}\n`,
    `cc-${TRACE}-${SPAN}-01-${"x".repeat(10_000)}`,
  ];
  for (const header of invalid) {
    it(`is ignored: ${String(header).slice(0, 80)}`, () => {
      assert.equal(parseTraceparent(header), null);
    });
  }

  it("is the same after it is read and written", () => {
    const context = parseTraceparent(VALID);
    assert.equal(context && formatTraceparent(context), VALID);
  });
});

describe("A trace's id", () => {
  it("is the request's id if that is a UUID", () => {
    assert.equal(traceIdOf("4BF92F35-77B3-4DA6-A3CE-929D0E0E4736"), TRACE);
  });

  for (const id of ["ci-job:4711", "", "0".repeat(32)]) {
    it(`is derived from any other id, and never zero: ${id || "none"}`, () => {
      assert.match(traceIdOf(id), /^(?!0+$)[0-9a-f]{32}$/);
      assert.equal(traceIdOf(id), traceIdOf(id));
    });
  }
});

describe("A span's id", () => {
  it("is the start of the id on the bus", () => {
    assert.equal(spanIdOf("00f067aa-0ba9-02b7-a3ce-929d0e0e4736"), SPAN);
    assert.equal(spanIdOf(SPAN), SPAN);
  });

  for (const id of [undefined, null, "", "00f067aa", "'; drop table", "0".repeat(16)]) {
    it(`is missing for ${JSON.stringify(id)}`, () => {
      assert.equal(spanIdOf(id), null);
    });
  }
});

describe("The origin of a job", () => {
  it("has the valid parts of what a message says", () => {
    assert.deepEqual(readOrigin("req-1", VALID), { requestId: "req-1", traceparent: VALID });
    assert.deepEqual(readOrigin("req-1", "broken"), { requestId: "req-1" });
    assert.deepEqual(readOrigin("two\nlines", VALID), { traceparent: VALID });
    assert.equal(readOrigin(undefined, undefined), null);
    assert.equal(readOrigin("x".repeat(101), "00-"), null);
  });
});
