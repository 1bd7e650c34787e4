import { isContentRefused, type Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import type { IncidentTool } from "../../../shared/contracts/monitors/monitor-channels.ts";
import { cut, TEXT_LIMITS, type TextLimit } from "../../../shared/text/text-limits.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import { ownerOf } from "../conditions/condition-track.rule.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { urlTail } from "../notifications/receiver.ts";
import { type AlertLinks, type Channel, linksOf, type Outgoing } from "./channel.ts";
import { dedupKeyOf, isResolved } from "./incident-key.ts";

const { opsgenieMessage, opsgenieDescription, incidentSummary } = TEXT_LIMITS;
/** Pages that a description names. */
const PAGES_SHOWN = 10;
/** Alertmanager resolves alerts without an end after minutes. A monitor sends its recovery itself. */
const FIRING_DAYS = 365;
/** No message ends a test. */
const TEST_MINUTES = 5;

/** A request to the API of an incident service. */
interface Request {
  path: string;
  body: object;
  authorization: string;
}

/** A problem as each service needs it. */
interface Problem {
  message: AlertMessage;
  /** The same for all messages about one problem, so that they form one incident. */
  key: string;
  links: AlertLinks;
  apiKey: string;
  /** Leaves out all that the service doesn't require. */
  isBrief: boolean;
}

/** Other incident services than PagerDuty, by their own APIs. */
export const incidentTools: Channel = {
  concurrency: 64,
  incidents: true,
  receivers: ({ incidents }) =>
    incidents === undefined ? [] : [{ address: incidents.url, secret: incidents.key, tool: incidents.tool }],
  nameOf: ({ address }) => urlTail(address),
  async send(outgoing, sender) {
    const outcome = await post(outgoing, sender, false);
    // An incident without details is better than none.
    return isContentRefused(outcome) ? post(outgoing, sender, true) : outcome;
  },
};

async function post(
  { receiver, message, signal }: Outgoing<AlertMessage>,
  sender: Sender,
  isBrief: boolean,
): Promise<Outcome> {
  const { path, body, authorization } = REQUESTS[receiver.tool ?? "alertmanager"]({
    ...{ message, isBrief, key: dedupKeyOf(message), apiKey: receiver.secret ?? "" },
    links: await linksOf(message, sender),
  });
  const url = `${receiver.address.replace(/\/+$/, "")}${path}`;
  const { policy, onUnresolved } = sender;
  const headers = { Authorization: authorization };
  return postJson({ url, body: JSON.stringify(body), headers, policy, onUnresolved, signal });
}

const REQUESTS: Record<IncidentTool, (problem: Problem) => Request> = {
  opsgenie: opsgenieRequest,
  "incident-io": incidentIoRequest,
  alertmanager: alertmanagerRequest,
};

/** Opsgenie's Alert API: an alert is created once for its alias, and closed by it. */
function opsgenieRequest({ message, key, links, apiKey, isBrief }: Problem): Request {
  const authorization = `GenieKey ${apiKey}`;
  if (isResolved(message)) {
    const path = `/v2/alerts/${encodeURIComponent(key)}/close?identifierType=alias`;
    return { path, authorization, body: { source: "vrs" } };
  }
  const body = {
    message: line(headline(message), opsgenieMessage),
    alias: key,
    source: "vrs",
    priority: priorityOf(message),
    ...(!isBrief && {
      description: cut(descriptionOf(message, links), opsgenieDescription),
      entity: line(message.monitor.name, { max: 512, unit: "utf16" }),
      details: { monitor: message.monitor.id, url: line(message.monitor.url) },
    }),
  };
  return { path: "/v2/alerts", authorization, body };
}

/** The HTTP alert source of incident.io. The receiver's URL names the source. */
function incidentIoRequest({ message, key, links, apiKey, isBrief }: Problem): Request {
  const body = {
    title: line(headline(message)),
    status: isResolved(message) ? "resolved" : "firing",
    deduplication_key: key,
    ...(!isBrief && {
      description: descriptionOf(message, links),
      source_url: links.incident ?? links.report ?? links.snooze,
      metadata: { monitor: message.monitor.name, url: message.monitor.url, kind: message.kind },
    }),
  };
  return { path: "", authorization: `Bearer ${apiKey}`, body };
}

/** Alertmanager's API v2. Equal labels are one alert, so labels have nothing that changes while a problem lasts. */
function alertmanagerRequest({ message, key, links, apiKey, isBrief }: Problem): Request {
  const at = new Date(message.at);
  const firingMs = message.kind === "test" ? TEST_MINUTES * 60_000 : FIRING_DAYS * 86_400_000;
  const ends = isResolved(message) ? at : new Date(at.getTime() + firingMs);
  const alert = {
    labels: { alertname: "VrsMonitor", monitor_id: ownerOf(message), problem: key },
    annotations: {
      summary: line(headline(message)),
      ...(!isBrief && { description: descriptionOf(message, links), monitor: line(message.monitor.name) }),
    },
    startsAt: startOf(message, at).toISOString(),
    endsAt: ends.toISOString(),
    ...(!isBrief && { generatorURL: links.incident ?? links.report ?? links.snooze }),
  };
  return { path: "/api/v2/alerts", authorization: `Bearer ${apiKey}`, body: [alert] };
}

/** Returns the start of a problem. An alert must not start after its end. */
function startOf({ since }: AlertMessage, at: Date): Date {
  const start = since === null ? at : new Date(since);
  return start < at ? start : at;
}

function descriptionOf(message: AlertMessage, { report, incident, snooze }: AlertLinks): string {
  const pages = message.regressions.slice(0, PAGES_SHOWN).map(one => `- ${line(pageOf(one))}`);
  const links = [report, incident, snooze].filter(link => link !== null);
  return [line(explanation(message)), ...pages, ...links].join("\n");
}

/** Opsgenie's priorities: P1 is the most urgent. */
function priorityOf({ kind }: AlertMessage): string {
  if (kind === "down" || kind === "failing") return "P1";
  return kind === "test" ? "P5" : "P3";
}

function line(text: string, limit: TextLimit = incidentSummary): string {
  return cut(visibleLine(text), limit);
}
