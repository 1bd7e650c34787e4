import assert from "node:assert/strict";
import { patchGroup, readGroup } from "../../../services/teams/scim/scim-group.rule.ts";
import type { PatchOperation } from "../../../services/teams/scim/scim-patch.rule.ts";
import { patchUser, readUser } from "../../../services/teams/scim/scim-user.rule.ts";

const add = (path: string, value: unknown): PatchOperation => ({ op: "add", path, value });
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const tooMany = { status: 400, scimType: "invalidValue" };

describe("A SCIM PATCH", () => {
  it("applies operations in order, with paths and with an object of attributes", () => {
    const patched = patchUser(readUser({ userName: "ada" }), [
      { op: "replace", value: { displayName: "Ada", "name.givenName": "Ada", active: "False" } },
      { op: "replace", path: "displayName", value: "Ada L." },
      { op: "remove", path: "name.givenName" },
    ]);
    assert.deepEqual(
      [patched.displayName, patched.active, patched.name, patched.userName],
      ["Ada L.", false, {}, "ada"],
    );
  });

  it("can't give a user more emails than one request can", () => {
    const emails = (from: number, to: number) => numbers(from, to).map(n => ({ value: `${n}@example.com` }));
    const user = patchUser(readUser({ userName: "ada" }), [add("emails", emails(0, 20))]);
    assert.equal(user.emails.length, 20);
    assert.throws(() => patchUser(user, [add("emails", emails(20, 21))]), tooMany);
  });

  it("can't give a group more members than one request can", () => {
    const members = (from: number, to: number) => numbers(from, to).map(n => ({ value: `user_${n}` }));
    const group = patchGroup(readGroup({ displayName: "Ops" }), [add("members", members(0, 5_000))]);
    assert.equal(group.members.length, 5_000);
    assert.throws(() => patchGroup(group, [add("members", members(5_000, 5_001))]), tooMany);
  });
});
