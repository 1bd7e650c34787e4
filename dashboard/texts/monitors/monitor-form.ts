import { list } from "../format.ts";

/** Texts of the form that creates or edits a monitor. */
export const monitorFormTexts = {
  createTitle: "Create monitor",
  reviewersOnly: "Only reviewers and admins of the team can create monitors.",
  name: "Name",
  namePlaceholder: "Shop",
  url: "Site URL",
  otherUrl: "With another URL, the monitor starts over without baselines.",
  pages: "Pages (one per line)",
  pagesHint: "The first capture of a new page becomes its baseline.",
  widths: "Viewport widths (px)",
  interval: "Check interval",
  intervalNumber: "Number",
  intervalUnit: "Unit",
  units: { minutes: "minutes", hours: "hours", days: "days" },
  intervalHint: "From 5 minutes to 1 week.",
  tags: "Tags (comma-separated)",
  tagsHint: "Words to filter the list of monitors by, such as production.",
  regions: "Regions of screenshots (comma-separated)",
  regionsHint:
    "Renderer nodes of each region capture every page, with baselines of their own. Each region's screenshots count toward the plan. Leave empty to capture from any node.",
  threshold: "Alert threshold (%)",
  thresholdHint:
    "A page counts as changed when more than this share of its pixels differs from the baseline.",
  adminsSetChannels: "Team admins configure alert channels.",
  seeFields: "The monitor was not saved. Fix the fields above.",
  viewUsage: "View plan and usage",
  create: "Create monitor",
  save: "Save changes",
  saving: "Saving…",
  saved: "Changes saved.",
  urlChanged:
    "The changes were not saved because the URL of this monitor changed meanwhile. Open the form again, and enter the headers for the new URL.",

  /** In the form's units, which differ from the service's. */
  invalid: {
    alertThreshold: "Enter a number from 0 to 100.",
    "options.colorThreshold": "Enter a number from 0 to 1.",
    intervalMinutes: "Enter a whole number of minutes, hours, or days, from 5 minutes to 1 week.",
  },

  channels: "Notifications",
  emails: "Email addresses (one per line)",
  emailsNeedServer: "Emails need a mail server in this service.",
  emailsWork: "This service has a mail server and sends emails.",
  emailsDontWork: "This service can't send emails yet. Ask the operator to set up a mail server.",
  slack: "Chat webhook URL (Slack, Microsoft Teams, Google Chat, Discord)",
  pagerduty: "PagerDuty routing key (Events API v2)",
  pagerdutyPlaceholder: "32 letters and digits",
  incidents: "Other incident service",
  incidentsHint: "Opens an incident for a problem, and closes it at the recovery.",
  noIncidents: "None",
  incidentsKept: "To change it, enter the URL and the key.",
  incidentTools: {
    opsgenie: {
      url: "Opsgenie API URL",
      key: "API key of an API integration",
      defaultUrl: "https://api.opsgenie.com",
      urlPlaceholder: "https://api.eu.opsgenie.com",
    },
    "incident-io": {
      url: "URL of the HTTP alert source",
      key: "Token of the alert source",
      defaultUrl: "",
      urlPlaceholder: "https://api.incident.io/v2/alert_events/http/…",
    },
    alertmanager: {
      url: "Alertmanager base URL",
      key: "Bearer token of the proxy in front of it (without one, any text)",
      defaultUrl: "",
      urlPlaceholder: "https://alertmanager.example.com",
    },
  },
  webhook: "Webhook URL",
  webhookSecret: "Webhook secret",
  webhookSecretHint:
    "Signs each notification so that the receiver can verify it. Enter at least 16 characters.",
  unchanged: "Unchanged",
  unchangedSecret: (known: string) => `${known} (unchanged)`,
  removeSecret: (known: string) => `Remove ${known}`,
} as const;

export const captureOptionTexts = {
  title: "Capture options",
  baselinesStay:
    "Baselines stay. If a page looks different because of a change here, approve it after the next check.",
  hide: "Hidden elements (one CSS selector per line)",
  hideHint: "For cookie banners, chats, and ads. Hidden elements still take up space.",
  masks: "Masked elements (one CSS selector per line)",
  masksHint: "For dates, counts, and changing images. One color covers each masked element.",
  waitFor: "Element to wait for (CSS selector)",
  waitForHint: "The screenshot is taken once this element is visible.",
  headers: "Request headers (one per line)",
  headersHint: "Write “Name: value”. Headers are sent only to the site, and values are not shown again.",
  headersReplaced: "New headers replace all current headers.",
  headersPlaceholder: "X-Preview-Token: …",
  colorThreshold: "Color threshold (0–1)",
  colorThresholdHint: "The largest color difference that counts as equal. The default is 0.1.",
  others: (options: readonly string[]) =>
    `This monitor also has ${list(options)}. To change them, use the API.`,
  otherOptions: {
    network: "network rules",
    clock: "a fixed clock",
    random: "settings for random values",
    ignoreRegions: "ignore regions",
    perRoute: "settings for single pages",
  },
} as const;
