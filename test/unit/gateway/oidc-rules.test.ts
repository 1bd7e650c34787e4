import assert from "node:assert/strict";
import { decideRole } from "../../../services/teams/sign-in/oidc/decide-role.rule.ts";
import { providerErrorOf } from "../../../services/teams/sign-in/oidc/provider-error.ts";
import {
  completeClaims,
  lacksClaims,
  readAccount,
} from "../../../services/teams/sign-in/oidc/read-claims.rule.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";

describe("The role of a provider's user", () => {
  const rules = {
    defaultRole: null,
    groupRoles: [
      { group: "qa", role: "reviewer" as const },
      { group: "own", role: "admin" as const },
      { group: "all", role: "viewer" as const },
    ],
  };
  const managed = (role: Role) => ({ role, isManaged: true });
  const invited = (role: Role) => ({ role, isManaged: false });

  const cases: [string, Parameters<typeof decideRole>, Role | null][] = [
    [
      "lets nobody join by rules where that is off",
      [{ letsJoin: false, defaultRole: "viewer", groupRoles: [{ group: "a", role: "admin" }] }, ["a"], null],
      null,
    ],
    [
      "gives members their groups' role where joining is off",
      [
        { letsJoin: false, defaultRole: null, groupRoles: [{ group: "a", role: "admin" }] },
        ["a"],
        { role: "viewer", isManaged: false },
      ],
      "admin",
    ],
    ["is the highest of the groups", [rules, ["all", "own", "qa"], null], "admin"],
    ["is none without a group", [rules, ["QA"], null], null],
    ["is the default without a group", [{ ...rules, defaultRole: "viewer" }, [], null], "viewer"],
    ["falls with the groups", [rules, ["all"], managed("admin")], "viewer"],
    ["ends with the last group", [rules, [], managed("admin")], null],
    ["falls to the default", [{ ...rules, defaultRole: "viewer" }, [], managed("admin")], "viewer"],
    ["stays for members that an admin added", [rules, [], invited("admin")], "admin"],
    ["changes by a group for members that an admin added", [rules, ["all"], invited("admin")], "viewer"],
    ["stays if the groups are unknown", [rules, null, managed("admin")], "admin"],
    [
      "is the default for a new user with unknown groups",
      [{ ...rules, defaultRole: "viewer" }, null, null],
      "viewer",
    ],
    ["stays without rules", [{ defaultRole: "viewer", groupRoles: [] }, ["own"], managed("admin")], "admin"],
  ];
  for (const [what, given, role] of cases) it(what, () => assert.equal(decideRole(...given), role));
});

describe("The claims of a provider's user", () => {
  const read = (claims: Record<string, unknown>, groupsClaim = "groups") =>
    readAccount(claims, "sub-1", groupsClaim);

  it("prove an address only if the provider verified it", () => {
    for (const verified of [true, "true"])
      assert.equal(read({ email: "A@b.example", email_verified: verified }).email, "a@b.example");
    for (const verified of [false, "false", undefined, 1, "yes"])
      assert.equal(read({ email: "a@b.example", email_verified: verified }).email, null, String(verified));
    assert.equal(read({ email: "no address", email_verified: true }).email, null);
  });

  it("prove an address only in the answer that has it", () => {
    const emailOf = (token: object, userinfo: object) =>
      read(completeClaims({ ...token }, { ...userinfo })).email;
    const verified = { email: "own@b.example", email_verified: true };
    assert.equal(emailOf({ email: "other@b.example" }, verified), null);
    assert.equal(emailOf({ email_verified: true }, { email: "other@b.example" }), null);
    assert.equal(emailOf({ ...verified, email_verified: false }, verified), null);
    assert.equal(emailOf(verified, { email: "other@b.example" }), "own@b.example");
    assert.equal(emailOf({ email: "own@b.example" }, verified), "own@b.example");
    assert.equal(emailOf({}, verified), "own@b.example");
    assert.deepEqual(completeClaims({ sub: "1", name: "A" }, { name: "B", groups: ["a"] }).groups, ["a"]);
    assert.equal(completeClaims({ name: "A" }, { name: "B" }).name, "A");
  });

  it("name the user by address, user name, or subject", () => {
    assert.equal(
      read({ email: "a@b.example", email_verified: true, preferred_username: "a" }).login,
      "a@b.example",
    );
    assert.equal(read({ email: "a@b.example", preferred_username: "a\u0000b" }).login, "ab");
    assert.equal(read({ upn: "u@b.example" }).login, "u@b.example");
    assert.equal(read({ preferred_username: " " }).login, "sub-1");
  });

  it("have groups as a list, one text, or at a path", () => {
    assert.deepEqual(read({ groups: ["a", 1, null, " ", "b"] }).groups, ["a", "b"]);
    assert.deepEqual(read({ hd: "acme.example" }, "hd").groups, ["acme.example"]);
    assert.deepEqual(read({ realm_access: { roles: ["a"] } }, "realm_access.roles").groups, ["a"]);
    assert.deepEqual(read({ "https://acme/groups": ["a"] }, "https://acme/groups").groups, ["a"]);
    assert.deepEqual(read({}).groups, []);
    assert.deepEqual(read({}, "constructor.name").groups, []);
    assert.equal(read({ _claim_names: { groups: "src1" } }).groups, null, "too many to send");
    assert.equal(read({ groups: Array.from({ length: 5_000 }, (_, n) => `g${n}`) }).groups?.length, 2_000);
  });

  it("are completed by the userinfo endpoint only if some are missing", () => {
    assert.equal(lacksClaims({ email: "a", groups: [] }, "groups"), false);
    assert.equal(lacksClaims({ groups: [] }, "groups"), true);
    assert.equal(lacksClaims({ email: "a" }, "groups"), true);
  });
});

describe("The failure of a provider", () => {
  it("can be stored, also if its text is cut within a character", () => {
    const { message } = providerErrorOf(new Error(`${"a".repeat(299)}\u{1f600}\n`));
    assert.ok(message.isWellFormed());
    assert.doesNotMatch(message, /\p{Cc}/u);
  });
});
