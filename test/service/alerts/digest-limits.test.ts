import assert from "node:assert/strict";
import { findWaitingNotices, takeNotices } from "../../../services/alerts/notices/notice.store.ts";
import { sendDigests } from "../../../services/alerts/notices/send-digests.ts";
import type { DigestFacts } from "../../../shared/contracts/reviews/digest.ts";
import type { NoticePerson } from "../../../shared/contracts/teams/notices.ts";
import type { OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { newId } from "../../../shared/ids.ts";
import type { AlertsTestContext } from "../../support/contexts/alerts-context.ts";
import { type MailedAlerts, makeReviewer, startMailedAlerts } from "../../support/contexts/mailed-alerts.ts";
import { DATABASES } from "../../support/databases/databases.ts";

for (const kind of DATABASES) {
  describe(`Limits of digests on ${kind.name}`, () => {
    kind.needed();
    let alerts: MailedAlerts;
    let context: AlertsTestContext;
    let ada: NoticePerson;

    before(async () => {
      alerts = await startMailedAlerts(kind);
      ({ context } = alerts);
    });
    after(() => alerts?.stop());
    beforeEach(() => {
      ada = makeReviewer();
      context.people = [ada];
    });

    const factsOf = (runId: string): DigestFacts => ({
      run: {
        ...{ id: runId, project: "acme/shop", branch: "main", pullRequest: null, sha: null },
        ...{ message: null, author: null, conclusion: "changed" },
      },
      ...{ open: 1, regressions: [], decision: { by: [], reason: null }, comments: [] },
    });
    /** Publishes that runs need review. */
    async function publish(runIds: string[]): Promise<void> {
      const events = runIds.map((subject): OutgoingEvent => {
        const of = {
          id: newId("evt"),
          type: "run.completed" as const,
          teamId: "team_1",
          project: "acme/shop",
        };
        const notify = [{ kind: "review" as const, users: [ada.id], except: null }];
        return { ...of, subject, data: {}, at: new Date().toISOString(), notify };
      });
      await context.call("alerts.publish", { events });
    }
    const newRuns = (count: number) =>
      Array.from({ length: count }, () => {
        const runId = newId("run");
        context.digests.set(runId, factsOf(runId));
        return runId;
      });
    /** Makes all waiting notices older than the delay. */
    const age = () =>
      context
        .em()
        .execute(
          "update alerts.notice set created_at = created_at - interval '1 hour' where receiver = ? and digest_id is null",
          [ada.id],
        );
    const send = () => sendDigests(context.service.context);
    const countOf = async (where: string) => {
      const rows: object[] = await context
        .em()
        .execute(`select from alerts.notice where receiver = ? and ${where}`, [ada.id]);
      return rows.length;
    };

    it("are at most 20 for a person in an hour, however many are due at once", async () => {
      for (const count of [15, 15]) {
        await publish(newRuns(count));
        await age();
        await send();
      }
      assert.equal(await countOf("digested_at is not null"), 20);
      assert.equal(await countOf("digest_id is null"), 10);
    });

    it("hold for each digest alone: one that fails doesn't stop the others", async () => {
      const [broken = "", ...others] = newRuns(2);
      context.digests.set(broken, {
        ...factsOf(broken),
        get comments(): never {
          throw new Error("broken");
        },
      });
      await publish([broken]);
      await publish(others);
      await age();
      await assert.rejects(send(), /broken/);
      assert.equal(await countOf("digested_at is not null"), 1);
      assert.equal(await countOf(`digest_id is null and run_id = '${broken}'`), 1);
      context.digests.delete(broken);
      await send();
      assert.equal(await countOf("digest_id is null"), 0);
    });

    it("leave notices to the node that took the earlier ones", async () => {
      const [runId = ""] = newRuns(1);
      await publish([runId]);
      await publish([runId]);
      const due = { teamId: "team_1", project: "acme/shop", runId, receiver: ada.id };
      const both = await findWaitingNotices(context.em(), due, 9);
      assert.equal(both.length, 2);
      const take = (notices: typeof both) =>
        context.em().transactional(tx => takeNotices(tx, due, notices, newId("dlv")));
      assert.equal(await take(both.slice(0, 1)), true);
      assert.equal(await take(both), false);
      assert.equal(await countOf("digest_id is null"), 1);
    });
  });
}
