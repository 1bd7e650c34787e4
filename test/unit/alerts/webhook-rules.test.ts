import assert from "node:assert/strict";
import { describe, it } from "mocha";
import { Webhook as Verifier } from "standardwebhooks";
import { nextDeliveryMs, pauseReason } from "../../../services/alerts/webhooks/attempt.rule.ts";
import { conditionEvent } from "../../../services/alerts/webhooks/monitor-event.ts";
import { planDeliveries, type Subscription } from "../../../services/alerts/webhooks/plan-deliveries.rule.ts";
import { newSecret, rotated, signatureHeaders } from "../../../services/alerts/webhooks/webhook-secret.ts";
import type { ConditionKind } from "../../../shared/contracts/monitors/conditions.ts";
import { EVENT_DATA, type OutgoingEvent } from "../../../shared/contracts/webhooks/events.ts";
import { WEBHOOK_BOUNDS } from "../../../shared/contracts/webhooks/webhooks.ts";

const HOUR_MS = 3_600_000;
const SUBSCRIPTION: Subscription = {
  ...{
    id: "whk_1",
    teamId: "team_1",
    project: null,
    events: ["run.completed"],
    status: "active",
    waiting: 0,
  },
};
const event = (more: Partial<OutgoingEvent> = {}): OutgoingEvent => ({
  ...{ id: "evt_1", type: "run.completed", teamId: "team_1", project: "acme/shop", subject: "run_1" },
  ...{ at: "2026-01-01T00:00:00.000Z", data: {} },
  ...more,
});
const planned = (subscription: Partial<Subscription>, more: Partial<OutgoingEvent> = {}) =>
  planDeliveries([{ ...SUBSCRIPTION, ...subscription }], [event(more)]);

describe("A webhook's subscription", () => {
  it("selects events by team, type and project", () => {
    assert.equal(planned({}).length, 1);
    assert.equal(planned({ teamId: "team_2" }).length, 0);
    assert.equal(planned({ events: ["run.reviewed"] }).length, 0);
    assert.equal(planned({ project: "acme/shop" }).length, 1);
    assert.equal(planned({ project: "acme/sho" }).length, 0);
    assert.equal(planned({ project: "acme/shop" }, { project: "acme/shop#tests" }).length, 1);
    assert.equal(planned({ project: "acme/shop" }, { project: null }).length, 0);
  });

  it("logs events as dropped while it is paused, or if too many wait", () => {
    assert.match(planned({ status: "paused" })[0]?.dropped ?? "", /paused/);
    const { waiting } = WEBHOOK_BOUNDS;
    assert.equal(planned({ waiting: waiting - 1 })[0]?.dropped, null);
    assert.match(planned({ waiting })[0]?.dropped ?? "", /already waiting/);
    const subscriptions = [{ ...SUBSCRIPTION, waiting: waiting - 1 }];
    const two = planDeliveries(subscriptions, [event(), event({ id: "evt_2" })]);
    assert.deepEqual(
      two.map(({ dropped }) => dropped === null),
      [true, false],
    );
  });
});

describe("A webhook's secret", () => {
  const signed = { id: "evt_1", body: '{"type":"run.completed"}', now: new Date() };

  it("signs as the verifier of Standard Webhooks expects", () => {
    const secret = newSecret();
    const headers = signatureHeaders({ secret, previous: null }, signed);
    assert.deepEqual(new Verifier(secret).verify(signed.body, headers), { type: "run.completed" });
    assert.throws(() => new Verifier(secret).verify(`${signed.body} `, headers));
    assert.throws(() => new Verifier(secret).verify(signed.body, { ...headers, "webhook-id": "evt_2" }));
    assert.throws(() => new Verifier(newSecret()).verify(signed.body, headers));
  });

  it("signs together with the one it replaced, until the overlap ends", () => {
    const first = { secret: newSecret(), previous: null };
    const second = rotated(first, 2, signed.now);
    const verifies = (secret: string, at: Date) => {
      const headers = signatureHeaders(second, { ...signed, now: at });
      const signatures = headers["webhook-signature"] ?? "";
      const own = signatureHeaders({ secret, previous: null }, { ...signed, now: at });
      return signatures.split(" ").includes(own["webhook-signature"] ?? "");
    };
    const after = new Date(signed.now.getTime() + 2 * HOUR_MS);
    assert.deepEqual([verifies(first.secret, signed.now), verifies(second.secret, signed.now)], [true, true]);
    assert.deepEqual([verifies(first.secret, after), verifies(second.secret, after)], [false, true]);
    assert.equal(rotated(second, 0, signed.now).previous, null);
    const headers = signatureHeaders(second, signed);
    for (const { secret } of [first, second]) new Verifier(secret).verify(signed.body, headers);
  });
});

describe("A failed delivery", () => {
  it("is retried with growing waits for three days", () => {
    let ageMs = 0;
    const waits: number[] = [];
    for (let attempts = 1; ; attempts++) {
      const waitMs = nextDeliveryMs({ attempts, ageMs, retryAfterMs: null }, 1);
      if (waitMs === null) break;
      waits.push(waitMs);
      ageMs += waitMs;
    }
    assert.equal(waits[0], 5_000);
    assert.ok(waits.every((wait, index) => wait >= (waits[index - 1] ?? 0)));
    assert.ok(waits.every(wait => wait <= 4 * HOUR_MS));
    assert.ok(ageMs > 68 * HOUR_MS && ageMs <= 72 * HOUR_MS, String(ageMs / HOUR_MS));
  });

  it("waits as long as the receiver asks", () => {
    assert.equal(nextDeliveryMs({ attempts: 1, ageMs: 0, retryAfterMs: HOUR_MS }, 0), HOUR_MS);
    assert.equal(nextDeliveryMs({ attempts: 1, ageMs: 0, retryAfterMs: 73 * HOUR_MS }, 0), null);
  });

  it("pauses the webhook with its last attempt if nothing succeeded since the first one, or if the receiver is gone", () => {
    const at = (hours: number, failingForHours = hours) => ({
      ...{ isLast: true, ageMs: hours * HOUR_MS, failingForMs: failingForHours * HOUR_MS },
    });
    const failed = { kind: "retry", answer: "503 down", retryAfterMs: null } as const;
    // The last attempt is 68 to 72 hours after the first one.
    for (const hours of [68, 72]) assert.equal(pauseReason(failed, at(hours)), "failures");
    assert.equal(pauseReason(failed, { ...at(67), isLast: false }), null);
    assert.equal(pauseReason(failed, at(70, 50)), null, "another delivery succeeded meanwhile");
    assert.equal(pauseReason(failed, at(0, 200)), null, "an earlier delivery failed, and no other was sent");
    assert.equal(pauseReason({ kind: "refused", answer: "410 Gone" }, at(0)), "gone");
    assert.equal(pauseReason({ kind: "refused", answer: "404 not found" }, at(0)), null);
    assert.equal(pauseReason({ kind: "sent", answer: "200 ok" }, at(99)), null);
  });
});

describe("The event of a condition", () => {
  const subjectsOf = (...kinds: ConditionKind[]) =>
    kinds.map((kind, index) => {
      const monitors = [String(index), "other"].map(id => ({
        ...{ id, teamId: "team_1", name: "Shop", url: "https://shop.example", channels: {} },
      }));
      const condition = { kind, source: kind, at: "", title: "", text: "", monitors };
      return conditionEvent(condition, monitors).subject;
    });

  it("is about the team if monitors share the condition, so that its start is delivered before its end", () => {
    assert.deepEqual(subjectsOf("unchecked", "checked"), ["team_1", "team_1"]);
    assert.deepEqual(subjectsOf("certificate", "failing"), ["0", "1"]);
  });
});

describe("The payload of a webhook event", () => {
  it("always names the team", () => {
    for (const schema of Object.values(EVENT_DATA)) assert.ok("teamId" in schema.shape);
  });
});
