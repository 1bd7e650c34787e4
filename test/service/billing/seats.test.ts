import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import { entities } from "../../../services/teams/entities.ts";
import { authenticate } from "../../../services/teams/keys/authenticate.ts";
import { createKey, revokeKey } from "../../../services/teams/keys/manage-keys.ts";
import { listActivity } from "../../../services/teams/list-activity.ts";
import { createTeam, listTeams } from "../../../services/teams/manage-team.ts";
import { keepAllSeats, keepSeats } from "../../../services/teams/members/keep-seats.ts";
import {
  leaveTeam,
  listMembers,
  manageMembers,
  memberByAccount,
} from "../../../services/teams/members/manage-members.ts";
import { UserEntity } from "../../../services/teams/members/user.entity.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { noteUsage } from "../../../services/teams/note-usage.ts";
import { putPolicy } from "../../../services/teams/sign-in/policy.store.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Actor, Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { type DatabaseKind, MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { removeKeyUser } from "../../support/rows/people-rows.ts";

const PAGE = { limit: 100 };

/** A bus with the billing service. */
class Billing implements Bus {
  members: number | null = null;
  /** A team whose plan cannot be read. */
  unreadable: string | null = null;
  /** The ids of published changes. */
  readonly told: string[] = [];

  async call<Result>(name: string, params: object): Promise<Result> {
    assert.equal(name, "billing.plan");
    if ("teamId" in params && params.teamId === this.unreadable) throw new Error("It has no plan.");
    // biome-ignore lint/plugin: the part of billing.plan's response that is read.
    return { members: this.members } as Result;
  }

  async emit(): Promise<void> {}

  async broadcast(name: string, payload: object): Promise<void> {
    assert.equal(name, "access.changed");
    if ("ids" in payload && Array.isArray(payload.ids)) this.told.push(...payload.ids);
  }
}

const seatsOn = (kind: DatabaseKind) => () => {
  kind.needed();
  let database: TestDatabase;
  let node: DatabaseNode;
  let people = 0;

  before(async () => {
    database = await kind.make();
    node = await DatabaseNode.start(database.env, { schema: "teams", entities, migrations });
  });
  after(async () => {
    await node?.stop();
    await database?.remove();
  });

  const em = () => node.em();
  const warn = (error: unknown) => assert.fail(String(error));
  const person = async (): Promise<Actor> => {
    people += 1;
    const [id, login] = [newId("user"), `person-${people}`];
    const now = new Date();
    await em().insert(UserEntity, { id, hostId: login, login, name: null, createdAt: now, signedInAt: now });
    return { kind: "user", id, name: login };
  };
  /**
   * Creates a team of an admin, a reviewer, and another admin, who joined in this order, on a plan with this many
   * seats.
   */
  const team = async (seats: number | null) => {
    const [founder, reviewer, admin] = [await person(), await person(), await person()];
    const { id: teamId } = await createTeam(em(), founder, "Team", true);
    const as = (actor: Actor): Caller => ({ teamId, role: "admin", actor });
    const add = (actor: Actor, role: Role) =>
      manageMembers(em(), as(founder), { add: [{ login: actor.name, role }] });
    await add(reviewer, "reviewer");
    await add(admin, "admin");
    const bus = new Billing();
    const limit = async (members: number | null) => {
      bus.members = members;
      await keepSeats({ em, bus }, teamId);
    };
    await limit(seats);
    const standing = async (actor: Actor) => (await listTeams(em(), actor, PAGE)).data[0];
    const roles = async () =>
      Promise.all([founder, reviewer, admin].map(async one => (await standing(one))?.role));
    return { teamId, founder, reviewer, admin, as, add, limit, bus, standing, roles };
  };

  it("are enough for all members on a large or unlimited plan", async () => {
    for (const seats of [null, 3, 50]) {
      const { roles, founder, as } = await team(seats);
      assert.deepEqual(await roles(), ["admin", "reviewer", "admin"]);
      const members = await listMembers(em(), as(founder), PAGE);
      assert.deepEqual(
        members.data.map(({ readOnlyBecause }) => readOnlyBecause),
        [null, null, null],
      );
    }
  });

  it("go to admins first, then to the earliest members, and others become read-only and learn why", async () => {
    const { limit, roles, standing, reviewer, admin, founder, as } = await team(2);
    assert.deepEqual(await roles(), ["admin", "viewer", "admin"]);
    assert.match(
      (await standing(reviewer))?.readOnlyBecause ?? "",
      /more members than the 2 that its plan allows/,
    );
    assert.equal((await standing(admin))?.readOnlyBecause, null);
    const members = await listMembers(em(), as(founder), PAGE);
    const reasons = members.data.map(({ role, readOnlyBecause }) => [role, readOnlyBecause !== null]);
    assert.deepEqual(
      reasons,
      [
        ["admin", false],
        ["reviewer", true],
        ["admin", false],
      ],
      "her role is what it was",
    );
    await limit(1);
    assert.deepEqual(await roles(), ["admin", "viewer", "viewer"]);
    await limit(0);
    assert.deepEqual(await roles(), ["viewer", "viewer", "viewer"], "no plan has none");
    await limit(10);
    assert.deepEqual(await roles(), ["admin", "reviewer", "admin"], "nothing was lost");
  });

  it("limit a signed-in user's role in each team, and never that user's own teams", async () => {
    const { founder, reviewer, limit, teamId } = await team(3);
    const other = await team(3);
    const byAccount = (of: string, { name }: Actor) => memberByAccount(em(), of, name);
    assert.deepEqual(await byAccount(teamId, reviewer), { actor: reviewer, role: "reviewer" });
    assert.equal(await byAccount(other.teamId, reviewer), null);
    assert.equal(await memberByAccount(em(), teamId, "nobody's"), null);
    await limit(2);
    assert.deepEqual(await byAccount(teamId, reviewer), { actor: reviewer, role: "viewer" });
    assert.deepEqual(await byAccount(teamId, founder), { actor: founder, role: "admin" });
    await putPolicy(em(), teamId, { defaultRole: null, groupRoles: [], enforced: true });
    assert.equal((await byAccount(teamId, founder))?.isClosed, true, "only the provider signs in");
  });

  it("limit the role of a member's keys, but not keys without a member", async () => {
    const { as, admin, founder, limit, teamId } = await team(3);
    const { key, id } = await createKey(em(), as(admin), { name: "hers", role: "admin" });
    const identity = async () => (await authenticate(em(), hashKey(key)))?.teams[0];
    assert.equal((await identity())?.role, "admin");
    await limit(1);
    assert.equal((await identity())?.role, "viewer");
    assert.match((await identity())?.readOnlyBecause ?? "", /more members than the 1 that its plan allows/);
    const hers: Actor = { kind: "key", id, name: "hers" };
    const why = {
      type: "forbidden",
      message: /your role is viewer\. The team has more members than the 1 that its plan allows/,
    };
    await assert.rejects(createKey(em(), as(hers), { name: "more", role: "viewer" }), why);
    await assert.rejects(manageMembers(em(), as(admin), { remove: [founder.name] }), why);
    await removeKeyUser(em(), id);
    assert.equal((await identity())?.role, "admin");
    await revokeKey(em(), as(founder), id);
    assert.equal(await identity(), undefined, teamId);
  });

  it("become free when any member leaves, and the others are notified", async () => {
    const { teamId, founder, reviewer, admin, as, add, roles, bus } = await team(2);
    assert.deepEqual(bus.told, [teamId]);
    const { changedIds } = await leaveTeam(em(), as(founder));
    assert.deepEqual(changedIds, [founder.id, teamId]);
    assert.deepEqual(await roles(), [undefined, "reviewer", "admin"]);
    await manageMembers(em(), as(admin), { add: [{ login: founder.name, role: "reviewer" }] });
    assert.deepEqual(await roles(), ["viewer", "reviewer", "admin"], "who joined last");
    await assert.rejects(add(reviewer, "admin"), { type: "forbidden" });
    const raised = await manageMembers(em(), as(admin), { add: [{ login: founder.name, role: "admin" }] });
    assert.ok(raised.changedIds.includes(teamId));
    assert.deepEqual(await roles(), ["admin", "viewer", "admin"]);
  });

  it("let a member without a seat leave", async () => {
    const { admin, as } = await team(1);
    await leaveTeam(em(), as(admin));
  });

  it("are updated without an event of a plan change, with one notification", async () => {
    const [first, second] = [await team(null), await team(null)];
    const bus = new Billing();
    bus.members = 1;
    await keepAllSeats({ em, bus, warn });
    assert.ok(bus.told.includes(first.teamId) && bus.told.includes(second.teamId));
    assert.deepEqual(await second.roles(), ["admin", "viewer", "viewer"]);
    bus.told.length = 0;
    await keepAllSeats({ em, bus, warn });
    assert.deepEqual(bus.told, []);
  });

  it("are updated also if the plan of an earlier team cannot be read", async () => {
    const [first, second] = [await team(null), await team(null)];
    const bus = new Billing();
    [bus.members, bus.unreadable] = [1, first.teamId];
    const warned: string[] = [];
    await keepAllSeats({ em, bus, warn: (_error, what) => void warned.push(what) });
    assert.deepEqual(await first.roles(), ["admin", "reviewer", "admin"]);
    assert.deepEqual(await second.roles(), ["admin", "viewer", "viewer"]);
    assert.deepEqual(warned, [`The plan of ${first.teamId} could not be read. The service will retry.`]);
  });

  it("note usage in the activity once, for any number of repeats", async () => {
    const { teamId, founder, as } = await team(null);
    const resetsAt = "2026-12-01T00:00:00.000Z";
    const notice = { teamId, allowance: "runs", percent: 80, limit: 50, used: 41, resetsAt } as const;
    await Promise.all(Array.from({ length: 5 }, () => noteUsage(em(), notice)));
    await noteUsage(em(), { ...notice, percent: 100, used: 50 });
    await noteUsage(em(), { ...notice, limit: 500, used: 410 });
    await noteUsage(em(), { ...notice, allowance: "screenshots" });
    const { data } = await listActivity(em(), as(founder), { ...PAGE, type: "usage.noticed" });
    assert.deepEqual(
      data.map(({ target, details, actor }) => [target, details.percent, actor.kind]).reverse(),
      [
        ["runs", 80, "service"],
        ["runs", 100, "service"],
        ["runs", 80, "service"],
        ["screenshots", 80, "service"],
      ],
    );
    assert.deepEqual(data.at(-1)?.details, { percent: 80, limit: 50, used: 41, resetsAt });
  });
};

for (const database of MAIN_DATABASES) describe(`Seats on ${database.name}`, seatsOn(database));
