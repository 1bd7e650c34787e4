import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { afterEach, describe, it } from "mocha";
import { CHANNELS } from "../../../services/alerts/channels/registry.ts";
import { planNotifications } from "../../../services/alerts/decisions/plan-notifications.ts";
import { Thumbnails } from "../../../services/alerts/mail/thumbnails.ts";
import { explanation } from "../../../services/alerts/notifications/describe-message.ts";
import { messageOf } from "../../../services/alerts/notifications/message.ts";
import { downFingerprintOf, fingerprintOf } from "../../../shared/alerts/fingerprint.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { addressPolicy } from "../../../shared/capture/network/address-guard.ts";
import type { Regression } from "../../../shared/contracts/monitors/alert-actions.ts";
import { Links } from "../../../shared/links/links.ts";
import { changedPages, reportOn } from "../../support/contexts/alerts-context.ts";
import {
  discordMessage,
  googleChatMessage,
  readParagraph,
  teamsMessage,
} from "../../support/formats/chat-cards.ts";
import { EVENT_BYTES, incidentEvent } from "../../support/formats/incident-event.ts";
import { readMrkdwn, slackMessage } from "../../support/formats/slack-message.ts";
import { HttpReceiver, type ReceivedPost } from "../../support/servers/http/http-receiver.ts";
import { MailServer } from "../../support/servers/mail-server.ts";

const BASE = "https://vrs.example";
const ROUTING_KEY = "r".repeat(32);
const LINKS = new Links(BASE, "key");
const [BEFORE, AFTER, MASK] = ["a", "b", "c"].map(digit => digit.repeat(64));
const IMAGES = { baseline: BEFORE ?? null, current: AFTER ?? null, diff: MASK ?? null };

const regression = (more: Partial<Regression> = {}): Regression => ({
  route: "/pricing",
  viewport: 1440,
  diffRatio: 0.018,
  images: IMAGES,
  ...more,
});

/** Returns the run of a message's images. */
const runOf = ({ runId }: { runId: string | null }) =>
  runId === null ? null : { id: runId, linkGeneration: 0 };

/** Returns a message about these regressions. */
function messageWith(regressions: Regression[], kind: "changed" | "recovered" | "replaced" = "changed") {
  const outcome = { kind: "changed" as const, regressions };
  const about = fingerprintOf(regressions);
  return messageOf(reportOn("mon_1", {}, outcome), { kind, about, since: null, incidentId: "inc_1" });
}

/** Returns a message about pages that are down and pages that changed. */
function downMessage(routes: string[], isWhole = false, ...regressions: Regression[]) {
  const outcome = { kind: "down" as const, reason: "It answers 500.", routes, isWhole, regressions };
  const about = downFingerprintOf(routes, regressions);
  return messageOf(reportOn("mon_1", {}, outcome), { kind: "down", about, since: null, incidentId: "inc_1" });
}

describe("An alert about a monitor with regions", () => {
  it("names the regions that see the difference", () => {
    const seen = [
      regression({ regions: ["us-east"] }),
      regression({ route: "/", regions: ["eu-west", "us-east"] }),
    ];
    const text = explanation(messageWith(seen));
    assert.match(text, /^2 pages differ .* confirmed it\. Seen from eu-west and us-east\. Checked on/);
    assert.doesNotMatch(explanation(messageWith([regression()])), /Seen from/);
    const [first] = messageWith(seen).regressions;
    assert.deepEqual(first?.regions, ["us-east"]);
  });
});

describe("A webhook", () => {
  it("is not sent to this machine's public address or into a denied network", async () => {
    const policy = addressPolicy([], ["1.1.1.0/24"], () => new Set(["8.8.4.4"]));
    const { signal } = new AbortController();
    for (const url of ["https://8.8.4.4/in", "https://1.1.1.1/in"]) {
      const outcome = await postJson({ url, body: "{}", policy, signal });
      assert.equal(outcome.kind, "refused");
      assert.match(outcome.answer, /The receiver's address is not allowed: .*(this machine|operator denies)/);
    }
  });
});

describe("A message", () => {
  it("says if renderers that draw differently captured the baselines", () => {
    const other = regression({ isOtherRenderer: true });
    const note = /\. 1 baseline was captured by another browser build or with other fonts\. Differences may/;
    assert.match(explanation(messageWith([other, regression({ route: "/b" })])), note);
    assert.match(explanation(downMessage(["/c"], false, other)), note);
    assert.doesNotMatch(explanation(messageWith([regression()])), /another browser/);
  });
});

describe("A channel", () => {
  let receiver: HttpReceiver;
  afterEach(() => receiver.close());

  const sender = (baseUrl = BASE) => ({
    links: async () => new Links(baseUrl, "key"),
    baseUrl,
    thumbnails: new Thumbnails({ get: () => Promise.reject(new Error("There is no image store here.")) }),
    mailer: null,
    policy: addressPolicy(["localhost"]),
    onUnresolved: () => {},
    pagerdutyUrl: receiver.url("").replace(/\/$/, ""),
  });
  const send = (
    channel: keyof typeof CHANNELS,
    message: ReturnType<typeof messageWith>,
    { address = receiver.url("/hook"), secret = "", baseUrl = BASE } = {},
  ) =>
    CHANNELS[channel].send(
      { id: "dlv_1", receiver: { address, secret }, message, signal: new AbortController().signal },
      sender(baseUrl),
    );

  /** Generates hostile names and routes, and any number of pages. */
  const hostile = fc.record({
    name: fc.string({ unit: "binary", maxLength: 300 }),
    url: fc.webUrl({ withQueryParameters: true, withFragments: true }),
    routes: fc.array(fc.string({ unit: "binary", maxLength: 2_500 }), { maxLength: 60 }),
  });
  const WORST = [
    {
      name: "<!channel> & *all* `of` ~you~ | ".repeat(10),
      url: "https://a.example/?b|c>d&e=<f>",
      routes: ["x".repeat(2_500), "<https://evil.example|click>", "&".repeat(2_500)],
    },
    { name: "n".repeat(300), url: `https://a.example/?${"&".repeat(1_900)}`, routes: [] },
  ];
  const hostileMessage = ({ name, url, routes }: { name: string; url: string; routes: string[] }) => {
    const message = messageWith(routes.map(route => regression({ route: `/${route}` })));
    return { ...message, monitor: { ...message.monitor, name: name || "x", url } };
  };

  describe("with a webhook of Teams or Google Chat", () => {
    const TEAMS = `/workflows/${"0f".repeat(16)}/triggers/manual/paths/invoke?sig=x`;
    const DISCORD = "/api/webhooks/123/abc";
    const GOOGLE = "/v1/spaces/AAA/messages?key=k&token=t";
    const last = (): unknown => JSON.parse(receiver.received.at(-1)?.body ?? "");
    const teams = () => teamsMessage.parse(last()).attachments[0].content;
    const google = () => googleChatMessage.parse(last());
    const paragraphs = () =>
      google().cardsV2[0].card.sections[0].widgets.flatMap(widget =>
        "textParagraph" in widget ? [readParagraph(widget.textParagraph.text)] : [],
      );
    const channels = ["slack", "webhook"] as const;

    it("sends an Adaptive Card to Teams, from any channel with its URL", async () => {
      receiver = await HttpReceiver.start(() => {});
      const message = messageWith([regression(), regression({ route: "/a", diffRatio: 0.011 })]);
      for (const channel of channels) {
        assert.equal((await send(channel, message, { address: receiver.url(TEAMS) })).kind, "sent");
        const { body, actions } = teams();
        const lines = body.map(({ inlines }) => inlines.map(({ text }) => text).join(""));
        assert.match(lines[0] ?? "", /^Acme shop: \/pricing at 1440 px differs by 1\.8%, and 1 more$/);
        assert.equal(lines[1], "Acme shop");
        assert.match(lines[3] ?? "", /^\/pricing at 1440 px · 1\.8% · Before · After · Difference$/);
        assert.equal(lines.length, 5);
        const links = body[3]?.inlines.flatMap(({ selectAction }) => selectAction?.url ?? []);
        assert.equal(links?.[0], LINKS.image(message.monitor.teamId, BEFORE ?? "", runOf(message)));
        assert.deepEqual(
          actions?.map(({ title }) => title),
          ["Open report", "Open incident", "Snooze alerts"],
        );
      }
    });

    it("sends a card to Google Chat, from any channel with its URL", async () => {
      receiver = await HttpReceiver.start(() => {});
      const message = messageWith([regression()]);
      for (const channel of channels) {
        assert.equal((await send(channel, message, { address: receiver.url(GOOGLE) })).kind, "sent");
        assert.match(google().cardsV2[0].card.header.title, /^Acme shop: \/pricing/);
        const [site, , page] = paragraphs();
        assert.deepEqual(site, { links: ["https://shop.example"], rest: "Acme shop" });
        assert.equal(page?.links.length, 3);
        const buttons = google().cardsV2[0].card.sections[0].widgets.at(-1);
        assert.match(JSON.stringify(buttons), /Open report.*Snooze/);
      }
    });

    it("sends an embed to Discord, without mentions, from any channel with its URL", async () => {
      receiver = await HttpReceiver.start(() => {});
      const message = messageWith([regression()]);
      for (const channel of channels) {
        assert.equal((await send(channel, message, { address: receiver.url(DISCORD) })).kind, "sent");
        const { content, embeds } = discordMessage.parse(last());
        assert.match(content, /^Acme shop: \/pricing at 1440 px differs by 1\.8%/);
        const [site, , page, buttons] = embeds[0].description.split("\n");
        assert.equal(site, "[Acme shop](https://shop.example)");
        assert.match(
          page ?? "",
          /^• \*\*\/pricing at 1440 px\*\* · 1\.8% · \[Before\]\(https:.*\[Difference\]\(https:/,
        );
        assert.match(buttons ?? "", /^\[Open report\]\(.*\[Snooze alerts\]\(/);
        assert.equal(embeds[0].color, 0xd29922);
        assert.equal(embeds[0].timestamp, message.at);
      }
    });

    it("stays within the tool's limits and markup for any names", async () => {
      receiver = await HttpReceiver.start(() => {});
      await fc.assert(
        fc.asyncProperty(hostile, async input => {
          const message = hostileMessage(input);
          await send("slack", message, { address: receiver.url(TEAMS) });
          teams();
          assert.ok(Buffer.byteLength(receiver.received.at(-1)?.body ?? "") <= 28 * 1024);
          await send("slack", message, { address: receiver.url(GOOGLE) });
          paragraphs();
          assert.ok(Buffer.byteLength(receiver.received.at(-1)?.body ?? "") <= 32_000);
          assert.doesNotMatch(google().fallbackText, /<users/);
          await send("slack", message, { address: receiver.url(DISCORD) });
          const [{ description }] = discordMessage.parse(last()).embeds;
          const prose = description.replaceAll(/\]\(https?:[^)]*\)|https?:\/\/\S+/g, "");
          assert.doesNotMatch(prose, /(?<!\\)[<>`|]/, "markup that is not escaped");
        }),
        { numRuns: 40, examples: WORST.map(worst => [worst]) },
      );
    });

    it("sends only the headline if the tool refuses the card", async () => {
      receiver = await HttpReceiver.start(() => {});
      for (const path of [TEAMS, DISCORD, GOOGLE]) {
        receiver.answers = [{ status: 400, body: "bad card" }, {}];
        const sent = await send("slack", messageWith([regression()]), { address: receiver.url(path) });
        assert.equal(sent.kind, "sent");
      }
      assert.match(JSON.stringify(last()), /^\{"text":"Acme shop: /);
      assert.equal(receiver.received.length, 6);
    });
  });

  describe("for chat", () => {
    const check = ({ body }: ReceivedPost) => {
      for (const block of slackMessage.parse(JSON.parse(body)).blocks)
        if (block.type === "section") readMrkdwn(block.text.text);
    };
    const last = () => slackMessage.parse(JSON.parse(receiver.received.at(-1)?.body ?? ""));
    const sections = () => last().blocks.flatMap(block => (block.type === "section" ? [block] : []));

    it("sends what changed first, then images, then what to do", async () => {
      receiver = await HttpReceiver.start(check);
      const message = messageWith([regression({ route: "/small", diffRatio: 0.011 }), regression()]);
      assert.equal((await send("slack", message)).kind, "sent");
      const [header] = last().blocks;
      assert.ok(header?.type === "header");
      assert.match(header.text.text, /^Acme shop: \/pricing at 1440 px differs by 1\.8%, and 1 more$/);
      const [site, first, second, ...others] = sections();
      assert.equal(others.length, 0);
      assert.deepEqual(readMrkdwn(site?.text.text ?? "").links, [
        { url: "https://shop.example", label: "Acme shop" },
      ]);
      const { links, rest } = readMrkdwn(first?.text.text ?? "");
      assert.match(rest, /\/pricing at 1440 px.*1\.8%/);
      const image = (hash: string | undefined) =>
        LINKS.image(message.monitor.teamId, hash ?? "", runOf(message));
      assert.deepEqual(links, [
        { url: image(BEFORE), label: "Before" },
        { url: image(AFTER), label: "After" },
        { url: image(MASK), label: "Difference" },
      ]);
      assert.equal(first?.accessory?.image_url, image(AFTER));
      assert.match(second?.text.text ?? "", /small/);
      const actions = last().blocks.at(-1);
      assert.ok(actions?.type === "actions");
      const [report, incident, snooze] = actions.elements;
      assert.match(incident?.url ?? "", /\/incidents\/inc_1$/);
      assert.equal(report?.url, LINKS.report(message.runId ?? ""));
      const [team, monitor, until, signature] = snooze?.url?.split("/").slice(-4) ?? [];
      assert.ok(LINKS.opensSnooze(team ?? "", monitor ?? "", until ?? "", signature ?? ""));
    });

    it("stays within the tool's limits and markup for any names", async () => {
      receiver = await HttpReceiver.start(check);
      await fc.assert(
        fc.asyncProperty(hostile, async input => {
          const outcome = await send("slack", hostileMessage(input));
          assert.equal(outcome.kind, "sent", receiver.faults.join("\n"));
        }),
        { numRuns: 60, examples: WORST.map(worst => [worst]) },
      );
      assert.ok(last().blocks.length <= 9);
    });

    it("sends no images if the tool can't load them", async () => {
      receiver = await HttpReceiver.start(check);
      receiver.answers = [{ status: 400, body: "invalid_blocks" }, {}];
      assert.equal((await send("slack", messageWith([regression()]))).kind, "sent");
      assert.equal(receiver.received.length, 2);
      assert.ok(sections().every(({ accessory }) => accessory === undefined));
      await send("slack", messageWith([regression()]), { baseUrl: "http://vrs.internal:4400" });
      assert.ok(sections().every(({ accessory }) => accessory === undefined));
      receiver.answers = [{ status: 404, body: "no_service" }];
      const before = receiver.received.length;
      assert.equal((await send("slack", messageWith([regression()]))).kind, "refused");
      assert.equal(receiver.received.length, before + 1);
    });
  });

  describe("for incidents", () => {
    const check = ({ path, body }: ReceivedPost) => {
      assert.equal(path, "/v2/enqueue");
      assert.ok(Buffer.byteLength(body) <= EVENT_BYTES);
      incidentEvent.parse(JSON.parse(body));
    };
    const trigger = async (message: ReturnType<typeof messageWith>) => {
      const outcome = await send("pagerduty", message, { address: ROUTING_KEY });
      assert.equal(outcome.kind, "sent", receiver.faults.join("\n"));
      return incidentEvent.parse(JSON.parse(receiver.received.at(-1)?.body ?? ""));
    };

    it("opens one incident for a set of pages, and resolves it after the recovery", async () => {
      receiver = await HttpReceiver.start(check);
      const [a, b] = [regression({ route: "/a" }), regression({ route: "/b" })];
      const first = await trigger(messageWith([a, b]));
      const again = await trigger(messageWith([b, { ...a, diffRatio: 0.5 }]));
      const other = await trigger(messageWith([a]));
      const down = await trigger(downMessage(["/"]));
      const over = await trigger(messageWith([a, b], "recovered"));
      assert.equal(first.dedup_key, again.dedup_key);
      assert.equal(new Set([first.dedup_key, other.dedup_key, down.dedup_key]).size, 3);
      assert.deepEqual(over, {
        routing_key: ROUTING_KEY,
        dedup_key: first.dedup_key,
        event_action: "resolve",
      });
      assert.ok(first.event_action === "trigger");
      assert.equal(first.images.length, 3);
      assert.ok(first.links.some(({ text }) => text === "Open report"));
    });

    for (const { ratio, severity } of [
      { ratio: 0.9, severity: "error" },
      { ratio: 0.2, severity: "error" },
      { ratio: 0.199, severity: "warning" },
      { ratio: 0.05, severity: "warning" },
      { ratio: 0.049, severity: "info" },
    ])
      it(`opens an incident of severity ${severity} for a difference of ${ratio}`, async () => {
        receiver = await HttpReceiver.start(check);
        const event = await trigger(
          messageWith([regression({ diffRatio: 0.001 }), regression({ route: "/b", diffRatio: ratio })]),
        );
        assert.ok(event.event_action === "trigger");
        assert.equal(event.payload.severity, severity);
      });

    it("opens a critical incident with the reason for a site that is down", async () => {
      receiver = await HttpReceiver.start(check);
      const event = await trigger(downMessage(["/"], true));
      assert.ok(event.event_action === "trigger");
      assert.deepEqual([event.payload.severity, event.payload.summary], ["critical", "Acme shop is down"]);
      assert.match(JSON.stringify(event.payload.custom_details), /It answers 500/);
    });

    it("names the pages that are down, and the changed pages", async () => {
      receiver = await HttpReceiver.start(check);
      const routes = ["/cart", "/pay", "/account"];
      const summaries: unknown[] = [];
      for (const down of [routes, routes.slice(0, 1)]) {
        const event = await trigger(downMessage(down, false, regression()));
        assert.ok(event.event_action === "trigger");
        summaries.push(event.payload.summary);
        assert.partialDeepStrictEqual(event.payload.custom_details, {
          down,
          largest: [{ route: "/pricing" }],
        });
        assert.match(
          JSON.stringify(event.payload.custom_details),
          /It answers 500\. A second attempt also failed\. Also, 1 page differs/,
        );
      }
      assert.deepEqual(summaries, ["Acme shop: /cart and 2 more are down", "Acme shop: /cart is down"]);
    });

    it("stays within the service's limits for any names", async () => {
      receiver = await HttpReceiver.start(check);
      await fc.assert(
        fc.asyncProperty(hostile, async input => void (await trigger(hostileMessage(input)))),
        { numRuns: 40, examples: WORST.map(worst => [worst]) },
      );
    });
  });

  describe("for the team's own receiver", () => {
    it("signs the time and body with the secret, and sends the notification's id", async () => {
      receiver = await HttpReceiver.start();
      const message = messageWith([regression()]);
      await send("webhook", message, { secret: "shared" });
      const [post] = receiver.received;
      assert.ok(post);
      const { headers, body } = post;
      const timestamp = String(headers["vrs-timestamp"]);
      const expected = createHmac("sha256", "shared").update(`${timestamp}.${body}`).digest("hex");
      assert.equal(headers["vrs-signature"], `sha256=${expected}`);
      assert.ok(Math.abs(Number(timestamp) - Date.now() / 1_000) < 60);
      assert.deepEqual([headers["vrs-delivery"], headers["vrs-event"]], ["dlv_1", "monitor.changed"]);
      const parsed = JSON.parse(body);
      assert.equal(parsed.monitor.id, "mon_1");
      assert.deepEqual(parsed.regressions[0], {
        ...{ route: "/pricing", state: null, environment: null, viewport: 1440 },
        diffRatio: 0.018,
        images: {
          baseline: LINKS.image(message.monitor.teamId, BEFORE ?? "", runOf(message)),
          current: LINKS.image(message.monitor.teamId, AFTER ?? "", runOf(message)),
          diff: LINKS.image(message.monitor.teamId, MASK ?? "", runOf(message)),
        },
      });
      assert.equal(parsed.links.report, LINKS.report(message.runId ?? ""));
    });

    it("sends the 20 pages with the largest differences, and the number of all", async () => {
      receiver = await HttpReceiver.start();
      const many = Array.from({ length: 500 }, (_, index) =>
        regression({ route: `/${index}`, diffRatio: index / 1_000 }),
      );
      await send("webhook", messageWith(many));
      const parsed = JSON.parse(receiver.received[0]?.body ?? "");
      assert.deepEqual([parsed.regressions.length, parsed.regressionCount], [20, 500]);
      assert.equal(parsed.regressions[0].route, "/499");
    });

    it("names at most 20 routes that are down", async () => {
      receiver = await HttpReceiver.start();
      const routes = Array.from({ length: 30 }, (_, index) => `/${index}`);
      await send("webhook", downMessage(routes));
      const parsed = JSON.parse(receiver.received[0]?.body ?? "");
      assert.deepEqual([parsed.type, parsed.down], ["monitor.down", routes.slice(0, 20)]);
      assert.equal(parsed.title, "Acme shop: /0 and 29 more are down");
    });

    it("sends nothing if the certificate is not trusted", async () => {
      receiver = await HttpReceiver.start();
      // Any TLS server works, because nothing is sent to it.
      const server = await MailServer.start({ secure: true });
      try {
        const outcome = await send("webhook", messageWith([regression()]), {
          address: `https://localhost:${server.port}/`,
        });
        assert.deepEqual([outcome.kind, /certificate is not trusted/.test(outcome.answer)], ["retry", true]);
      } finally {
        await server.close();
      }
    });

    it("reads only the beginning of a long response", async () => {
      receiver = await HttpReceiver.start();
      receiver.answers = [{ status: 400, body: "x".repeat(5_000_000) }];
      const outcome = await send("webhook", messageWith([regression()]));
      assert.equal(outcome.kind, "refused");
      assert.ok(outcome.answer.length <= 200);
    });
  });
});

describe("The notifications of an alert", () => {
  const channels = {
    slack: "https://hooks.example/x",
    email: ["a@example.com", "B@example.com"],
    pagerduty: ROUTING_KEY,
    incidents: { tool: "opsgenie" as const, url: "https://api.example", key: "key-of-opsgenie" },
    webhook: { url: "https://hook.example/y", secret: "s" },
  };
  const plan = (more: Partial<Parameters<typeof planNotifications>[0]> = {}) =>
    planNotifications({
      source: "check 1",
      message: messageOf(reportOn("mon_1", channels, changedPages("/a")), {
        kind: "changed",
        about: "f",
        since: null,
        incidentId: null,
      }),
      replaces: null,
      channels,
      optedOut: new Set(),
      hasMailer: true,
      ...more,
    });

  it("are one per receiver, each in its own lane", () => {
    const notifications = plan();
    assert.deepEqual(
      notifications.map(({ channel }) => channel),
      ["slack", "email", "email", "pagerduty", "incidents", "webhook"],
    );
    for (const name of ["key", "lane", "id"] as const)
      assert.equal(new Set(notifications.map(delivery => delivery[name])).size, 6, name);
  });

  it("first close the replaced incident, in the same lane", () => {
    const [closing, opening] = plan({ replaces: "before" }).filter(({ channel }) => channel === "pagerduty");
    assert.deepEqual([closing?.kind, opening?.kind], ["replaced", "changed"]);
    assert.equal(closing?.lane, opening?.lane);
    assert.notEqual(closing?.key, opening?.key);
    assert.ok(closing && "alert" in closing.payload && closing.payload.alert.about === "before");
  });

  it("drop mails that can't or must not be sent, with the reason", () => {
    const reasons = (more: Parameters<typeof plan>[0]) =>
      plan(more)
        .filter(({ channel }) => channel === "email")
        .map(({ dropped }) => dropped ?? "sent");
    assert.deepEqual(reasons({ optedOut: new Set(["b@example.com"]) })[0], "sent");
    assert.match(reasons({ optedOut: new Set(["b@example.com"]) })[1] ?? "", /unsubscribed/);
    for (const reason of reasons({ hasMailer: false })) assert.match(reason, /SMTP_URL/);
  });
});
