import assert from "node:assert/strict";
import { ServiceError } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { decodeCursor, pageOf } from "../../../shared/pagination.ts";

const rows = Array.from({ length: 5 }, () => ({ id: newId("run") }));
const idOf = ({ id }: { id: string }) => id;

describe("A page of a list", () => {
  it("is the last one if no rows are left", () => {
    for (const limit of [5, 6]) {
      assert.deepEqual(pageOf("runs", rows, limit, idOf), { data: rows.map(idOf), nextCursor: null });
    }
    assert.deepEqual(pageOf("runs", [], 5, idOf), { data: [], nextCursor: null });
  });

  it("links the next one by the id of its last row", () => {
    const { data, nextCursor } = pageOf("runs", rows, 4, idOf);
    assert.deepEqual(data, rows.slice(0, 4).map(idOf));
    assert.equal(decodeCursor("runs", nextCursor ?? undefined), rows[3]?.id);
  });

  it("is the first one without a cursor", () => {
    assert.equal(decodeCursor("runs", undefined), undefined);
  });

  it("refuses a cursor of another list", () => {
    const cursor = pageOf("history mon_1", rows, 4, idOf).nextCursor ?? "";
    assert.equal(decodeCursor("history mon_1", cursor), rows[3]?.id);
    for (const other of ["history mon_2", "history", "runs", ""])
      assert.throws(() => decodeCursor(other, cursor), { message: /not a cursor of this list/ }, other);
  });

  it("refuses a cursor that no list created", () => {
    const ids = ["run_1", "' or 1=1 --", "", `${newId("run")}x`, `RUN_${"0".repeat(26)}`];
    const texts = [...ids.map(id => `runs ${id}`), newId("run"), ` ${newId("run")}`];
    const forged = texts.map(text => Buffer.from(text).toString("base64url"));
    for (const cursor of [...forged, "%%%", newId("run")]) {
      assert.throws(
        () => decodeCursor("runs", cursor),
        (error: unknown) => error instanceof ServiceError && error.data.errors?.[0]?.path === "cursor",
        cursor,
      );
    }
  });
});
