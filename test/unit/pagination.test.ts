import assert from "node:assert/strict";
import { ServiceError } from "../../shared/errors.ts";
import { newId } from "../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../shared/pagination.ts";

const rows = Array.from({ length: 5 }, () => ({ id: newId("run") }));
const idOf = ({ id }: { id: string }) => id;

describe("a page of a list", () => {
  it("is the last when there are no more rows than it holds", () => {
    for (const limit of [5, 6]) {
      assert.deepEqual(pageOf(rows, limit, idOf), { data: rows.map(idOf), nextCursor: null });
    }
    assert.deepEqual(pageOf([], 5, idOf), { data: [], nextCursor: null });
  });

  it("leads to the next with the id of its own last row", () => {
    const { data, nextCursor } = pageOf(rows, 4, idOf);
    assert.deepEqual(data, rows.slice(0, 4).map(idOf));
    assert.equal(decodeCursor(nextCursor ?? undefined), rows[3]?.id);
  });

  it("is the first without a cursor", () => {
    assert.equal(decodeCursor(undefined), undefined);
  });

  it("is none for a cursor that no list handed out", () => {
    const forged = ["run_1", "' or 1=1 --", "", `${newId("run")}x`, `RUN_${"0".repeat(26)}`].map(text =>
      Buffer.from(text).toString("base64url"),
    );
    for (const cursor of [...forged, "%%%", newId("run")]) {
      assert.throws(
        () => decodeCursor(cursor),
        (error: unknown) => error instanceof ServiceError && error.data.errors?.[0]?.path === "cursor",
        cursor,
      );
    }
  });
});
