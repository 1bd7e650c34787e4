import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { canCreateTeams } from "../../../dashboard/settings/account-rules.ts";
import {
  type ActivityEntry,
  detailsOf,
  targetOf,
} from "../../../dashboard/settings/activity/activity-target.ts";
import { membersChanged } from "../../../dashboard/texts/settings/settings.ts";
import { type TeamView, teamView } from "../../../shared/contracts/teams/people.ts";
import { DEFAULT_TEAM_ID } from "../../../shared/ids.ts";

describe("A team's activity", () => {
  const act = (own: Partial<ActivityEntry>): ActivityEntry => ({
    ...{ id: "act_1", type: "key.created", target: "key_1", details: {}, at: "2026-11-22T12:00:00.000Z" },
    ...{ actor: { kind: "key", id: "key_0", name: "bootstrap" } },
    ...own,
  });

  it("names its target once", () => {
    const made = act({ details: { name: "CI", role: "viewer" } });
    assert.equal(targetOf(made)?.name, "CI");
    assert.equal(detailsOf(made), "role: viewer");
    const watched = act({ type: "monitor.created", target: "mon_1", details: { name: "Shop" } });
    assert.deepEqual(targetOf(watched), {
      name: "Shop",
      location: { page: "monitor", id: "mon_1", isEdited: false },
    });
    assert.equal(detailsOf(watched), "");
    assert.equal(targetOf({ ...watched, type: "monitor.deleted" })?.location, null);
    assert.equal(targetOf(act({ details: {} }))?.name, "key_1");
    const renamed = act({ type: "team.renamed", target: "team_1", details: { name: "Ours" } });
    assert.deepEqual([targetOf(renamed), detailsOf(renamed)], [null, "name: Ours"]);
  });
});

describe("The message after a change of members", () => {
  const invited = (email: string | null) => ({
    ...{ id: "inv_1", login: email ? null : "amy", email, role: "viewer" as const, invitedBy: "Bob" },
    ...{ createdAt: "2026-11-22T12:00:00.000Z", expiresAt: "2026-12-22T12:00:00.000Z" },
  });
  const words = (people: ReturnType<typeof invited>[], sendsMail: boolean) =>
    membersChanged({ teamId: "team_1", changed: [], invited: people, removed: [] }, sendsMail);

  it("mentions an email only if one is sent", () => {
    const [byMail, byLogin] = [invited("amy@example.com"), invited(null)];
    assert.match(words([byMail], true), /email will follow/);
    for (const nobody of [words([byMail], false), words([byLogin], true), words([byMail, byLogin], true)])
      assert.match(nobody, /No email is sent/);
  });

  it("names members who changed or left", () => {
    assert.equal(
      membersChanged({ teamId: "team_1", changed: [], invited: [], removed: ["zed", "amy"] }, true),
      "Members changed: zed, amy.",
    );
  });
});

describe("The permission to create a team", () => {
  const team = teamView.parse({
    ...{ id: "team_1", name: "Ours", role: "admin", readOnlyBecause: null, deletesAt: null },
    ...{
      requiredApprovals: 1,
      allowSelfApproval: true,
      linkDays: 90,
      publicLinks: true,
      createdAt: "2026-11-21T12:00:00.000Z",
    },
  });
  const key = { kind: "key", id: "key_1", name: "CI" } as const;
  const asks = (countsAs: string, of: Partial<TeamView> = {}) =>
    canCreateTeams({ actor: key, countsAs, team: { ...team, ...of } });

  it("belongs to users, and to keys that the service allows", () => {
    assert.equal(asks("key_1"), false);
    assert.equal(asks("user_1"), true);
    assert.equal(asks("user_1", { role: "reviewer" }), false);
    assert.equal(asks("key_1", { id: DEFAULT_TEAM_ID }), true);
    assert.equal(canCreateTeams({ actor: { ...key, kind: "user" }, countsAs: "user_1", team: null }), true);
  });
});
