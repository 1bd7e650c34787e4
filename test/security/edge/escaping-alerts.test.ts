import assert from "node:assert/strict";
import { after, before, describe, it } from "mocha";
import type { Browser } from "playwright";
import { z } from "zod";
import { bodyOf } from "../../../cli/monitor/webhook-form.ts";
import type { Sender } from "../../../services/alerts/alerts-context.ts";
import { email } from "../../../services/alerts/channels/email.ts";
import { CHANNELS } from "../../../services/alerts/channels/registry.ts";
import { Mailer } from "../../../services/alerts/mail/mailer.ts";
import { Thumbnails } from "../../../services/alerts/mail/thumbnails.ts";
import { type AlertMessage, messageOf } from "../../../services/alerts/notifications/message.ts";
import { downFingerprintOf, fingerprintOf } from "../../../shared/alerts/fingerprint.rule.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import { Links } from "../../../shared/links/links.ts";
import { reportOn } from "../../support/contexts/alerts-context.ts";
import { launchBrowser } from "../../support/drivers/browser/report-browser.ts";
import { CONTROLS, CONTROLS_IN_LINES, HOSTILE_NAMES } from "../../support/fixtures/hostile-names.ts";
import { incidentEvent } from "../../support/formats/incident-event.ts";
import { renderHtml } from "../../support/formats/rendered-page.ts";
import { readMrkdwn, slackMessage } from "../../support/formats/slack-message.ts";
import { HttpReceiver } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const BASE = "https://vrs.example";
const IMAGES = { baseline: "a".repeat(64), current: "b".repeat(64), diff: "c".repeat(64) };
const SITE = "https://shop.example/";

/** Returns an alert about changed pages, and one about pages that are down, with this name everywhere. */
function messagesOf(name: string): AlertMessage[] {
  const regressions = [{ route: `/${name}`, viewport: 1280, diffRatio: 0.1, images: IMAGES }];
  const named = { monitor: { id: "mon_1", teamId: "team_1", name, url: SITE, channels: {} } };
  const down = { kind: "down", reason: name, routes: [`/${name}`], isWhole: false, regressions } as const;
  return [
    messageOf(reportOn("mon_1", {}, { kind: "changed", regressions }, named), {
      kind: "changed",
      about: fingerprintOf(regressions),
      since: null,
      incidentId: null,
    }),
    messageOf(reportOn("mon_1", {}, { ...down, routes: [...down.routes] }, named), {
      kind: "down",
      about: downFingerprintOf([...down.routes], regressions),
      since: null,
      incidentId: null,
    }),
  ];
}

/** Returns the command-line tool's alert about such pages. */
function toolAlert(name: string) {
  const url = `https://shop.example/${encodeURI(name.toWellFormed())}`;
  const said = { about: "f", since: null, at: new Date().toISOString(), recovered: [] };
  const regressions = [{ url, state: name, environment: null, viewport: 1280, diffRatio: 0.1 }];
  const alert = { ...said, kind: "down", regressions, down: [{ url, reason: name }] } as const;
  return {
    id: "alr_1",
    alert: { ...alert, regressions, down: [...alert.down], recovered: [] },
    threshold: 0.01,
  };
}

/** Returns every text in a document. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

describe("Hostile names in alerts", () => {
  let mails: MailServer;
  let receiver: HttpReceiver;
  let browser: Browser;
  let sender: Sender;
  const signal = new AbortController().signal;

  before(async () => {
    [mails, receiver, browser] = await Promise.all([
      MailServer.start(),
      HttpReceiver.start(),
      launchBrowser(),
    ]);
    sender = {
      links: async () => new Links(BASE, "key"),
      baseUrl: BASE,
      thumbnails: new Thumbnails({ get: () => Promise.reject(new Error("There are no images here.")) }),
      mailer: new Mailer({ url: mails.url(), from: { name: "vrs", address: "vrs@example.com" } }),
      policy: addressPolicy(["localhost"]),
      onUnresolved: () => {},
      pagerdutyUrl: receiver.url("").replace(/\/$/, ""),
    };
  });
  after(async () => {
    sender?.mailer?.close();
    await Promise.all([browser?.close(), mails?.close(), receiver?.close()]);
  });

  const post = async (
    channel: "slack" | "pagerduty" | "webhook",
    message: AlertMessage,
  ): Promise<unknown> => {
    const address = channel === "pagerduty" ? "r".repeat(32) : receiver.url("/hook");
    const to = { address, secret: "s" };
    const outcome = await CHANNELS[channel].send({ id: "dlv_1", receiver: to, message, signal }, sender);
    assert.equal(outcome.kind, "sent", outcome.answer);
    return JSON.parse(receiver.received.at(-1)?.body ?? "");
  };

  /** Checks the last mail as a mail program reads it. */
  const assertMailHarmless = async (paragraphs: number) => {
    const { mail, raw } = mails.received.at(-1) ?? assert.fail("no mail");
    assert.deepEqual(
      [...mail.headers.keys()].filter(name => /^(bcc|cc|x-evil)/.test(name)),
      [],
    );
    assert.doesNotMatch(mail.subject ?? "", CONTROLS);
    assert.doesNotMatch(raw.split("\r\n\r\n")[0] ?? "", /[^\t\r\n\u0020-\u007e]/, "headers are ASCII");
    assert.ok(mail.html);
    const { links, pictures, active, complaints, text } = await renderHtml(browser, mail.html);
    const foreign = [...links, ...pictures].filter(url => !/^https:\/\/vrs\.example\//.test(url));
    assert.deepEqual([foreign, active, complaints], [[], [], []]);
    assert.doesNotMatch(text, CONTROLS_IN_LINES);
    assert.doesNotMatch(mail.text ?? "", CONTROLS_IN_LINES);
    const said = (mail.text ?? "").split("\n-- \n")[0]?.split("\n\n") ?? [];
    assert.equal(said.length, paragraphs, mail.text);
  };

  it("have no effect in mails: in HTML, text, subject and headers", async () => {
    for (const name of HOSTILE_NAMES)
      for (const message of messagesOf(name)) {
        const outgoing = {
          id: "dlv_1",
          receiver: { address: "a@example.com", secret: null },
          message,
          signal,
        };
        assert.equal((await email.send(outgoing, sender)).kind, "sent");
        await assertMailHarmless(4);
      }
  });

  it("have no effect in the service's own mails", async () => {
    for (const name of HOSTILE_NAMES) {
      const message = {
        subject: `${name} invites you`,
        paragraphs: [`${name} invites you to ${name}.`],
        button: { label: `Join ${name}`, url: `${BASE}/join` },
      };
      const to = { address: "a@example.com", secret: null };
      const outcome = await email.notify?.({ id: "dlv_1", receiver: to, message, signal }, sender);
      assert.equal(outcome?.kind, "sent");
      await assertMailHarmless(3);
    }
  });

  it("have no effect in chat: no mentions and no links", async () => {
    for (const name of HOSTILE_NAMES)
      for (const body of [
        ...(await Promise.all(messagesOf(name).map(message => post("slack", message)))),
        bodyOf("slack", toolAlert(name)),
      ]) {
        const message = slackMessage.parse(body);
        const urls = message.blocks.flatMap(block =>
          block.type === "section" ? readMrkdwn(block.text.text).links.map(({ url }) => url) : [],
        );
        for (const url of urls) assert.match(url, /^https:\/\/(vrs|shop)\.example\//);
        for (const text of textsIn(message)) assert.doesNotMatch(text, CONTROLS_IN_LINES);
        assert.doesNotMatch(readMrkdwn(message.text).rest, CONTROLS);
      }
  });

  it("have no effect in the other chat tool, which gets no mentions", () => {
    const discord = z.object({
      content: z.string().min(1).max(2_000),
      allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
      embeds: z.tuple([z.looseObject({ title: z.string().max(256), description: z.string().max(4_096) })]),
    });
    for (const name of HOSTILE_NAMES) {
      const { content, embeds } = discord.parse(bodyOf("discord", toolAlert(name)));
      const [{ title, description }] = embeds;
      for (const text of [content, title, description]) {
        assert.doesNotMatch(text, CONTROLS_IN_LINES);
        const prose = text.replaceAll(/https?:\/\/\S+/g, "");
        assert.doesNotMatch(prose, /(?<!\\)[*_~`|[\]<>]/, "markup that is not escaped");
      }
    }
  });

  it("have no effect in incidents", async () => {
    for (const name of HOSTILE_NAMES)
      for (const message of messagesOf(name)) {
        const event = incidentEvent.parse(await post("pagerduty", message));
        for (const text of textsIn(event)) assert.doesNotMatch(text, CONTROLS);
      }
  });

  it("stay data in webhooks, without effect in their texts", async () => {
    const body = z.looseObject({
      title: z.string(),
      text: z.string(),
      monitor: z.object({ name: z.string() }),
    });
    for (const name of HOSTILE_NAMES)
      for (const message of messagesOf(name)) {
        const { title, text, monitor } = body.parse(await post("webhook", message));
        assert.doesNotMatch(`${title} ${text}`, CONTROLS);
        assert.equal(monitor.name, name.toWellFormed() === name ? name : monitor.name);
      }
  });

  it("don't prevent the headline of an alert that is refused as a whole", async () => {
    const [message] = messagesOf("Shop");
    assert.ok(message);
    const refused = { status: 400, body: "invalid_blocks" };
    for (const [channel, refusals] of [
      ["slack", 2],
      ["pagerduty", 1],
    ] as const) {
      receiver.answers = [...Array.from({ length: refusals }, () => refused), {}];
      const body = JSON.stringify(await post(channel, message));
      assert.match(body, /Shop: \/Shop at 1280 px differs/);
      assert.ok(body.length < 400);
    }
  });
});
