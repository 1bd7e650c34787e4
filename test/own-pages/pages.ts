import { INCIDENT, MONITOR } from "./monitor-data.ts";

/** The captured pages of the dashboard. */
export interface OwnPage {
  /** Name of its baselines' files. */
  name: string;
  /** Path relative to the service's address. */
  path: string;
  /** Selector of an element that must exist. */
  sign: string;
  /** Selector of an element that must exist in a wide window. */
  besides?: string;
  /** Capture widths, px; all widths by default. */
  widths?: readonly number[];
}

const RUN = "run_01k8z4m2q7";

/** The queue renders its rows once it knows its height. */
const REVIEW = { sign: ".page-sheet", besides: ".queue-shot" };

export const OWN_PAGES: readonly OwnPage[] = [
  { name: "sign-in", path: "/sign-in", sign: "form" },
  { name: "inbox", path: "/inbox", sign: ".inbox-item" },
  { name: "runs", path: "/runs", sign: ".run-row" },
  // Not in a narrow window, where its height depends on which rows were visible long enough to be measured.
  { name: "run", path: `/runs/${RUN}`, sign: "article", widths: [1440] },
  { name: "run-minor", path: `/runs/${RUN}?standing=minor`, sign: "article" },
  { name: "review", path: `/review/${RUN}?shot=scr_1_price&mode=side`, ...REVIEW },
  { name: "review-swipe", path: `/review/${RUN}?shot=scr_2_home&mode=swipe`, ...REVIEW },
  { name: "baselines", path: "/baselines?project=acme/shop", sign: ".baseline-row" },
  {
    name: "history",
    path: "/baselines/history?project=acme/shop&route=/pricing&viewport=1280",
    sign: ".page-sheet",
  },
  { name: "noise", path: "/baselines/noise?project=acme/shop", sign: ".score-chart" },
  { name: "overview", path: "/baselines/overview?project=acme/shop", sign: ".trends" },
  { name: "configuration", path: "/baselines/configuration?project=acme/shop", sign: ".item" },
  { name: "compare", path: "/compare", sign: "form.sides" },
  { name: "monitors", path: "/monitors", sign: ".monitor-row" },
  { name: "monitor", path: `/monitors/${MONITOR}`, sign: ".pair" },
  { name: "incidents", path: "/incidents", sign: ".incident-row" },
  { name: "incident", path: `/incidents/${INCIDENT}`, sign: ".timeline-entries" },
  { name: "account", path: "/settings/account", sign: ".rows" },
  { name: "nodes", path: "/settings/nodes", sign: ".rows" },
  { name: "code-host", path: "/settings/code-host", sign: ".rows" },
  { name: "team", path: "/settings/team", sign: ".rows" },
  { name: "sign-in-settings", path: "/settings/sign-in", sign: ".copyable" },
  { name: "keys", path: "/settings/keys", sign: ".rows" },
  { name: "notifications", path: "/settings/notifications", sign: ".last-message" },
  { name: "repositories", path: "/settings/repositories", sign: ".rows" },
  { name: "webhooks", path: "/settings/webhooks", sign: ".rows" },
  { name: "usage", path: "/settings/usage", sign: ".usage" },
];

const SIDES = `base=run_01k8z4gggg&head=${RUN}`;

/** All pages that must be accessible. Those beside OWN_PAGES have no baselines. */
export const CHECKED_PAGES: readonly OwnPage[] = [
  ...OWN_PAGES,
  { name: "comparison", path: `/compare?${SIDES}&shot=cmp_1`, sign: ".compare-head" },
  { name: "new-monitor", path: "/monitors/new", sign: ".channel-fields" },
  { name: "monitor-form", path: `/monitors/${MONITOR}?edit`, sign: ".channel-fields" },
  {
    name: "settings of all monitors",
    path: "/baselines/configuration?project=monitors",
    sign: "textarea[name=addresses]",
  },
  { name: "maintenance", path: "/maintenance", sign: ".rows" },
  { name: "status-pages", path: "/status-pages", sign: ".rows" },
  { name: "public status page", path: "/status/acme", sign: "svg" },
  { name: "settings without a page", path: "/settings", sign: ".rows" },
  { name: "transfer", path: "/settings/transfer", sign: ".transfer" },
  { name: "unknown page", path: "/nothing", sign: "h1" },
];

/** Default widths of all pages. */
export const OWN_WIDTHS = [360, 1440];
export const WIDE_FROM_PX = 1000;
