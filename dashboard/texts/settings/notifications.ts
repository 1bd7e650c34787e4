import type { ChatMessageView } from "../../../shared/contracts/monitors/project-chat.ts";
import { listed } from "../../../shared/text/format.ts";

/** Texts of the page about a team's notifications. `{name}` stands for an element that the page inserts. */
export const notificationsTexts = {
  title: "Notifications",
  about: "Choose where messages about runs and monitors go. URLs and keys of channels are not shown again.",
  forAdmins: "Messages about runs and monitors go to these channels. Team admins can change them.",
} as const;

/** Texts of the chat channels of projects. */
export const chatChannelTexts = {
  title: "Chat channels of projects",
  about:
    "A project's channel gets a message when a run needs review or is decided, and for comments that mention members. Slack, Microsoft Teams, Google Chat and Discord work.",
  things: "the chat channels",
  empty: "No project has a chat channel. Add one to get messages about runs that need review.",
  add: "Add channel",
  addTitle: "Add chat channel",
  editTitle: (project: string) => `Edit chat channel of ${project}`,
  project: "Project",
  projectExample: "acme/shop",
  projectHint: "The project can also be one without runs yet.",
  url: "Incoming webhook URL",
  urlHint: "Create an incoming webhook in the chat tool, and copy its URL. The URL is not shown again.",
  save: "Save channel",
  saved: (project: string) => `Chat channel of ${project} saved. Send a test message to check it.`,
  test: "Send test message",
  to: (project: string) => `to ${project}`,
  edit: "Edit",
  remove: "Remove",
  of: (project: string) => `channel of ${project}`,
  removeTitle: "Remove chat channel",
  removeAbout: (project: string) => `Messages about runs of ${project} no longer go to a chat.`,
  keep: "Keep channel",
  removeChannel: "Remove channel",
  removed: (project: string) => `Chat channel of ${project} removed.`,
  nothingSent: "Nothing sent yet",
  more: "Show more channels",
  kinds: { digest: "message", test: "test message" } satisfies Record<ChatMessageView["kind"], string>,
} as const;

/** Texts of the email addresses of a project. `{link}` stands for an element that the page inserts. */
export const projectEmailTexts = {
  title: "Email addresses",
  thing: "the email addresses",
  about:
    "These addresses get one email for each run of this project that needs review. Members with the same address get only their own email.",
  aboutMonitors:
    "These addresses get the alerts of all monitors. An address that is a channel of the monitor too gets each alert once.",
  ofMonitors: "Each monitor also has its own channels: {link}.",
  monitorChannels: "alert channels of monitors",
  addresses: "Addresses (one per line)",
  hint: "At most 20. Each email has a link to unsubscribe.",
  example: "team@example.com",
  none: "No email addresses are set.",
  unsubscribed: (addresses: readonly string[]) =>
    `${listed(addresses)} unsubscribed, and ${addresses.length === 1 ? "gets" : "get"} no emails.`,
  address: (index: number) => `Address ${index}`,
  save: "Save email addresses",
  saving: "Saving…",
  saved: "Email addresses saved.",
} as const;

export const chatToolNames = { slack: "Slack", discord: "Discord" } as const;

/** Texts of apps of chat tools. */
export const chatAppTexts = {
  title: "Buttons in chat messages",
  about:
    "With an app of the chat tool, messages have buttons that approve and reject runs. Microsoft Teams and Google Chat don't send clicks, so their messages have links.",
  thing: "the chat apps",
  isSet: "Set up",
  notSet: "Not set up. Messages have links only.",
  changed: "By {name}, {time}",
  setUp: "Set up",
  edit: "Edit",
  remove: "Remove",
  formTitle: (tool: string) => `Set up ${tool}`,
  replaces: "Another secret replaces the current one, and removes the links of everyone's accounts.",
  save: "Save app",
  saved: (tool: string) => `${tool} app saved.`,
  removed: (tool: string) => `${tool} app removed.`,
  removeTitle: (tool: string) => `Remove ${tool} app`,
  removeAbout: (tool: string) =>
    `Buttons in ${tool} stop working, and everyone's linked accounts are removed. This can't be undone.`,
  keep: "Keep app",
  removeApp: "Remove app",
  tools: {
    slack: {
      first: "Create a Slack app, and use its incoming webhook as the chat channel of your projects.",
      secret: "Signing secret",
      where: "Copy it from Basic Information of the app. It has 32 hex digits, and is not shown again.",
      placeholder: "32 hex digits",
      last: "In the app, turn on Interactivity & Shortcuts, and set this Request URL:",
    },
    discord: {
      first:
        "Create a Discord application, and let its bot create the webhook of the channel. Discord ignores buttons of webhooks that people create.",
      secret: "Public key",
      where: "Copy it from General Information of the application. It has 64 hex digits.",
      placeholder: "64 hex digits",
      last: "Save the key first. Then set this Interactions Endpoint URL in the application:",
    },
  },
} as const;

/** Texts of the channels of monitors. */
export const monitorChannelTexts = {
  title: "Alert channels of monitors",
  about:
    "Each monitor has its own channels: chat, email, PagerDuty, Opsgenie, incident.io, Alertmanager, and your own webhook.",
  all: "Email addresses in the {link} get the alerts of every monitor.",
  settings: "monitor settings",
  empty: "No monitors yet. Create one on the Monitors page.",
  none: "No alert channels",
  add: "Add channels",
  edit: "Edit channels",
  of: (monitor: string) => `of ${monitor}`,
  listOf: (monitor: string) => `Channels of ${monitor}`,
  more: "Show more monitors",
} as const;
