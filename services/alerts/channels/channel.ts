import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import type { AlertChannels } from "../../../shared/contracts/monitors/alert-actions.ts";
import type { Sender } from "../alerts-context.ts";
import type { AlertMessage, NoticeMessage } from "../notifications/message.ts";
import type { Receiver } from "../notifications/receiver.ts";

/** A message on its way to a receiver. */
export interface Outgoing<Message> {
  /** Of the delivery: the same for each try, so that a receiver can tell a repeat. */
  id: string;
  receiver: Receiver;
  message: Message;
  signal: AbortSignal;
}

/** A way to reach people: everything that is peculiar to it is in its file. */
export interface Channel {
  /** Deliveries under way at once on a node; a slow receiver takes places of its own channel only. */
  atOnce: number;
  /** Whether it keeps incidents, so that one which gave way to another must be closed. */
  incidents: boolean;
  /** Where a monitor's messages go; none where its team has not set this channel. */
  receivers(channels: AlertChannels): Receiver[];
  /** A receiver as people may know it, without what is secret. */
  nameOf(receiver: Receiver): string;
  /** Tries once. What it throws may get better. */
  send(outgoing: Outgoing<AlertMessage>, sender: Sender): Promise<Outcome>;
  /** Sends a mail of the service's own. */
  notify?(outgoing: Outgoing<NoticeMessage>, sender: Sender): Promise<Outcome>;
}

/** Where alerts lead. */
export interface AlertLinks {
  /** Null where there is no run. */
  report: string | null;
  snooze: string;
}

/** Days that a link to snooze is good for: whoever finds an old message in a channel changes nothing. */
const SNOOZE_LINK_DAYS = 7;

/** The links of a message. */
export async function linksOf({ monitor, runId }: AlertMessage, sender: Sender): Promise<AlertLinks> {
  const links = await sender.links();
  const until = new Date(Date.now() + SNOOZE_LINK_DAYS * 86_400_000);
  return {
    report: runId === null ? null : links.report(runId),
    snooze: links.snooze(monitor.teamId, monitor.id, until),
  };
}

/** Links to the images of a regression, of those that there are. */
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
