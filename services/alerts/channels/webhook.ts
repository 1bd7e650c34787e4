import { createHmac } from "node:crypto";
import { cardToolOf } from "../../../shared/alerts/chat-tool.ts";
import { postJson } from "../../../shared/alerts/post-json.ts";
import { pickPage } from "../../../shared/contracts/capture/page-fields.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import { explanation, headline } from "../notifications/describe-message.ts";
import type { AlertMessage } from "../notifications/message.ts";
import { urlTail } from "../notifications/receiver.ts";
import { type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";
import { sendCard } from "./chat-card.ts";
import { dedupKeyOf } from "./incident-key.ts";

/**
 * The team's own receiver. It gets JSON that is signed with the team's secret. A chat tool gets its card instead.
 */
export const webhook: Channel = {
  concurrency: 64,
  incidents: false,
  receivers: ({ webhook: set }) => (set === undefined ? [] : [{ address: set.url, secret: set.secret }]),
  nameOf: ({ address }) => urlTail(address),
  async send(outgoing, sender) {
    const tool = cardToolOf(outgoing.receiver.address);
    if (tool) return sendCard(tool, outgoing, sender);
    const { id, receiver, message, signal } = outgoing;
    const body = JSON.stringify(await webhookBody(outgoing, sender));
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const headers = {
      "Vrs-Delivery": id,
      "Vrs-Event": `monitor.${message.kind}`,
      "Vrs-Timestamp": timestamp,
      "Vrs-Signature": `sha256=${sign(receiver.secret ?? "", timestamp, body)}`,
    };
    const { policy, onUnresolved } = sender;
    return postJson({ url: receiver.address, body, headers, policy, onUnresolved, signal });
  },
};

/**
 * Returns the HMAC-SHA256 of `timestamp.body` in hex. It proves to the receiver that the service sent the body,
 * and when.
 */
function sign(secret: string, timestamp: string, body: string): string {
  return createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
}

/** Returns the body: the content of the other channels as data. */
async function webhookBody(
  { id, message }: Pick<Outgoing<AlertMessage>, "id" | "message">,
  sender: Sender,
): Promise<object> {
  const { monitor, kind, at, runId, count, reason, down, since } = message;
  return {
    id,
    type: `monitor.${kind}`,
    at,
    title: visibleLine(headline(message)),
    text: visibleLine(explanation(message)),
    monitor: { id: monitor.id, name: monitor.name, url: monitor.url, teamId: monitor.teamId },
    runId,
    incident: dedupKeyOf(message),
    since,
    reason,
    down: down?.routes ?? [],
    regressionCount: count,
    regressions: await Promise.all(message.regressions.map(one => regressionBody(message, one, sender))),
    links: await linksOf(message, sender),
  };
}

async function regressionBody(
  message: AlertMessage,
  regression: AlertMessage["regressions"][number],
  sender: Sender,
): Promise<object> {
  const { diffRatio, regions } = regression;
  const images = await imagesOf(message, regression, sender);
  const urlOf = (wanted: string) => images.find(({ name }) => name === wanted)?.url ?? null;
  return {
    ...pickPage(regression),
    diffRatio,
    ...(regions && { regions }),
    images: { baseline: urlOf("Before"), current: urlOf("After"), diff: urlOf("Difference") },
  };
}
