import type { EventType } from "../../../shared/contracts/webhooks/events.ts";
import type { DeliveryView, WebhookView } from "../../../shared/contracts/webhooks/webhooks.ts";
import { plural } from "../format.ts";

/** Texts of the page about the team's webhooks. */
export const webhookTexts = {
  title: "Webhooks",
  about: "Webhooks send the team's events to your own server. Each request is signed.",
  forAdmins: (team: string) => `Only admins of ${team} can manage its webhooks.`,
  add: "Add webhook",
  empty: "No webhooks yet. Add one to receive events of runs, builds, monitors and baselines.",
  url: "URL",
  urlPlaceholder: "https://example.com/vrs",
  description: "Description (optional)",
  project: "Project (optional)",
  projectHint: "Empty for all projects. Monitors belong to no project.",
  projectPlaceholder: "owner/repository",
  events: "Events",
  noEvents: "Select at least one event.",
  save: "Save webhook",
  edit: "Edit webhook",
  editTitle: "Edit webhook",
  facts: "{events} · created {time}",
  countEvents: (count: number) => plural(count, "event"),
  ofProject: (project: string) => `project ${project}`,

  secretTitle: "Webhook secret",
  secretAbout: "Copy the secret now. It is shown only once. Verify the signatures of requests with it.",
  rotate: "Rotate secret",
  rotateTitle: "Rotate the secret?",
  rotateAbout: "You get a new secret. The previous secret also signs for 24 hours.",
  previousUntil: "The previous secret also signs. It expires {time}.",

  statuses: { active: "Active", paused: "Paused", failing: "Failing" },
  failingSince: "Deliveries started to fail {time}. The service retries them.",
  pause: "Pause",
  resume: "Resume",
  test: "Send test event",
  testQueued: "The test event is queued. The log shows the response.",
  remove: "Delete webhook",
  removeTitle: "Delete this webhook?",
  removeAbout: "No more events are sent, and the log is deleted. You can't undo this.",
  keep: "Keep webhook",

  log: "Deliveries",
  showLog: "Show deliveries",
  hideLog: "Hide deliveries",
  noDeliveries: "No deliveries yet. Send a test event to see one.",
  attempts: (count: number) => plural(count, "attempt"),
  replay: "Replay",
  replayOf: "replay",
  more: "Show more deliveries",
} as const;

export const webhookPauses: Record<NonNullable<WebhookView["pausedBecause"]>, string> = {
  member: "A member paused this webhook.",
  failures:
    "No delivery succeeded for three days, so the service paused this webhook. Fix the receiver, then resume it.",
  gone: "The receiver answered 410, so the service paused this webhook. Fix the URL, then resume it.",
};

export const deliveryStatuses: Record<DeliveryView["status"], string> = {
  queued: "Waiting",
  sent: "Delivered",
  failed: "Failed",
  dropped: "Not sent",
};

/** The events that a webhook can subscribe to. */
export const eventNames: Record<Exclude<EventType, "webhook.test">, string> = {
  "run.completed": "A run ended",
  "run.reviewed": "The reviews of a run changed",
  "build.finalized": "A build is complete",
  "monitor.changed": "A monitor found changes",
  "monitor.down": "A monitor found pages that don't respond",
  "monitor.recovered": "A monitor recovered",
  "monitor.unchecked": "Monitors were not checked",
  "monitor.checked": "Monitors are checked again",
  "monitor.certificate": "A certificate expires soon",
  "monitor.renewed": "A certificate was renewed",
  "monitor.failing": "An HTTP check fails",
  "monitor.passing": "An HTTP check passes again",
  "baseline.changed": "Baselines changed",
  "comment.created": "A member commented",
};
