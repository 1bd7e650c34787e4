import { isContentRefused } from "../../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { cut, sizeOf, TEXT_LIMITS, type TextLimit } from "../../../shared/text/text-limits.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { tail } from "../notifications/receiver.ts";
import { INCIDENT_TEXTS, MESSAGE_TEXTS } from "../texts.ts";
import { type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";
import { dedupKeyOf, isResolved } from "./incident-key.ts";

const { incidentSummary, incidentEvent: eventLimit } = TEXT_LIMITS;
/** Limit of a name in the event. */
const NAME = { max: 1_000, unit: incidentSummary.unit };

/** Smallest share of changed pixels for each severity. */
const SEVERITIES = [
  { from: 0.2, severity: "error" },
  { from: 0.05, severity: "warning" },
  { from: 0, severity: "info" },
] as const;

/** An incident service with PagerDuty's Events API v2. */
export const pagerduty: Channel = {
  concurrency: 64,
  incidents: true,
  receivers: ({ pagerduty: address }) => (address === undefined ? [] : [{ address, secret: null }]),
  nameOf: ({ address }) => tail(address),
  async send(outgoing, sender) {
    const event = await incidentEvent(outgoing, sender);
    const url = `${sender.pagerdutyUrl}/v2/enqueue`;
    const { signal } = outgoing;
    const outcome = await postJson({ url, body: JSON.stringify(event), policy: null, signal });
    if (!isContentRefused(outcome)) return outcome;
    // An incident without details is better than none.
    return postJson({ url, body: JSON.stringify(briefMessage(outgoing)), policy: null, signal });
  },
};

/** Returns a text on one line of the event. */
function line(text: string, limit: TextLimit = NAME): string {
  return cut(visibleLine(text), limit);
}

/** Returns the event with only the fields that the incident service requires. */
function briefMessage({ receiver, message }: Pick<Outgoing<AlertMessage>, "receiver" | "message">): object {
  const key = { routing_key: receiver.address, dedup_key: dedupKeyOf(message) };
  if (isResolved(message)) return { ...key, event_action: "resolve" };
  const payload = {
    summary: line(headline(message), incidentSummary),
    source: "vrs",
    severity: severityOf(message),
  };
  return { ...key, event_action: "trigger", payload };
}

/** Returns the event that opens or resolves the incident of a problem. */
async function incidentEvent(
  { receiver, message }: Pick<Outgoing<AlertMessage>, "receiver" | "message">,
  sender: Sender,
): Promise<object> {
  const key = { routing_key: receiver.address, dedup_key: dedupKeyOf(message) };
  if (isResolved(message)) return { ...key, event_action: "resolve" };
  const { report, snooze, incident } = await linksOf(message, sender);
  const links = [
    ...(report === null ? [] : [{ href: report, text: MESSAGE_TEXTS.openReport }]),
    ...(incident === null ? [] : [{ href: incident, text: MESSAGE_TEXTS.openIncident }]),
    { href: snooze, text: MESSAGE_TEXTS.snooze },
  ];
  const event = {
    ...key,
    event_action: "trigger",
    client: "vrs",
    client_url: report ?? sender.baseUrl,
    payload: {
      summary: line(headline(message), incidentSummary),
      source: line(message.monitor.url),
      severity: severityOf(message),
      timestamp: message.at,
      component: line(message.monitor.name),
      class: classOf(message),
      custom_details: detailsOf(message),
    },
    links,
    images: await imagesOfWorst(message, sender),
  };
  const size = sizeOf(JSON.stringify(event), eventLimit.unit);
  return size <= eventLimit.max ? event : { ...event, payload: { ...event.payload, custom_details: {} } };
}

function classOf({ kind }: AlertMessage): string {
  return kind === "down" || kind === "unchecked" || kind === "certificate" || kind === "failing"
    ? INCIDENT_TEXTS[kind]
    : INCIDENT_TEXTS.changed;
}

function severityOf({ kind, regressions: [worst] }: AlertMessage): string {
  if (kind === "down" || kind === "failing") return "critical";
  if (kind === "unchecked") return "error";
  if (kind === "certificate") return "warning";
  if (kind === "test" || worst === undefined) return "info";
  return SEVERITIES.find(({ from }) => worst.diffRatio >= from)?.severity ?? "info";
}

function detailsOf(message: AlertMessage): object {
  return {
    explanation: line(explanation(message)),
    ...(message.down && { down: message.down.routes.map(route => line(route)) }),
    pages: message.count,
    largest: message.regressions.map(one => ({
      page: line(pageOf(one)),
      route: line(one.route),
      ...(one.state !== null && { state: line(one.state) }),
      ...(one.environment !== null && { environment: one.environment }),
      viewport: one.viewport,
      ...(one.regions && { regions: one.regions }),
      diffRatio: one.diffRatio,
    })),
  };
}

/** Returns the images of the largest difference. The incident service only shows images over TLS. */
async function imagesOfWorst(message: AlertMessage, sender: Sender): Promise<object[]> {
  const [worst] = message.regressions;
  if (worst === undefined || !sender.baseUrl.startsWith("https:")) return [];
  const images = await imagesOf(message, worst, sender);
  return images.map(({ name, url }) => ({
    src: url,
    href: url,
    alt: `${name}: ${line(pageOf(worst))}`,
  }));
}
