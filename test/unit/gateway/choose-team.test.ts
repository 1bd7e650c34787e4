import assert from "node:assert/strict";
import { chooseTeam } from "../../../services/gateway/auth/admit.ts";
import { teamView } from "../../../shared/contracts/teams/people.ts";

describe("The team of a request", () => {
  const team = (id: string, deletesAt: string | null = null) =>
    teamView.parse({
      ...{ id, name: id, role: "admin", readOnlyBecause: null, deletesAt },
      ...{ requiredApprovals: 1, allowSelfApproval: true, linkDays: 90, publicLinks: true },
      createdAt: "2026-11-21T12:00:00.000Z",
    });
  const deleted = team("team_1", "2026-11-28T12:00:00.000Z");
  const chosen = (teams: ReturnType<typeof team>[], id?: string) =>
    chooseTeam({ actor: { kind: "user", id: "user_1", name: "ada" }, teams, session: null }, id).id;

  it("without a name is the first one that is not deleted", () => {
    assert.equal(chosen([deleted, team("team_2"), team("team_3")]), "team_2");
  });

  it("is a deleted one if it is named, or the only one", () => {
    assert.equal(chosen([deleted, team("team_2")], "team_1"), "team_1");
    assert.equal(chosen([deleted]), "team_1");
  });
});
