import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { isFinal, publicMessageOf } from "../../../services/scm/cloud-api/cloud-api.ts";
import { localCloudApi } from "../../../services/scm/cloud-api/local-cloud-api.ts";
import { ApiError, errorOf } from "../../../shared/api/api-exchanges.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { ServiceError } from "../../../shared/errors.ts";

const PERSON = { kind: "user", id: "user_1", name: "octocat" } as const;

/** A bus with teams and runs that records who asked for an approval. */
function installation(member: object | null, answer: () => object) {
  const approvedAs: Caller[] = [];
  const busAs = (caller: Caller): Bus => ({
    async call<Result>(name: string, params: object): Promise<Result> {
      if (name === "teams.memberByAccount") {
        assert.deepEqual(params, { teamId: "team_1", hostId: "583231" });
        // biome-ignore lint/plugin: the response of teams.
        return member as Result;
      }
      assert.deepEqual([name, params], ["runs.approve", { runId: "run_1" }]);
      approvedAs.push(caller);
      // biome-ignore lint/plugin: the response of runs.
      return answer() as Result;
    },
    emit: async () => {},
    broadcast: async () => {},
  });
  const cloud = localCloudApi(busAs, async () => "team_1");
  return { cloud, approve: () => cloud.approve("run_1", { id: "583231", login: "octocat" }), approvedAs };
}

/** Returns why an approval does not count. */
async function refusalOf({ approve }: ReturnType<typeof installation>): Promise<string> {
  const { isRecorded, note } = await approve();
  assert.equal(isRecorded, false);
  return note ?? "";
}

const answered = (counts: object) => () => ({
  runId: "run_1",
  conclusion: "changed",
  rejected: 0,
  ...counts,
});

describe("An approval with a check run's button", () => {
  it("is made by the member with the account, in the member's role", async () => {
    const member = { actor: PERSON, role: "reviewer" };
    const { approve, approvedAs } = installation(member, answered({ approved: 2, pending: 0 }));
    assert.deepEqual(await approve(), { isRecorded: true, note: null });
    assert.deepEqual(approvedAs, [{ teamId: "team_1", role: "reviewer", actor: PERSON }]);
  });

  it("reports how many more approvals the team requires", async () => {
    const member = { actor: PERSON, role: "admin" };
    const { approve } = installation(member, answered({ approved: 0, pending: 2 }));
    assert.deepEqual(await approve(), {
      isRecorded: true,
      note: "octocat approved. 2 screenshots need approval from another reviewer.",
    });
  });

  it("is refused for accounts outside the team, for viewers, and if only the provider signs in", async () => {
    const stranger = installation(null, answered({}));
    assert.match(await refusalOf(stranger), /octocat isn't a member of this team/);
    const viewer = installation({ actor: PERSON, role: "viewer" }, answered({}));
    assert.match(await refusalOf(viewer), /octocat has the role viewer/);
    const closed = installation({ actor: PERSON, role: "admin", isClosed: true }, answered({}));
    assert.match(await refusalOf(closed), /only allows sign-in with its identity provider/);
    assert.deepEqual([...stranger.approvedAs, ...viewer.approvedAs, ...closed.approvedAs], []);
  });

  it("is refused when the service refuses it", async () => {
    const member = { actor: PERSON, role: "reviewer" };
    const { approve } = installation(member, () => {
      throw new ServiceError("forbidden", "You submitted this run.");
    });
    await assert.rejects(approve(), { type: "forbidden", message: "You submitted this run." });
  });
});

describe("A submission of the app", () => {
  it("is refused for good if its body is invalid", async () => {
    const { cloud } = installation(null, answered({}));
    const refused = await cloud.submit({ url: "http://archive.localhost/" }, "chr_1_1").catch(error => error);
    assert.equal(isFinal(refused), true);
    assert.equal(refused.message, '"url" is required without `archive`.');
  });

  it("shows messages of the error catalogue, but no page of a proxy", async () => {
    const page = new Response("<html>upstream 10.0.0.5:3000 failed</html>", { status: 502 });
    assert.equal(publicMessageOf(await errorOf(page)), null);
    const message = "Your plan's monthly limit is reached.";
    assert.equal(publicMessageOf(new ApiError(402, "plan_limit_exceeded", message, null)), message);
    assert.equal(publicMessageOf(new ServiceError("plan_limit_exceeded", message)), message);
  });
});
