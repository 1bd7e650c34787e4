import assert from "node:assert/strict";
import { cleanUp } from "../../../services/teams/cleanup.ts";
import { entities } from "../../../services/teams/entities.ts";
import { authenticate } from "../../../services/teams/keys/authenticate.ts";
import { createKey } from "../../../services/teams/keys/manage-keys.ts";
import { listActivity } from "../../../services/teams/list-activity.ts";
import {
  changeTeam,
  createTeam,
  deleteTeam,
  listTeams,
  restoreTeam,
} from "../../../services/teams/manage-team.ts";
import { listInvitations, revokeInvitation } from "../../../services/teams/members/invitations.ts";
import { mailInvitations } from "../../../services/teams/members/mail-invitations.ts";
import { leaveTeam, listMembers, manageMembers } from "../../../services/teams/members/manage-members.ts";
import { countMembers, findAdminAddresses } from "../../../services/teams/members/member.store.ts";
import { UserEntity } from "../../../services/teams/members/user.entity.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { deleteOtherSessions, insertSession } from "../../../services/teams/sign-in/session.store.ts";
import {
  authenticateSession,
  closeSession,
  listSessions,
  openKeySession,
  renewSession,
} from "../../../services/teams/sign-in/sessions.ts";
import { findExisting, insertActivity } from "../../../services/teams/team.store.ts";
import { listReviewers, readSettings } from "../../../services/teams/team-settings.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type { Bus } from "../../../shared/contracts/bus.ts";
import type { Notice } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Role } from "../../../shared/contracts/runs/runs.ts";
import type { Actor, Caller } from "../../../shared/contracts/teams/caller.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import {
  addProviderRow,
  ageInvitationMails,
  ageReplacement,
  ageSession,
  countInvitationMails,
  countTeamRows,
  deleteTeamRow,
  expireDeletedTeam,
  expireInvitations,
  hasSession,
  markInvitationsMailed,
  removeEmail,
  removeKeyUser,
  revokeKeyRow,
} from "../../support/rows/people-rows.ts";

const PAGE = { limit: 100 };

for (const kind of DATABASES) {
  describe(`Members of teams, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;

    before(async () => {
      database = await kind.make();
      node = await DatabaseNode.start(database.env, { schema: "teams", entities, migrations });
    });
    after(async () => {
      await node?.stop();
      await database?.remove();
    });

    const em = () => node.em();

    let people = 0;
    const person = async (): Promise<Actor> => {
      people += 1;
      const [id, login] = [newId("user"), `person-${people}`];
      const now = new Date();
      const user = {
        id,
        hostId: String(people),
        login,
        name: null,
        email: `${login}@example.com`,
        createdAt: now,
        signedInAt: now,
      };
      await em().insert(UserEntity, user);
      return { kind: "user", id, name: login };
    };

    /** Creates a team of this user and others with these roles. */
    const team = async (...roles: Role[]) => {
      const founder = await person();
      const { id: teamId } = await createTeam(em(), founder, "Team", true);
      const as = (actor: Actor): Caller => ({ teamId, role: "admin", actor });
      const members: Actor[] = [];
      for (const role of roles) {
        const member = await person();
        await manageMembers(em(), as(founder), { add: [{ login: member.name, role }] });
        members.push(member);
      }
      return { teamId, founder, members, as };
    };

    const roles = async (caller: Caller) =>
      Object.fromEntries(
        (await listMembers(em(), caller, PAGE)).data.map(({ login, role }) => [login, role]),
      );
    const types = async (caller: Caller) =>
      (await listActivity(em(), caller, PAGE)).data.map(({ type }) => type).reverse();

    describe("a team's review settings", () => {
      it("are those of a new team until an admin changes them, which is noted", async () => {
        const { teamId, founder, members, as } = await team("reviewer");
        const defaults = { requiredApprovals: 1, allowSelfApproval: true };
        assert.deepEqual(await readSettings(em(), teamId), defaults);
        assert.deepEqual(await readSettings(em(), "team_gone"), defaults);
        const [reviewer = founder] = members;
        const change = { requiredApprovals: 2, allowSelfApproval: false };
        await assert.rejects(changeTeam(em(), as(reviewer), change), { type: "forbidden" });
        const view = await changeTeam(em(), as(founder), change);
        assert.deepEqual([view.requiredApprovals, view.allowSelfApproval], [2, false]);
        await changeTeam(em(), as(founder), { requiredApprovals: 2 });
        await changeTeam(em(), as(founder), { name: "Other", allowSelfApproval: true });
        assert.deepEqual(await readSettings(em(), teamId), { ...defaults, requiredApprovals: 2 });
        const [listed] = (await listTeams(em(), reviewer, PAGE)).data;
        assert.deepEqual([listed?.name, listed?.requiredApprovals], ["Other", 2]);
        const noted = (await listActivity(em(), as(founder), { ...PAGE, type: "team.settings" })).data;
        assert.deepEqual(
          noted.map(({ details }) => details),
          [{ allowSelfApproval: "yes" }, { requiredApprovals: 2, allowSelfApproval: "no" }],
        );
      });

      it("are limited by the database too", async () => {
        const { founder, as } = await team();
        for (const requiredApprovals of [0, 11])
          await assert.rejects(changeTeam(em(), as(founder), { requiredApprovals }), /required_approvals/);
      });

      it("list the other reviewers and admins who can approve", async () => {
        const { teamId, founder, members } = await team("viewer", "reviewer", "admin");
        const [, reviewer = founder, admin] = members;
        assert.deepEqual(
          (await listReviewers(em(), teamId, reviewer.id)).sort(),
          [founder.name, admin?.name].sort(),
        );
      });
    });

    describe("a key", () => {
      it("identifies its owner, by itself and in a session, through any number of keys", async () => {
        const { founder, as } = await team();
        const made = await createKey(em(), as(founder), { name: "hers", role: "admin" });
        const actor = { kind: "key", id: made.id, name: "hers" } as const;
        const { key } = await createKey(em(), as(actor), { name: "hers too", role: "reviewer" });
        assert.equal((await authenticate(em(), hashKey(key)))?.madeBy, founder.id);
        await openKeySession(em(), { keyHash: hashKey(key), tokenHash: `of ${key}`, before: null });
        assert.equal((await authenticateSession(em(), `of ${key}`))?.madeBy, founder.id);
      });
    });

    describe("the last admin", () => {
      it("cannot leave, be removed, or change their role", async () => {
        const { founder, as } = await team("reviewer");
        await assert.rejects(leaveTeam(em(), as(founder)), { type: "conflict" });
        await assert.rejects(manageMembers(em(), as(founder), { remove: [founder.name] }), {
          type: "conflict",
        });
        await assert.rejects(
          manageMembers(em(), as(founder), { add: [{ login: founder.name, role: "viewer" }] }),
          { type: "conflict" },
        );
        assert.equal((await roles(as(founder)))[founder.name], "admin");
      });

      it("stays when all admins leave at once", async () => {
        const { teamId, founder, members, as } = await team("admin", "admin", "admin");
        const outcomes = await Promise.all(
          [founder, ...members].map(member =>
            leaveTeam(em(), as(member)).then(
              () => "left",
              error => error.type,
            ),
          ),
        );
        assert.deepEqual(outcomes.sort(), ["conflict", "left", "left", "left"]);
        assert.equal(await countMembers(em(), teamId), 1);
      });

      it("stays when two admins demote each other at once", async () => {
        const { founder, members, as } = await team("admin");
        const [other = founder] = members;
        const lower = (by: Actor, whom: Actor) =>
          manageMembers(em(), as(by), { add: [{ login: whom.name, role: "viewer" }] }).then(
            () => "lowered",
            error => error.type,
          );
        const outcomes = await Promise.all([lower(founder, other), lower(other, founder)]);
        assert.deepEqual(outcomes.sort(), ["forbidden", "lowered"]);
        assert.deepEqual(Object.values(await roles(as(founder))).sort(), ["admin", "viewer"]);
      });
    });

    describe("a member", () => {
      it("without the admin role manages no members, and can leave", async () => {
        const { teamId, founder, members, as } = await team("reviewer");
        const [reviewer = founder] = members;
        for (const change of [
          { add: [{ login: "friend", role: "viewer" as const }] },
          { remove: [founder.name] },
          { remove: [reviewer.name, founder.name] },
        ])
          await assert.rejects(manageMembers(em(), as(reviewer), change), { type: "forbidden" });
        assert.equal(await countMembers(em(), teamId), 2);
        await manageMembers(em(), as(reviewer), { remove: [reviewer.name.toUpperCase()] });
        assert.equal(await countMembers(em(), teamId), 1);
        // The gateway may still cache the role, but the user left the team.
        await assert.rejects(leaveTeam(em(), as(reviewer)), { type: "not_found" });
      });

      it("is changed together with all others in a request, or none is", async () => {
        const { founder, as } = await team();
        const newcomer = await person();
        const change = { add: [{ login: newcomer.name, role: "viewer" as const }], remove: ["stranger"] };
        await assert.rejects(manageMembers(em(), as(founder), change), { type: "not_found" });
        assert.deepEqual(Object.keys(await roles(as(founder))), [founder.name]);
      });

      it("takes a seat from the invitation on, and concurrent additions never exceed the seats", async () => {
        const { teamId, founder, as } = await team();
        const newcomers = await Promise.all(Array.from({ length: 6 }, person));
        const add = (login: string) =>
          manageMembers(em(), as(founder), { add: [{ login, role: "viewer" }] }, 4).then(
            () => "added",
            error => error.type,
          );
        const logins = newcomers.map(({ name }, index) => (index % 2 === 0 ? name : `guest-${index}`));
        const outcomes = await Promise.all(logins.map(add));
        assert.equal(outcomes.filter(outcome => outcome === "added").length, 3);
        assert.equal(outcomes.filter(outcome => outcome === "plan_limit_exceeded").length, 3);
        const full = { limit: 4, used: 4 };
        const more = manageMembers(em(), as(founder), { add: [{ login: "more", role: "viewer" }] }, 4);
        await assert.rejects(more, { type: "plan_limit_exceeded", data: full });
        // A member with a seat can get another role, and a smaller plan removes no member.
        const role = { add: [{ login: founder.name, role: "admin" as const }] };
        await manageMembers(em(), as(founder), role, 1);
        await expireInvitations(em(), teamId);
        const left = 4 - (await countMembers(em(), teamId));
        for (let count = 0; count < left; count++) assert.equal(await add(`late-${count}`), "added");
        assert.equal(await add("too-late"), "plan_limit_exceeded");
      });

      it("loses their keys for good with the membership", async () => {
        const { founder, members, as } = await team("admin");
        const [maker = founder] = members;
        const first = await createKey(em(), as(maker), { name: "hers", role: "admin" });
        const asKey = as({ kind: "key", id: first.id, name: "hers" });
        const second = await createKey(em(), asKey, { name: "made with hers", role: "reviewer" });
        const roleOf = async (key: string) =>
          (await authenticate(em(), hashKey(key)))?.teams.map(({ role }) => role);
        const lowered = await manageMembers(em(), as(founder), {
          add: [{ login: maker.name, role: "viewer" }],
        });
        assert.deepEqual(lowered.changedIds.sort(), [maker.id, first.id, second.id].sort());
        assert.deepEqual([await roleOf(first.key), await roleOf(second.key)], [["viewer"], ["viewer"]]);
        await assert.rejects(createKey(em(), asKey, { name: "more", role: "admin" }), { type: "forbidden" });
        await manageMembers(em(), as(founder), { add: [{ login: maker.name, role: "admin" }] });
        assert.deepEqual(await roleOf(first.key), ["viewer"], "raised for nobody but her");
        const removed = await manageMembers(em(), as(founder), { remove: [maker.name] });
        assert.deepEqual(removed.changedIds.sort(), [maker.id, first.id, second.id].sort());
        assert.equal(await authenticate(em(), hashKey(first.key)), null);
      });
    });

    describe("an invitation", () => {
      it("is created once per unknown person, and can be withdrawn", async () => {
        const { founder, as } = await team();
        const caller = as(founder);
        const { result } = await manageMembers(em(), caller, {
          add: [
            { login: "Guest", role: "viewer" },
            { email: "guest@example.com", role: "admin" },
            { login: "guest", role: "reviewer" },
          ],
        });
        assert.deepEqual(result.changed, []);
        const { data } = await listInvitations(em(), caller, PAGE);
        assert.deepEqual(
          data.map(({ login, email, role }) => [login, email, role]),
          [
            ["guest", null, "reviewer"],
            [null, "guest@example.com", "admin"],
          ],
        );
        await revokeInvitation(em(), caller, data[1]?.id ?? "");
        await assert.rejects(revokeInvitation(em(), caller, data[1]?.id ?? ""), { type: "not_found" });
        await manageMembers(em(), caller, { remove: ["GUEST"] });
        assert.deepEqual((await listInvitations(em(), caller, PAGE)).data, []);
      });

      it("cannot be withdrawn by another team, and expires after two weeks", async () => {
        const { teamId, founder, as } = await team();
        const other = await team();
        await manageMembers(em(), as(founder), { add: [{ login: "late", role: "viewer" }] });
        const [late] = (await listInvitations(em(), as(founder), PAGE)).data;
        assert.ok(late);
        assert.equal(Date.parse(late.expiresAt) - Date.parse(late.createdAt), 14 * 86_400_000);
        await assert.rejects(revokeInvitation(em(), other.as(other.founder), late.id), { type: "not_found" });
        await expireInvitations(em(), teamId);
        assert.deepEqual((await listInvitations(em(), as(founder), PAGE)).data, []);
      });
    });

    describe("a team", () => {
      it("can be restored for a week, and is then deleted with its data", async () => {
        const { teamId, founder, as } = await team("viewer");
        const key = await createKey(em(), as(founder), { name: "ci", role: "viewer" });
        const deleted = await deleteTeam(em(), as(founder));
        assert.ok(deleted.deletesAt);
        assert.equal((await deleteTeam(em(), as(founder))).deletesAt, deleted.deletesAt);
        assert.ok((await authenticate(em(), hashKey(key.key)))?.teams[0]?.deletesAt);
        assert.equal((await restoreTeam(em(), as(founder))).deletesAt, null);
        await deleteTeam(em(), as(founder));
        const gone: string[] = [];
        const publishGone = async (id: string) => void gone.push(id);
        await cleanUp({ em, publishGone });
        assert.deepEqual(gone, []);
        assert.deepEqual(await findExisting(em(), [teamId, "team_none"]), [teamId]);
        await expireDeletedTeam(em(), teamId);
        await cleanUp({ em, publishGone });
        assert.deepEqual(gone, [teamId]);
        assert.deepEqual(await findExisting(em(), [teamId]), []);
        assert.deepEqual((await listTeams(em(), founder, PAGE)).data, []);
        assert.equal(await authenticate(em(), hashKey(key.key)), null);
        for (const table of ["membership", "api_key", "activity", "invitation"] as const)
          assert.equal(await countTeamRows(em(), table, teamId), 0, table);
      });

      it("belongs to its creator, also with a key, while a key without an owner creates none elsewhere", async () => {
        const { founder, as } = await team();
        const key = await createKey(em(), as(founder), { name: "hers", role: "admin" });
        const made = await createTeam(em(), { kind: "key", id: key.id, name: "hers" }, "By key", false);
        assert.equal(made.key, undefined);
        const teams = (await listTeams(em(), founder, PAGE)).data;
        assert.ok(teams.some(({ id, role }) => id === made.id && role === "admin"));
        await removeKeyUser(em(), key.id);
        await assert.rejects(createTeam(em(), { kind: "key", id: key.id, name: "hers" }, "None", true), {
          type: "forbidden",
        });
      });
    });

    describe("a user with many teams", () => {
      it("can create 20 at most, also concurrently and with keys, until one is deleted for good", async () => {
        const { founder, as } = await team();
        const key = await createKey(em(), as(founder), { name: "hers", role: "admin" });
        const byKey: Actor = { kind: "key", id: key.id, name: "hers" };
        const make = (by: Actor) => createTeam(em(), by, "One more", true);
        for (let made = 1; made < 17; made++) await make(made % 2 === 0 ? founder : byKey);
        const last = await Promise.allSettled([founder, byKey, founder, byKey, founder, byKey].map(make));
        assert.deepEqual(last.map(({ status }) => status).sort(), [
          ...Array<string>(3).fill("fulfilled"),
          ...Array<string>(3).fill("rejected"),
        ]);
        await assert.rejects(make(founder), { type: "conflict", message: /at most 20 teams.*Delete one/ });
        await make(await person());
        await deleteTeamRow(em(), as(founder).teamId);
        await make(founder);
      });
    });

    describe("a user without a team", () => {
      it("can create one only if sign-in is open to everyone", async () => {
        const { founder, members, as } = await team("viewer");
        const [member = founder] = members;
        assert.equal((await createTeam(em(), member, "Another", false)).role, "admin");
        const removed = await person();
        await assert.rejects(createTeam(em(), removed, "Own", false), { type: "forbidden" });
        assert.deepEqual((await listTeams(em(), removed, PAGE)).data, []);
        assert.equal((await createTeam(em(), removed, "Own", true)).role, "admin");
        assert.equal((await roles(as(founder)))[member.name], "viewer");
      });
    });

    describe("a session", () => {
      const session = async () => {
        const actor = await person();
        const [id, tokenHash] = [newId("ses"), hashKey(newId("ses"))];
        await insertSession(em(), { id, tokenHash, actor });
        return { actor, id, tokenHash };
      };
      const age = (column: "created_at" | "renewed_at" | "used_at", by: string, id: string) =>
        ageSession(em(), id, column, by);

      it("expires 30 days after its last use", async () => {
        const { id, tokenHash, actor } = await session();
        await age("used_at", "29 days", id);
        assert.equal((await authenticateSession(em(), tokenHash))?.actor.id, actor.id);
        const [found] = (await listSessions(em(), actor, { ...PAGE, current: id })).data;
        assert.ok(Date.parse(found?.expiresAt ?? "") > Date.now() + 29 * 86_400_000, "the use counts");
        await age("used_at", "31 days", id);
        assert.equal(await authenticateSession(em(), tokenHash), null);
        await cleanUp({ em, publishGone: async () => {} });
        assert.equal(await hasSession(em(), id), false);
      });

      it("is listed separately for its owner, who can end it", async () => {
        const { id, actor } = await session();
        await insertSession(em(), {
          ...{ id: newId("ses"), tokenHash: hashKey(newId("ses")), actor },
          browser: "Firefox on Linux",
        });
        const stranger = await session();
        const { data } = await listSessions(em(), actor, { ...PAGE, current: id });
        assert.deepEqual(
          data.map(({ browser, current }) => ({ browser, current })),
          [
            { browser: "Firefox on Linux", current: false },
            { browser: null, current: true },
          ],
        );
        const ended = await deleteOtherSessions(em(), actor, id);
        assert.deepEqual(ended, [data[0]?.id]);
        const left = (await listSessions(em(), actor, { ...PAGE, current: null })).data;
        assert.deepEqual(
          left.map(one => one.id),
          [id],
        );
        assert.ok(await authenticateSession(em(), stranger.tokenHash), "another's session is left");
      });

      it("expires after 90 days of any use", async () => {
        const { id, tokenHash } = await session();
        await age("created_at", "91 days", id);
        assert.equal(await authenticateSession(em(), tokenHash), null);
      });

      it("gets one new token per day for concurrent requests, and the old one expires soon after", async () => {
        const { id, tokenHash } = await session();
        assert.equal((await authenticateSession(em(), tokenHash))?.session?.renew, false);
        assert.equal(await renewSession(em(), { tokenHash, newHash: "early" }), false);
        await age("renewed_at", "25 hours", id);
        assert.equal((await authenticateSession(em(), tokenHash))?.session?.renew, true);
        const names = ["a", "b", "c"].map(name => `${name} ${id}`);
        const renewed = await Promise.all(names.map(newHash => renewSession(em(), { tokenHash, newHash })));
        assert.deepEqual(renewed.toSorted(), [false, false, true]);
        const token = names[renewed.indexOf(true)] ?? "";
        for (const hash of [token, tokenHash])
          assert.deepEqual((await authenticateSession(em(), hash))?.session?.renew, false);
        await ageReplacement(em(), id, "2 minutes");
        assert.equal(await authenticateSession(em(), tokenHash), null);
        assert.equal((await authenticateSession(em(), token))?.session?.id, id);
      });

      it("keeps the old token until the new one is used, because its response may be lost", async () => {
        const { id, tokenHash } = await session();
        await age("renewed_at", "25 hours", id);
        const [lost, arrived] = [`lost ${id}`, `arrived ${id}`];
        assert.equal(await renewSession(em(), { tokenHash, newHash: lost }), true);
        await ageReplacement(em(), id, "2 minutes");
        assert.equal((await authenticateSession(em(), tokenHash))?.session?.renew, true);
        assert.equal(await renewSession(em(), { tokenHash, newHash: arrived }), true);
        assert.equal(await authenticateSession(em(), lost), null);
        assert.equal((await authenticateSession(em(), tokenHash))?.session?.renew, false);
        for (const hash of [arrived, tokenHash])
          assert.equal((await authenticateSession(em(), hash))?.session?.renew, false);
        await ageReplacement(em(), id, "2 minutes");
        assert.equal(await renewSession(em(), { tokenHash, newHash: `late ${id}` }), false);
        assert.equal(await authenticateSession(em(), tokenHash), null);
        assert.ok(await authenticateSession(em(), arrived));
      });

      it("of a key ends with the key, and replaces the previous one", async () => {
        const { founder, as, teamId } = await team();
        const key = await createKey(em(), as(founder), { name: "browser", role: "reviewer" });
        const opens = { keyHash: hashKey(key.key), tokenHash: `first ${key.id}`, before: null };
        const opened = await openKeySession(em(), opens);
        assert.deepEqual(
          opened?.teams.map(({ id, role }) => [id, role]),
          [[teamId, "reviewer"]],
        );
        const next = { keyHash: hashKey(key.key), tokenHash: `next ${key.id}`, before: opens.tokenHash };
        assert.ok(await openKeySession(em(), next));
        assert.equal(await authenticateSession(em(), opens.tokenHash), null);
        await manageMembers(em(), as(founder), { add: [{ login: founder.name, role: "admin" }] });
        await revokeKeyRow(em(), key.id);
        assert.equal(await authenticateSession(em(), next.tokenHash), null);
        assert.equal(await openKeySession(em(), opens), null);
      });

      it("can be ended only by its owner", async () => {
        const { id, actor, tokenHash } = await session();
        await assert.rejects(closeSession(em(), await person(), id), { type: "not_found" });
        await assert.rejects(closeSession(em(), { ...actor, kind: "key" }, id), { type: "not_found" });
        await closeSession(em(), actor, id);
        assert.equal(await authenticateSession(em(), tokenHash), null);
      });
    });

    describe("the email of an invitation by address", () => {
      /** A bus with the alerts service. */
      class Alerts implements Bus {
        readonly mailed: Notice[] = [];
        isAway = false;
        async call<Result>(name: string, params: object): Promise<Result> {
          assert.equal(name, "alerts.mail");
          if (this.isAway) throw new Error("The service alerts is not available.");
          // biome-ignore lint/plugin: the request of teams for alerts.mail.
          this.mailed.push(params as Notice);
          // biome-ignore lint/plugin: the response of alerts.mail.
          return null as Result;
        }
        async emit(): Promise<void> {}
        async broadcast(): Promise<void> {}
      }
      const mail = (bus: Bus, hasProvider = false, dailyLimit: number | null = null) =>
        mailInvitations({ em, bus, baseUrl: "https://vrs.example", hasProvider, dailyLimit, warn: () => {} });
      const address = () => `${newId("inv").toLowerCase()}@example.com`;
      let alerts: Alerts;
      beforeEach(async () => {
        await markInvitationsMailed(em());
        alerts = new Alerts();
      });

      it("is sent once with the sign-in URL, and never for an invitation by login", async () => {
        const { teamId, founder, as } = await team();
        const email = address();
        await manageMembers(em(), as(founder), {
          add: [
            { email, role: "reviewer" },
            { login: "nobody-yet", role: "viewer" },
          ],
        });
        await mail(alerts);
        await mail(alerts);
        const [notice, ...others] = alerts.mailed;
        assert.equal(others.length, 0);
        assert.deepEqual([notice?.to, notice?.teamId], [[email], teamId]);
        assert.equal(notice?.button?.url, "https://vrs.example/auth/login");
        assert.equal(notice?.subject, `${founder.name} invited you to Team`);
        assert.match(notice?.paragraphs.join(" ") ?? "", /as a reviewer/);
      });

      it("leads to the identity provider of the team, or else of the installation", async () => {
        const { teamId, founder, as } = await team();
        const urlOf = async () => {
          await manageMembers(em(), as(founder), { add: [{ email: address(), role: "viewer" }] });
          await mail(alerts, true);
          return alerts.mailed.at(-1)?.button?.url;
        };
        assert.equal(await urlOf(), "https://vrs.example/sign-in");
        await addProviderRow(em(), teamId);
        assert.equal(await urlOf(), `https://vrs.example/auth/oidc/${teamId}`);
      });

      it("waits while the alerts service does not respond", async () => {
        const { founder, as } = await team();
        await manageMembers(em(), as(founder), { add: [{ email: address(), role: "viewer" }] });
        alerts.isAway = true;
        await mail(alerts);
        assert.equal(alerts.mailed.length, 0);
        alerts.isAway = false;
        await mail(alerts);
        assert.equal(alerts.mailed.length, 1);
      });

      it("is sent once a day, also if the invitation is withdrawn and repeated", async () => {
        const { founder, as } = await team();
        const email = address();
        for (const role of ["viewer", "admin"] as const) {
          await manageMembers(em(), as(founder), { add: [{ email, role }] });
          await mail(alerts);
        }
        assert.equal(new Set(alerts.mailed.map(({ id }) => id)).size, 1);
      });

      it("is sent up to a daily limit for all teams of a user, also after invitations are withdrawn", async () => {
        const { founder, as } = await team();
        const { id: second } = await createTeam(em(), founder, "Second", true);
        const callers = [as(founder), { ...as(founder), teamId: second }];
        const invite = async (by: Caller) => {
          const add = [{ email: address(), role: "viewer" as const }];
          return (await manageMembers(em(), by, { add })).result.invited[0]?.id ?? "";
        };
        const byLimit = () => mail(alerts, false, 3);
        for (const caller of callers) {
          const id = await invite(caller);
          await byLimit();
          await revokeInvitation(em(), caller, id);
        }
        for (const caller of callers) await invite(caller);
        for (let count = 0; count < 2; count++) await byLimit();
        assert.equal(alerts.mailed.length, 3);
        const stranger = await team();
        await invite(stranger.as(stranger.founder));
        await byLimit();
        assert.equal(alerts.mailed.length, 4, "others have a limit of their own");
        await ageInvitationMails(em(), "25 hours");
        await byLimit();
        assert.equal(alerts.mailed.length, 5, "the rest waits for the next day");
        assert.equal(new Set(alerts.mailed.map(({ to }) => String(to))).size, 5);
        await cleanUp({ em, publishGone: async () => {} });
        assert.equal(await countInvitationMails(em()), 1);
      });

      it("is not sent for a withdrawn or expired invitation, or a deleted team", async () => {
        const [one, two, three] = [await team(), await team(), await team()];
        for (const { founder, as } of [one, two, three])
          await manageMembers(em(), as(founder), { add: [{ email: address(), role: "viewer" }] });
        const { data } = await listInvitations(em(), one.as(one.founder), PAGE);
        await revokeInvitation(em(), one.as(one.founder), data[0]?.id ?? "");
        await expireInvitations(em(), two.teamId);
        await deleteTeam(em(), three.as(three.founder));
        await mail(alerts);
        assert.deepEqual(alerts.mailed, []);
      });

      it("goes to admins with a known address when a team is notified", async () => {
        const { teamId, founder, members } = await team("admin", "admin", "reviewer");
        await removeEmail(em(), members[0]?.id ?? "");
        assert.deepEqual(await findAdminAddresses(em(), teamId), {
          name: "Team",
          addresses: [`${founder.name}@example.com`, `${members[1]?.name}@example.com`],
        });
      });
    });

    describe("the activity", () => {
      it("lists changes in order, without reverted ones", async () => {
        const { founder, members, as } = await team("reviewer");
        const [member = founder] = members;
        await assert.rejects(leaveTeam(em(), as(founder)), { type: "conflict" });
        const key = await createKey(em(), as(founder), { name: "ci", role: "viewer" });
        await manageMembers(em(), as(founder), { add: [{ login: member.name, role: "reviewer" }] });
        await manageMembers(em(), as(founder), { add: [{ login: member.name, role: "viewer" }] });
        await leaveTeam(em(), as(member));
        const expected = ["team.created", "member.joined", "key.created", "member.changed", "member.left"];
        assert.deepEqual(await types(as(founder)), expected);
        const { data } = await listActivity(em(), as(founder), { ...PAGE, type: "key.created" });
        assert.deepEqual(
          data.map(({ actor, target, details }) => ({ actor, target, details })),
          [{ actor: founder, target: key.id, details: { name: "ci", role: "viewer" } }],
        );
        const own = await listActivity(em(), as(founder), { ...PAGE, actor: member.id });
        assert.deepEqual(
          own.data.map(({ type }) => type),
          ["member.left"],
        );
      });

      it("is read in pages, and lists a repeated entry once", async () => {
        const { teamId, founder, as } = await team();
        for (let count = 0; count < 4; count++) {
          const noted = {
            type: "run.approved",
            actor: founder,
            target: `run ${count}`,
            details: {},
          } as const;
          const id = newId("act");
          for (const _time of ["first", "second"]) await insertActivity(em(), { ...noted, id, teamId });
        }
        const whole = (await listActivity(em(), as(founder), PAGE)).data.map(({ target }) => target);
        assert.deepEqual(whole, ["run 3", "run 2", "run 1", "run 0", "Team"]);
        const first = await listActivity(em(), as(founder), { limit: 3 });
        const rest = await listActivity(em(), as(founder), { limit: 3, cursor: first.nextCursor ?? "" });
        assert.deepEqual(
          [...first.data, ...rest.data].map(({ target }) => target),
          whole,
        );
        assert.equal(rest.nextCursor, null);
      });

      it("is empty for a deleted team", async () => {
        const actor = await person();
        const noted = { type: "run.approved", actor, target: "run", details: {} } as const;
        await insertActivity(em(), { ...noted, id: newId("act"), teamId: newId("team") });
      });
    });
  });
}
