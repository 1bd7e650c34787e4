import assert from "node:assert/strict";
import { sendDigests } from "../../../services/alerts/notices/send-digests.ts";
import type { CheckOutcome } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import type { NoticePerson, Notify } from "../../../shared/contracts/teams/notices.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import { type AlertsTestContext, changedPages } from "../../support/contexts/alerts-context.ts";
import { type MailedAlerts, makeReviewer, startMailedAlerts } from "../../support/contexts/mailed-alerts.ts";
import { MAIN_DATABASES } from "../../support/databases/databases.ts";
import { until } from "../../support/drivers/until.ts";
import { slackMessage } from "../../support/formats/slack-message.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import type { MailServer } from "../../support/servers/mail-server.ts";

const IMAGES = { baseline: "0".repeat(64), current: "1".repeat(64), diff: null };

for (const kind of MAIN_DATABASES) {
  describe(`Digests on ${kind.name}`, () => {
    kind.needed();
    let alerts: MailedAlerts;
    let mails: MailServer;
    let context: AlertsTestContext;
    let runId: string;
    let project: string;
    let ada: NoticePerson;

    const facts = (more: Partial<DigestFacts> = {}): DigestFacts => ({
      run: {
        ...{ id: runId, project, branch: "fix-header", pullRequest: 7, sha: "3f9c1aa0bc" },
        ...{ message: "Fix the header", author: "grace", conclusion: "changed" },
      },
      open: 4,
      regressions: [{ id: "shot_1", route: "/pricing", viewport: 1280, diffRatio: 0.018, images: IMAGES }],
      decision: { by: [], reason: null },
      comments: [
        {
          ...{ id: "com_1", by: "bob", text: "<b>Too red?</b>\nSee @ada", screenshotId: "shot_1" },
          page: "/pricing at 1280 px",
        },
      ],
      ...more,
    });
    const event = (notify: Partial<Notify>[], more: Partial<OutgoingEvent> = {}): OutgoingEvent => ({
      ...{ id: newId("evt"), type: "run.completed", teamId: "team_1", project, subject: runId, data: {} },
      at: new Date().toISOString(),
      notify: notify.map(one => ({ kind: "review", users: [ada.id], except: null, ...one })),
      ...more,
    });
    const publish = (...events: OutgoingEvent[]) => context.call("alerts.publish", { events });
    /** Makes all notices of the run older than the delay. */
    const age = async () => {
      await context.em().execute(
        `update alerts.notice set created_at = now() - interval '1 hour', digested_at = digested_at - interval '1 hour'
           where run_id = ?`,
        [runId],
      );
    };
    const waiting = async () => {
      const rows: object[] = await context
        .em()
        .execute("select from alerts.notice where run_id = ? and digest_id is null", [runId]);
      return rows.length;
    };
    const send = () => sendDigests(context.service.context);
    const mailsTo = (address: string) => mails.to(address);

    before(async () => {
      alerts = await startMailedAlerts(kind);
      ({ context, mails } = alerts);
    });
    after(() => alerts?.stop());
    beforeEach(() => {
      runId = newId("run");
      project = `acme/${newId("proj")}`;
      ada = makeReviewer();
      context.people = [ada];
      context.digests.set(runId, facts());
    });
    const address = () => ada.email ?? "";

    it("are one mail with all that happened in the run", async () => {
      await publish(event([{}]), event([{ kind: "mention", commentId: "com_1" }]));
      await send();
      assert.deepEqual(mailsTo(address()), [], "notices wait for others");
      await age();
      await send();
      await until(() => mailsTo(address()).length > 0);
      const { mail, raw } = mails.only(address());
      assert.equal(mail.subject, `bob mentioned you in ${project} #7`);
      const text = mail.text ?? "";
      for (const part of [
        "fix-header · 3f9c1aa · Fix the header · by grace",
        "4 screenshots need review.",
        "bob on /pricing at 1280 px",
        "> <b>Too red?</b>",
        `/review/${runId}?shot=shot_1&comment=com_1`,
        "/pricing at 1280 px: 1.8%",
        "You get this email because a comment mentions you.",
      ])
        assert.ok(text.includes(part), `${part} in ${text}`);
      assert.ok(!String(mail.html).includes("<b>Too red"), "the comment is text");
      const link =
        /^List-Unsubscribe: <(\S+)>/m.exec(raw.replaceAll(/\r?\n[ \t]+/g, " "))?.[1] ?? assert.fail(raw);
      assert.match(raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
      const [, user = "", kinds = "", signature = ""] =
        /notices\/stop\/([^/]+)\/([^/]+)\/([^/]+)$/.exec(link) ?? [];
      assert.deepEqual([user, kinds], [ada.id, "review.mention"]);
      assert.ok(context.links().opensStopNotices(user, kinds, signature));
      assert.ok(!context.links().opensStopNotices("user_other", kinds, signature));
      assert.ok(!context.links().opensStopNotices(user, "decision", signature));
    });

    it("are sent once, whatever is repeated, also by several nodes at the same time", async () => {
      const other = await context.again();
      try {
        other.people = context.people;
        other.digests.set(runId, facts());
        const events = [event([{}])];
        await publish(...events);
        await other.call("alerts.publish", { events });
        await age();
        await Promise.all([
          send(),
          send(),
          sendDigests(other.service.context),
          sendDigests(other.service.context),
        ]);
        await until(() => mailsTo(address()).length > 0);
        await publish(...events);
        await age();
        await Promise.all([send(), sendDigests(other.service.context)]);
        assert.equal(await waiting(), 0);
        const rows: object[] = await context
          .em()
          .execute("select from alerts.notification where kind = 'digest' and payload::text like ?", [
            `%${runId}%`,
          ]);
        assert.equal(rows.length, 1);
        mails.only(address());
      } finally {
        await other.stop();
      }
    });

    it("wait after the last one of the same run", async () => {
      await publish(event([{}]));
      await age();
      await send();
      await until(() => mailsTo(address()).length === 1);
      await publish(event([{ kind: "mention", commentId: "com_1" }]));
      await context
        .em()
        .execute(
          "update alerts.notice set created_at = now() - interval '20 minutes' where run_id = ? and digest_id is null",
          [runId],
        );
      await send();
      assert.equal(await waiting(), 1);
      await age();
      await send();
      await until(() => mailsTo(address()).length === 2);
    });

    it("say nothing about what is over, unwanted, or of a former member", async () => {
      const unsent = async (change: () => void) => {
        runId = newId("run");
        context.digests.set(runId, facts());
        context.people = [ada];
        await publish(event([{}]));
        assert.equal(await waiting(), 1);
        await age();
        change();
        await send();
        assert.equal(await waiting(), 0);
      };
      await unsent(() => context.digests.set(runId, facts({ open: 0 })));
      await unsent(() => context.digests.delete(runId));
      await unsent(() => (context.people = []));
      await unsent(() => (context.people = [{ ...ada, reviews: "none" }]));
      assert.deepEqual(mailsTo(address()), []);
    });

    it("are not lost while another service is away", async () => {
      await publish(event([{}]));
      await age();
      const { bus } = context.service.context;
      const away = {
        ...context.service.context,
        bus: { ...bus, call: () => Promise.reject(new Error("away")) },
      };
      await assert.rejects(sendDigests(away), /away/);
      assert.equal(await waiting(), 1);
      await send();
      await until(() => mailsTo(address()).length === 1);
    });

    it("go to the chat channel of the project too, also of its builds", async () => {
      const receiver = await HttpReceiver.start(({ body }) => void slackMessage.parse(JSON.parse(body)));
      try {
        const slack = receiver.url("/hook");
        const set = (value: string | null) =>
          context.broker.call("alerts.putProjectChat", { project, slack: value }, { meta: meta("team_1") });
        await assert.rejects(
          context.broker.call(
            "alerts.putProjectChat",
            { project, slack: "http://10.0.0.1/" },
            { meta: meta("team_1") },
          ),
          /invalid|not allowed/i,
        );
        await set(slack);
        const view = await context.call("alerts.projectChat", { project }, "team_1");
        assert.deepEqual([view.slack?.includes("/hook"), view.changedBy], [false, "test"]);
        await publish(event([{}], { project: `${project}#Unit tests` }));
        await age();
        await send();
        await until(() => receiver.received.length === 1);
        assert.deepEqual(receiver.faults, []);
        assert.match(receiver.received[0]?.body ?? "", /Review needed: 4 screenshots in acme/);
        await set(null);
        await publish(event([{}]));
        await age();
        await send();
        assert.equal(receiver.received.length, 1);
      } finally {
        await receiver.close();
      }
    });

    const down: CheckOutcome = {
      kind: "down",
      reason: "It answers 500.",
      routes: ["/"],
      isWhole: true,
      regressions: [],
    };

    it("tell people of a monitor that is down and recovers, if they want that", async () => {
      context.people = [
        { ...ada, monitors: true },
        { ...ada, id: "user_b", email: "quiet@example.com" },
      ];
      const monitor = newId("mon");
      await context.report(monitor, { email: ["team@example.com"] }, down);
      await until(() => mailsTo(address()).length === 1);
      await context.report(monitor, { email: [address().toUpperCase()] }, { kind: "ok" });
      await until(() => mailsTo(address()).length === 2);
      const [first, second] = mailsTo(address());
      assert.match(first?.mail.subject ?? "", /is down/);
      assert.match(first?.raw ?? "", /notices\/stop/);
      assert.match(second?.mail.subject ?? "", /up again/);
      assert.deepEqual(mailsTo("quiet@example.com"), []);
      const shown = await context.call(
        "alerts.notifications",
        { monitorId: monitor, query: { limit: 9 } },
        `team_of_${monitor}`,
      );
      assert.ok(!JSON.stringify(shown.data.at(-1)).includes(address()), "members see the login");
    });

    it("tell people of no changed pages, unless they follow an outage, and of no recovery from them", async () => {
      context.people = [{ ...ada, monitors: true }];
      const monitor = newId("mon");
      const report = async (outcome: CheckOutcome) => {
        await context.report(monitor, {}, outcome);
        const queued = async () =>
          (await context.notifications(monitor)).filter(each => each.status === "queued");
        await until(async () => (await queued()).length === 0);
        return mailsTo(address()).length;
      };
      assert.equal(await report(changedPages("/a")), 0);
      assert.equal(await report({ kind: "ok" }), 0);
      assert.equal(await report(down), 1);
      assert.equal(await report(changedPages("/a")), 2, "it is no longer down");
      assert.equal(await report({ kind: "ok" }), 2);
    });

    it("tell people that an incident was resolved by hand", async () => {
      context.people = [{ ...ada, monitors: true }];
      const monitor = newId("mon");
      const team = `team_of_${monitor}`;
      const alerted = { id: monitor, teamId: team, name: "Shop", url: "https://shop.example", channels: {} };
      context.alerted.set(monitor, alerted);
      const resolve = async () => {
        const query = { limit: 1, monitor };
        const { data } = await context.call("alerts.incidents", { query }, team);
        await context.call("alerts.resolve", { id: data[0]?.id ?? "" }, team);
      };
      await context.report(monitor, {}, changedPages("/a"));
      await resolve();
      await context.report(monitor, {}, down);
      await resolve();
      await until(() => mailsTo(address()).length === 2);
      assert.match(mailsTo(address())[0]?.mail.subject ?? "", /is down/);
      assert.match(mailsTo(address())[1]?.mail.subject ?? "", /resolved/);
    });
  });
}

const meta = (teamId: string) => ({
  caller: { teamId, role: "admin", actor: { kind: "key", id: "key_a", name: "test" } },
});
