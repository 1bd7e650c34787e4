import type { BadgeContent, ComponentState } from "../../../../shared/contracts/monitors/status-pages.ts";
import { STATUS_PAGES } from "../../texts/pages.ts";

/** White text on these has a contrast of at least 4.5. */
const COLORS: Record<ComponentState, string> = {
  operational: "#1a7f43",
  outage: "#c62f2f",
  maintenance: "#2f6feb",
  unknown: "#5b6470",
};
const LABEL_COLOR = "#2a2f36";
/** Wide enough for the letters of common fonts at 11 px. */
const CHAR_PX = 6.6;
const PADDING_PX = 12;

/** Returns a badge with the state and the uptime of the last 30 days. */
export function badgeSvg({ state, uptime }: BadgeContent): string {
  const label = STATUS_PAGES.badgeLabel;
  const value = STATUS_PAGES.badge(state, uptime);
  const [left, right] = [label, value].map(words => Math.ceil(words.length * CHAR_PX) + PADDING_PX);
  const [labelPx, valuePx] = [left ?? 0, right ?? 0];
  const width = labelPx + valuePx;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}: ${value}">
<title>${label}: ${value}</title>
<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="${labelPx}" height="20" fill="${LABEL_COLOR}"/><rect x="${labelPx}" width="${valuePx}" height="20" fill="${COLORS[state]}"/></g>
<g fill="#fff" text-anchor="middle" font-family="system-ui,sans-serif" font-size="11"><text x="${labelPx / 2}" y="14">${label}</text><text x="${labelPx + valuePx / 2}" y="14">${value}</text></g>
</svg>`;
}
