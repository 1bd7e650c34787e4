import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "mocha";
import {
  cut,
  cutEscaped,
  fittingLines,
  sizeOf,
  type TextLimit,
  type TextUnit,
} from "../../../shared/text/text-limits.ts";

const text = fc.string({ unit: "binary", maxLength: 200 }).map(any => any.toWellFormed());
const limit = fc.record({
  max: fc.integer({ min: 0, max: 300 }),
  unit: fc.constantFrom<TextUnit[]>("bytes", "utf16", "characters"),
});

describe("Text limits", () => {
  it("count a text as each receiver does", () => {
    const sizes = (["bytes", "utf16", "characters"] as const).map(unit => sizeOf("日🛒a", unit));
    assert.deepEqual(sizes, [8, 4, 3]);
  });

  it("cut only long texts, to whole characters within the limit", () => {
    fc.assert(
      fc.property(text, limit, (long: string, { max, unit }: TextLimit) => {
        const short = cut(long, { max, unit });
        assert.ok(sizeOf(short, unit) <= max);
        assert.ok(short.isWellFormed());
        if (sizeOf(long, unit) <= max) assert.equal(short, long);
        else if (short !== "") assert.ok(short.endsWith("…") && long.startsWith(short.slice(0, -1)));
      }),
    );
  });

  it("apply to the escaped text, and cut no escape", () => {
    const escaped = (plain: string) => plain.replaceAll(/[^a-z]/gu, sign => `&#${sign.codePointAt(0)};`);
    fc.assert(
      fc.property(text, limit, (long: string, { max, unit }: TextLimit) => {
        const short = cutEscaped(long, { max, unit }, escaped);
        assert.ok(sizeOf(short, unit) <= max);
        assert.match(short, /^([a-z]|&#\d+;)*$/);
      }),
    );
  });

  it("keep the first lines that fit, and count the others", () => {
    assert.deepEqual(fittingLines(["日本", "b", "c"], { max: 9, unit: "bytes" }), {
      lines: ["日本", "b"],
      left: 1,
    });
    assert.deepEqual(fittingLines(["日本", "b"], { max: 5, unit: "utf16" }), {
      lines: ["日本", "b"],
      left: 0,
    });
  });
});
