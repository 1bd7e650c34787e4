import { postJson } from "../../../shared/alerts/post-json.ts";
import type { Sender } from "../alerts-node.ts";
import type { AlertMessage } from "../message.ts";
import { tail } from "../receiver.ts";
import { cut, explanation, headline, pageOf } from "../words.ts";
import { type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";

/** Limits of the Events API v2, in characters and bytes. */
const SUMMARY = 1_024;
const DEDUP_KEY = 255;
const EVENT_BYTES = 512 * 1_024;
/** Of a name within the event. */
const NAME = 1_000;

/** Drift from which on an incident is that severe. */
const SEVERITIES = [
  { from: 0.2, severity: "error" },
  { from: 0.05, severity: "warning" },
  { from: 0, severity: "info" },
] as const;

/** An incident service with PagerDuty's Events API v2. */
export const pagerduty: Channel = {
  atOnce: 64,
  incidents: true,
  receivers: ({ pagerduty: address }) => (address === undefined ? [] : [{ address, secret: null }]),
  nameOf: ({ address }) => tail(address),
  async send(outgoing, sender) {
    const body = JSON.stringify(await incidentEvent(outgoing, sender));
    const url = `${sender.pagerdutyUrl}/v2/enqueue`;
    return postJson({ url, body, policy: null, signal: outgoing.signal });
  },
};

/** The same for each message about one thing, so that they are one incident. */
function dedupKey({ monitor, about }: Pick<AlertMessage, "monitor" | "about">): string {
  return `${monitor.id}/${about}`.slice(0, DEDUP_KEY);
}

/** The event: an incident of the monitor and what is wrong with it, or its end. */
async function incidentEvent(
  { receiver, message }: Pick<Outgoing<AlertMessage>, "receiver" | "message">,
  sender: Sender,
): Promise<object> {
  const key = { routing_key: receiver.address, dedup_key: dedupKey(message) };
  if (message.kind === "recovered" || message.kind === "replaced") return { ...key, event_action: "resolve" };
  const { report, snooze } = await linksOf(message, sender);
  const links = [
    ...(report === null ? [] : [{ href: report, text: "Open report" }]),
    { href: snooze, text: "Snooze" },
  ];
  const event = {
    ...key,
    event_action: "trigger",
    client: "vrs",
    client_url: report ?? sender.baseUrl,
    payload: {
      summary: cut(headline(message), SUMMARY),
      source: cut(message.monitor.url, NAME),
      severity: severityOf(message),
      timestamp: message.at,
      component: cut(message.monitor.name, NAME),
      class: message.kind === "down" ? "page is down" : "page looks different",
      custom_details: detailsOf(message),
    },
    links,
    images: await imagesFor(message, sender),
  };
  const bytes = Buffer.byteLength(JSON.stringify(event));
  return bytes <= EVENT_BYTES ? event : { ...event, payload: { ...event.payload, custom_details: {} } };
}

function severityOf({ kind, regressions: [worst] }: AlertMessage): string {
  if (kind === "down") return "critical";
  if (kind === "test" || worst === undefined) return "info";
  return SEVERITIES.find(({ from }) => worst.diffRatio >= from)?.severity ?? "info";
}

function detailsOf(message: AlertMessage): object {
  return {
    explanation: explanation(message),
    ...(message.down && { down: message.down.routes.map(route => cut(route, NAME)) }),
    pages: message.count,
    largest: message.regressions.map(one => ({
      page: cut(pageOf(one), NAME),
      route: cut(one.route, NAME),
      viewport: one.viewport,
      diffRatio: one.diffRatio,
    })),
  };
}

/** Pictures of the largest difference; the incident service shows only those that come over TLS. */
async function imagesFor(message: AlertMessage, sender: Sender): Promise<object[]> {
  const [worst] = message.regressions;
  if (worst === undefined || !sender.baseUrl.startsWith("https:")) return [];
  const images = await imagesOf(message, worst, sender);
  return images.map(({ name, url }) => ({
    src: url,
    href: url,
    alt: `${name}: ${cut(pageOf(worst), NAME)}`,
  }));
}
