import assert from "node:assert/strict";
import { sendDigests } from "../../../services/alerts/notices/send-digests.ts";
import type { ActionName, Actions } from "../../../shared/contracts/actions.ts";
import type { CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import type { NoticePerson, Notify } from "../../../shared/contracts/teams/notices.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import { type AlertsTestContext, changedPages } from "../../support/contexts/alerts-context.ts";
import { type MailedAlerts, makeReviewer, startMailedAlerts } from "../../support/contexts/mailed-alerts.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import type { MailServer } from "../../support/servers/mail-server.ts";

const DOWN: CheckOutcome = {
  ...{ kind: "down", reason: "It answers 500.", routes: ["/"], isWhole: true, regressions: [] },
};

for (const kind of MAIN_DATABASES) {
  describe(`Email addresses of projects on ${kind.name}`, () => {
    kind.needed();
    let alerts: MailedAlerts;
    let mails: MailServer;
    let context: AlertsTestContext;
    let teamId: string;
    let project: string;
    let runId: string;
    let ada: NoticePerson;
    /** An address of this test. */
    let team: string;

    before(async () => {
      alerts = await startMailedAlerts(kind);
      ({ context, mails } = alerts);
    });
    after(() => alerts?.stop());
    beforeEach(() => {
      [teamId, runId, project] = [newId("team"), newId("run"), `acme/${newId("proj")}`];
      team = `${newId("inv")}@example.com`;
      ada = makeReviewer();
      context.people = [ada];
      context.digests.set(runId, factsOf());
      context.noted.length = 0;
    });

    const ask = <N extends ActionName>(name: N, params: Actions[N]["params"], of = teamId) => {
      const actor = { kind: "key", id: "key_a", name: "grace" } as const;
      const meta = { caller: { teamId: of, role: "admin", actor } };
      return context.broker.call<Actions[N]["result"], Actions[N]["params"]>(name, params, { meta });
    };
    const put = (addresses: string[], of = project, owner = teamId) =>
      ask("alerts.putProjectEmail", { project: of, addresses }, owner);
    const factsOf = (more: Partial<DigestFacts> = {}): DigestFacts => ({
      run: {
        ...{ id: runId, project, branch: "fix-header", pullRequest: 7, sha: "3f9c1aa0bc" },
        ...{ message: "Fix the header", author: "grace", conclusion: "changed" },
      },
      ...{ open: 4, regressions: [], decision: { by: [], reason: null }, comments: [], ...more },
    });
    const needsReview = async (more: Partial<Notify> = {}, of = project) => {
      const event: OutgoingEvent = {
        ...{ id: newId("evt"), type: "run.completed", teamId, project: of, subject: runId, data: {} },
        at: new Date().toISOString(),
        notify: [{ kind: "review", users: [], isForAll: true, except: null, ...more }],
      };
      await context.call("alerts.publish", { events: [event] });
    };
    /** Sends the digests of the run, as if the delay were over. */
    const send = async () => {
      await context.em().execute(
        `update alerts.notice set created_at = now() - interval '1 hour', digested_at = digested_at - interval '2 hours'
           where run_id = ?`,
        [runId],
      );
      await sendDigests(context.service.context);
    };
    const digests = async () => {
      const rows: object[] = await context
        .em()
        .execute("select from alerts.notification where kind = 'digest' and payload::text like ?", [
          `%${runId}%`,
        ]);
      return rows.length;
    };
    /** Returns the link that unsubscribes, for mail programs. */
    const unsubscribeLink = (raw: string) => {
      const [, link = ""] = /^List-Unsubscribe: <(\S+)>/m.exec(raw.replaceAll(/\r?\n[ \t]+/g, " ")) ?? [];
      const [, of = "", id = "", address = "", signature = ""] =
        /notices\/unsubscribe\/([^/]+)\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(link) ?? assert.fail(raw);
      return { team: of, id, address, signature };
    };

    it("get one email for each run that needs review, also of named builds", async () => {
      await put([team, team.toUpperCase()]);
      await needsReview({}, `${project}#Unit tests`);
      await needsReview({}, `${project}#Unit tests`);
      await send();
      await until(() => mails.to(team).length > 0);
      const { mail, raw } = mails.only(team);
      assert.equal(mail.subject, `Review needed: 4 screenshots in ${project} #7`);
      assert.match(mail.text ?? "", new RegExp(`because ${project} sends its runs`));
      assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
      assert.equal(await digests(), 1);
      const { team: of, id, address, signature } = unsubscribeLink(raw);
      assert.ok(context.links().opensUnsubscribeProject(of, id, address, signature));
      assert.ok(!context.links().opensUnsubscribeProject("team_other", id, address, signature));
    });

    it("get nothing else about a run: no comments, no decisions, no assignments", async () => {
      await put([team]);
      await needsReview({ kind: "mention", users: [ada.id], commentId: "com_1" });
      await needsReview({ kind: "decision" });
      const { isForAll: _all, ...assigned } = { kind: "review" as const, users: [ada.id], isForAll: true };
      await context.call("alerts.publish", {
        events: [
          {
            ...{ id: newId("evt"), type: "notice", teamId, project, subject: runId, data: {} },
            ...{ at: new Date().toISOString(), notify: [{ ...assigned, except: null }] },
          },
        ],
      });
      await send();
      await until(() => mails.to(ada.email ?? "").length > 0);
      assert.deepEqual(mails.to(team), []);
    });

    it("don't repeat the own email of a member with the same address", async () => {
      const { email } = ada;
      assert.ok(email);
      await put([email.toUpperCase(), team]);
      await needsReview({ users: [ada.id] });
      await send();
      await until(() => mails.to(team).length > 0 && mails.to(email).length > 0);
      assert.match(mails.only(email).raw, /notices\/stop/);
      assert.equal(await digests(), 2);
      // Without an own email, the address counts.
      [runId] = [newId("run")];
      context.digests.set(runId, factsOf());
      context.people = [{ ...ada, reviews: "none" }];
      await needsReview({ users: [ada.id] });
      await send();
      await until(() => mails.to(email).length === 2);
      assert.match(mails.to(email)[1]?.raw ?? "", /notices\/unsubscribe/);
    });

    it("get nothing once they are removed, or the run was decided", async () => {
      await put([team]);
      await needsReview();
      await put([]);
      await send();
      await put([team]);
      await needsReview();
      context.digests.set(runId, factsOf({ open: 0 }));
      await send();
      assert.equal(await digests(), 0);
    });

    it("unsubscribe for good, which the settings and the activity show", async () => {
      await put([team]);
      await needsReview();
      await send();
      await until(() => mails.to(team).length > 0);
      const { id } = unsubscribeLink(mails.only(team).raw);
      const leave = (of: string) =>
        context.call("alerts.unsubscribeProject", { teamId: of, id, address: team.toUpperCase() });
      await leave("team_other");
      assert.deepEqual((await ask("alerts.projectEmail", { project })).unsubscribed, []);
      await Promise.all([leave(teamId), leave(teamId)]);
      await put([]);
      const view = await put([team]);
      assert.deepEqual([view.addresses, view.unsubscribed], [[team], [team]]);
      runId = newId("run");
      context.digests.set(runId, factsOf());
      await needsReview();
      await send();
      assert.equal(await digests(), 0);
      const left = () => context.noted.filter(({ details }) => "unsubscribed" in details);
      await until(() => left().length > 0);
      assert.deepEqual(
        left().map(({ target, actor }) => [target, actor.id]),
        [[project, "alert-link"]],
      );
    });

    it("belong to one team, are stored encrypted, and are noted when they change", async () => {
      const none = { project, addresses: [], unsubscribed: [], changedBy: null, changedAt: null };
      assert.deepEqual(await ask("alerts.projectEmail", { project }), none);
      await put([team]);
      assert.deepEqual(await ask("alerts.projectEmail", { project }, newId("team")), none);
      const rows: object[] = await context
        .em()
        .execute("select target from alerts.project_email where team_id = ?", [teamId]);
      assert.ok(!JSON.stringify(rows).includes(team));
      await put([team]);
      await until(() => context.noted.length > 0);
      assert.deepEqual(
        context.noted.map(({ type, target, details }) => [type, target, details]),
        [["project.changed", project, { email: team }]],
      );
      await assert.rejects(put([team], "monitor/mon_1"), { type: "conflict" });
    });

    it("of all monitors get each alert once, also if the monitor or a member has the address", async () => {
      const monitor = newId("mon");
      const owner = `team_of_${monitor}`;
      const { email } = ada;
      assert.ok(email);
      context.people = [{ ...ada, monitors: true }];
      await put([team, email, `own-${team}`], "monitors", owner);
      const channels = { email: [`OWN-${team}`] };
      await context.report(monitor, channels, DOWN);
      await until(() => [team, email, `OWN-${team}`].every(address => mails.to(address).length === 1));
      assert.equal((await context.notifications(monitor)).length, 3);
      const { mail, raw } = mails.only(team);
      assert.match(mail.subject ?? "", /is down/);
      assert.match(mail.text ?? "", /sends the alerts of all its monitors/);
      assert.match(mails.only(email).raw, /notices\/stop/);
      const { id, address } = unsubscribeLink(raw);
      assert.equal(Buffer.from(address, "base64url").toString(), team);
      await context.call("alerts.unsubscribeProject", { teamId: owner, id, address: team });
      await context.report(monitor, channels, { kind: "ok" });
      await until(() => mails.to(email).length === 2);
      assert.equal(mails.to(team).length, 1);
    });

    it("of all monitors get changed pages, and nothing of other teams", async () => {
      const [monitor, other] = [newId("mon"), newId("mon")];
      await put([team], "monitors", `team_of_${monitor}`);
      await context.report(other, {}, changedPages("/"));
      await context.report(monitor, {}, changedPages("/pricing"));
      await until(() => mails.to(team).length === 1);
      assert.match(mails.only(team).mail.subject ?? "", /\/pricing/);
    });
  });
}
