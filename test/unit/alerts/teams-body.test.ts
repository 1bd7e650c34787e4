import assert from "node:assert/strict";
import { teamsBody } from "../../../shared/contracts/teams/people.ts";

describe("The body that changes a team's members", () => {
  const role = "viewer";
  const faults: [body: object, paths: string[]][] = [
    [{ add: [{ login: "zed", role }], remove: ["zed"] }, ["remove.0"]],
    [{ add: [{ login: "zed", role }], remove: ["amy", "Zed"] }, ["remove.1"]],
    [
      {
        add: [
          { login: "zed", role },
          { login: "ZED", role: "admin" },
        ],
      },
      ["add.1.login"],
    ],
    [
      {
        add: [
          { email: "a@example.com", role },
          { email: "A@example.com", role },
        ],
      },
      ["add.1.email"],
    ],
    [{ remove: ["zed", "amy", "ZED", "zed"] }, ["remove.2", "remove.3"]],
    [
      {
        add: [
          { login: "zed", role },
          { email: "a@example.com", role },
        ],
        remove: ["amy"],
      },
      [],
    ],
  ];
  for (const [body, paths] of faults) {
    it(`names each user once: ${JSON.stringify(body)}`, () => {
      const { error } = teamsBody.safeParse({ teamId: "team_a", ...body });
      assert.deepEqual(error?.issues.map(({ path }) => path.join(".")) ?? [], paths);
    });
  }
});
