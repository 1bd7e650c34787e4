import type { MissingEvent } from "../../../../shared/contracts/code-host/code-host.ts";
import { APP_EVENTS, APP_PERMISSIONS } from "./app-manifest.ts";

const BEGIN = "<!-- permissions: made by npm run docs -->";
const END = "<!-- end of permissions -->";

/** Returns a docs page with the app's permissions between the page's markers. @throws Error without the markers */
export function withPermissions(page: string): string {
  const [from, to] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`The page needs ${BEGIN} and ${END}.`);
  // The markers may be in an indented list.
  const indent = page.slice(page.lastIndexOf("\n", from) + 1, from);
  const lines = [BEGIN, "", ...permissionLines(), "", END].map((line, index) =>
    line && index > 0 ? indent + line : line,
  );
  return page.slice(0, from) + lines.join("\n") + page.slice(to + END.length);
}

function permissionLines(): string[] {
  const rows = APP_PERMISSIONS.map(
    ({ label, access, purpose, isOptional }) =>
      `| ${label} | ${access}${isOptional ? ", optional" : ""} | ${purpose} |`,
  );
  const named = (optional: boolean) =>
    APP_EVENTS.filter(({ isOptional }) => isOptional === optional)
      .map(inItalics)
      .join(", ");
  return [
    "| Permission | Access | Purpose |",
    "|---|---|---|",
    ...rows,
    "",
    `Events: ${named(false)}. Optional: ${named(true)}. Installation events need no subscription.`,
  ];
}

function inItalics({ label }: MissingEvent): string {
  return `*${label}*`;
}
