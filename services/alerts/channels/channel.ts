import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Sender } from "../alerts-context.ts";
import type { DigestMessage } from "../notices/digest-message.ts";
import type { AlertMessage, NoticeMessage } from "../notifications/message.ts";
import type { Receiver } from "../notifications/receiver.ts";

/** A message that is being sent to a receiver. */
export interface Outgoing<Message> {
  /** Id of the notification. It is the same for each attempt, so that a receiver can detect a repeat. */
  id: string;
  receiver: Receiver;
  message: Message;
  signal: AbortSignal;
}

/** A way to reach people. Everything specific to it is in its file. */
export interface Channel {
  /** Concurrent notifications of a node. A slow receiver only delays its own channel. */
  concurrency: number;
  /** Whether the channel has incidents. A replaced incident must then be closed. */
  incidents: boolean;
  /** Returns the receivers of a monitor's messages. Empty if the team has not set this channel. */
  receivers(channels: AlertChannels): Receiver[];
  /** Returns a receiver's display name without secrets. */
  nameOf(receiver: Receiver): string;
  /** Makes one attempt. A thrown error may be temporary. */
  send(outgoing: Outgoing<AlertMessage>, sender: Sender): Promise<Outcome>;
  /** Sends a notice from the service itself. */
  notify?(outgoing: Outgoing<NoticeMessage>, sender: Sender): Promise<Outcome>;
  /** Sends a digest about a run. */
  digest?(outgoing: Outgoing<DigestMessage>, sender: Sender): Promise<Outcome>;
}

/** The links of an alert. */
export interface AlertLinks {
  /** Null if there is no run. */
  report: string | null;
  snooze: string;
  /** Page of the incident in the dashboard. Null if there is none. */
  incident: string | null;
}

/** Days for which a snooze link is valid. Old messages in a channel must not change anything. */
const SNOOZE_LINK_DAYS = 7;

/** Returns the links of a message. */
export async function linksOf(
  { monitor, runId, incidentId }: AlertMessage,
  sender: Sender,
): Promise<AlertLinks> {
  const links = await sender.links();
  const until = new Date(Date.now() + SNOOZE_LINK_DAYS * 86_400_000);
  return {
    report: runId === null ? null : links.report(runId),
    snooze: links.snooze(monitor.teamId, monitor.id, until),
    incident: incidentId === null ? null : `${sender.baseUrl}/incidents/${incidentId}`,
  };
}

/** Returns links to the existing images of a changed page. */
export async function imagesOf(
  { monitor, runId }: AlertMessage,
  { images }: AlertMessage["regressions"][number],
  sender: Sender,
): Promise<{ name: "Before" | "After" | "Difference"; url: string }[]> {
  const links = await sender.links();
  const run = runId === null ? null : { id: runId, linkGeneration: 0 };
  const named = [
    { name: "Before", hash: images.baseline },
    { name: "After", hash: images.current },
    { name: "Difference", hash: images.diff },
  ] as const;
  return named.flatMap(({ name, hash }) =>
    hash === null ? [] : [{ name, url: links.image(monitor.teamId, hash, run) }],
  );
}
