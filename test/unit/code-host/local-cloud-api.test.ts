import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { localCloudApi } from "../../../services/scm/cloud-api/local-cloud-api.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";

const PERSON = { kind: "user", id: "user_1", name: "octocat" } as const;

/** The end of the bus at which teams and runs are, and who asked it for an approval. */
function installation(member: object | null, answer: () => object) {
  const approvedAs: Caller[] = [];
  const busAs = (caller: Caller): Bus => ({
    async call<Result>(name: string, params: object): Promise<Result> {
      if (name === "teams.memberByAccount") {
        assert.deepEqual(params, { teamId: "team_1", hostId: "583231" });
        // biome-ignore lint/plugin: what teams answers.
        return member as Result;
      }
      assert.deepEqual([name, params], ["runs.approve", { runId: "run_1" }]);
      approvedAs.push(caller);
      // biome-ignore lint/plugin: what runs answers.
      return answer() as Result;
    },
    emit: async () => {},
    broadcast: async () => {},
  });
  const cloud = localCloudApi(busAs, async () => "team_1");
  return { approve: () => cloud.approve("run_1", { id: "583231", login: "octocat" }), approvedAs };
}

const answered = (counts: object) => () => ({
  runId: "run_1",
  conclusion: "changed",
  rejected: 0,
  ...counts,
});

describe("Approving with a check's button", () => {
  it("is done as the person whose account pressed it, in the role that the team gives", async () => {
    const member = { actor: PERSON, role: "reviewer" };
    const { approve, approvedAs } = installation(member, answered({ approved: 2, pending: 0 }));
    assert.equal(await approve(), null);
    assert.deepEqual(approvedAs, [{ teamId: "team_1", role: "reviewer", actor: PERSON }]);
  });

  it("says what is missing where the team asks for more people", async () => {
    const member = { actor: PERSON, role: "admin" };
    const { approve } = installation(member, answered({ approved: 0, pending: 2 }));
    assert.equal(await approve(), "octocat approved. 2 screenshots need approval from another reviewer.");
  });

  it("is nobody's who is in no team, or who may only read", async () => {
    const stranger = installation(null, answered({}));
    assert.match((await stranger.approve()) ?? "", /octocat isn't a member of this team/);
    const viewer = installation({ actor: PERSON, role: "viewer" }, answered({}));
    assert.match((await viewer.approve()) ?? "", /octocat has the role viewer/);
    assert.deepEqual([...stranger.approvedAs, ...viewer.approvedAs], []);
  });

  it("is refused by what refuses it in the service, too", async () => {
    const member = { actor: PERSON, role: "reviewer" };
    const { approve } = installation(member, () => {
      throw new ServiceError("forbidden", "You submitted this run.");
    });
    await assert.rejects(approve(), { type: "forbidden", message: "You submitted this run." });
  });
});
