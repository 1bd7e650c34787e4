import assert from "node:assert/strict";
import { cleanUp } from "../../../services/teams/cleanup.ts";
import { entities } from "../../../services/teams/entities.ts";
import { createTeam, deleteTeam, restoreTeam } from "../../../services/teams/manage-team.ts";
import { revokeInvitation } from "../../../services/teams/members/invitations.ts";
import { manageMembers } from "../../../services/teams/members/manage-members.ts";
import { UserEntity } from "../../../services/teams/members/user.entity.ts";
import { migrations } from "../../../services/teams/migrations/index.ts";
import { CodeHost } from "../../../services/teams/sign-in/code-host.ts";
import { putPolicy } from "../../../services/teams/sign-in/policy.store.ts";
import { authenticateSession } from "../../../services/teams/sign-in/sessions.ts";
import { beginSignIn, finishSignIn, type SignInContext } from "../../../services/teams/sign-in/sign-in.ts";
import { loadConfig } from "../../../shared/config.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import type { SignedIn } from "../../../shared/contracts/teams/team-actions.ts";
import { newId } from "../../../shared/ids.ts";
import { DatabaseNode } from "../../support/databases/database-node.ts";
import { MAIN_DATABASES, type TestDatabase } from "../../support/databases/databases.ts";
import { account } from "../../support/drivers/browser/browser-client.ts";
import { CodeHostServer, type HostAccount } from "../../support/fakes/code-host/code-host.ts";

for (const kind of MAIN_DATABASES) {
  describe(`Signing in, on ${kind.name}`, () => {
    kind.needed();
    let database: TestDatabase;
    let node: DatabaseNode;
    let host: CodeHostServer;
    let signIn: SignInContext;
    let admin: Caller;

    before(async () => {
      [database, host] = await Promise.all([kind.make(), CodeHostServer.start()]);
      node = await DatabaseNode.start(database.env, { schema: "teams", entities, migrations });
      const { codeHost } = loadConfig({ ...database.env, ...host.env });
      assert.ok(codeHost);
      const redirectUrl = "http://localhost/auth/callback";
      const warn = () => {};
      signIn = { em, codeHost: new CodeHost(codeHost), redirectUrl, isOpen: false, warn };
      const [id, now] = [newId("user"), new Date()];
      await em().insert(UserEntity, {
        ...{ id, hostId: "1", login: "admin", name: null },
        ...{ createdAt: now, signedInAt: now },
      });
      const actor = { kind: "user", id, name: "admin" } as const;
      const team = await createTeam(em(), actor, "Team", true);
      admin = { teamId: team.id, role: "admin", actor };
    });
    after(async () => {
      await node?.stop();
      await Promise.all([database?.remove(), host?.close()]);
    });

    const em = () => node.em();
    const sql = (text: string, values: unknown[] = []): Promise<{ count: number }[]> =>
      em().execute(text, values);
    const count = async (what: string, values: unknown[] = []) =>
      (await sql(`select count(*)::int as count from teams.${what}`, values))[0]?.count;
    /** Creates a team of the admin. */
    const newTeam = async (name: string): Promise<Caller> => ({
      ...admin,
      teamId: (await createTeam(em(), admin.actor, name, true)).id,
    });
    const invite = async (who: { login?: string; email?: string }, by = admin) => {
      const { result } = await manageMembers(em(), by, { add: [{ ...who, role: "viewer" }] });
      return result.invited[0]?.id ?? "";
    };
    let browsers = 0;
    /** Returns from the code host, where this user agreed. */
    const comesBack = async (as: HostAccount) => {
      browsers += 1;
      const browserHash = `browser ${browsers}`;
      const { url } = await beginSignIn(signIn, { browserHash, next: "/runs" });
      const { code = "", state = "" } = Object.fromEntries(host.allow(url, as).searchParams);
      return { code, state, browserHash, tokenHash: `session ${browsers}`, before: null };
    };
    const enter = async (as: HostAccount) => finishSignIn(signIn, await comesBack(as));
    const idOf = (signedIn: SignedIn) =>
      "actor" in signedIn ? signedIn.actor.id : assert.fail(signedIn.refusal);

    it("lets an invited user in once, and recognizes them by their id", async () => {
      const ada = account({ login: "Ada" });
      await invite({ login: "aDA" });
      const back = await comesBack(ada);
      const signedIn = await finishSignIn(signIn, back);
      assert.deepEqual(signedIn, { actor: { kind: "user", id: idOf(signedIn), name: "Ada" }, next: "/runs" });
      const { teams = [] } = (await authenticateSession(em(), back.tokenHash)) ?? {};
      assert.deepEqual(
        teams.map(({ id, role }) => [id, role]),
        [[admin.teamId, "viewer"]],
      );
      assert.equal(await count("invitation where lower(login) = 'ada'"), 0);
      const renamed = await enter({ ...ada, login: "ada-2" });
      assert.equal(idOf(renamed), idOf(signedIn));
      assert.equal(await count('"user" where login = ? and host_id = ?', ["ada-2", String(ada.id)]), 1);
    });

    it("accepts a state once, only from the browser that started", async () => {
      await invite({ login: "bob" });
      const back = await comesBack(account({ login: "bob" }));
      assert.deepEqual(await finishSignIn(signIn, { ...back, browserHash: "another" }), { refusal: "state" });
      const both = await Promise.all([finishSignIn(signIn, back), finishSignIn(signIn, back)]);
      assert.equal(both.filter(outcome => "actor" in outcome).length, 1);
      assert.deepEqual(
        both.filter(outcome => "refusal" in outcome),
        [{ refusal: "state" }],
      );
    });

    it("deletes a state after ten minutes", async () => {
      await invite({ login: "cleo" });
      const back = await comesBack(account({ login: "cleo" }));
      await sql("update teams.sign_in set created_at = now() - interval '11 minutes'");
      assert.deepEqual(await finishSignIn(signIn, back), { refusal: "state" });
      const young = await comesBack(account({ login: "cleo" }));
      await cleanUp({ em, publishGone: async () => {} });
      assert.equal(await count("sign_in"), 1);
      assert.ok("actor" in (await finishSignIn(signIn, young)));
    });

    it("stores nothing about users without an invitation", async () => {
      const dan = account({ login: "dan" });
      assert.deepEqual(await enter(dan), { refusal: "not_invited" });
      await revokeInvitation(em(), admin, await invite({ login: "dan" }));
      assert.deepEqual(await enter(dan), { refusal: "not_invited" });
      await sql("update teams.invitation set expires_at = now() where id = ?", [
        await invite({ login: "dan" }),
      ]);
      assert.deepEqual(await enter(dan), { refusal: "not_invited" });
      assert.equal(await count('"user" where login = ?', ["dan"]), 0);
      assert.deepEqual(await finishSignIn(signIn, { ...(await comesBack(dan)), code: "wrong" }), {
        refusal: "code",
      });
    });

    it("uses only addresses that the code host verified, with any characters", async () => {
      const [email, other] = ["eve+'\"%_@example.com", "frank@example.com"];
      await invite({ email });
      await invite({ email: other });
      const unverified = account({ emails: [{ email, verified: false }] });
      assert.deepEqual(await enter(unverified), { refusal: "not_invited" });
      const emails = [email.toUpperCase(), "else@example.com"].map(own => ({ email: own, verified: true }));
      assert.ok("actor" in (await enter(account({ emails }))));
      assert.equal(await count("invitation where email = ?", [other]), 1, "that is another's");
    });

    it("gives a login to its current owner", async () => {
      await invite({ login: "gil" });
      const before = account({ login: "gil" });
      const first = idOf(await enter(before));
      const after = account({ login: "GIL", emails: [{ email: "gil@example.com", verified: true }] });
      await invite({ email: "gil@example.com" });
      const second = idOf(await enter(after));
      assert.notEqual(second, first);
      assert.equal(await count('"user" where id = ? and login is null', [first]), 1);
      assert.equal(idOf(await enter({ ...before, login: "gil-2" })), first);
    });

    it("creates one user, membership and entry for concurrent sign-ins", async () => {
      await invite({ login: "hal" });
      const hal = account({ login: "hal" });
      const both = await Promise.all(
        [await comesBack(hal), await comesBack(hal)].map(back => finishSignIn(signIn, back)),
      );
      assert.equal(new Set(both.map(idOf)).size, 1);
      const [id] = both.map(idOf);
      assert.equal(await count("membership where user_id = ?", [id]), 1);
      assert.equal(await count("activity where type = 'member.joined' and actor_id = ?", [id]), 1);
    });

    it("ends the browser's previous session", async () => {
      await invite({ login: "ida" });
      const ida = account({ login: "ida" });
      const first = await comesBack(ida);
      await finishSignIn(signIn, first);
      const second = { ...(await comesBack(ida)), before: first.tokenHash };
      await finishSignIn(signIn, second);
      assert.equal(await authenticateSession(em(), first.tokenHash), null);
      assert.ok(await authenticateSession(em(), second.tokenHash));
    });

    it("is noted in the activity of each team that it opens", async () => {
      const [open, closed] = [await newTeam("Open"), await newTeam("Closed")];
      for (const caller of [admin, open, closed]) await invite({ login: "joe" }, caller);
      await putPolicy(em(), closed.teamId, { defaultRole: null, groupRoles: [], enforced: true });
      const joe = account({ login: "joe" });
      const id = idOf(await finishSignIn(signIn, { ...(await comesBack(joe)), browser: "Firefox on Linux" }));
      const notes: { team: string; details: object }[] = await em().execute(
        `select team_id as team, details from teams.activity
         where type = 'session.opened' and actor_id = ? order by team_id`,
        [id],
      );
      const details = { browser: "Firefox on Linux" };
      assert.deepEqual(
        notes,
        [admin.teamId, open.teamId].toSorted().map(team => ({ team, details })),
      );
    });

    it("accepts the invitation of a deleted team only after it is restored", async () => {
      const caller = await newTeam("Deleted");
      await invite({ login: "kim" }, caller);
      await deleteTeam(em(), caller);
      const kim = account({ login: "kim" });
      assert.deepEqual(await enter(kim), { refusal: "not_invited" });
      await restoreTeam(em(), caller);
      assert.ok("actor" in (await enter(kim)));
    });
  });
}
