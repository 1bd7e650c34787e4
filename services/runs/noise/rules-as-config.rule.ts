import type { Region } from "../../../shared/compare/comparison.ts";
import { scaled } from "../../../shared/contracts/capture/ignore-region.ts";
import { isOfRegion } from "../../../shared/contracts/capture/region.ts";
import { isRoute } from "../../../shared/contracts/capture/screenshot-key.ts";
import type { RuleConfiguration } from "../../../shared/contracts/noise/ignore-rules.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import { RULE_TEXTS } from "../texts/reviews.ts";
import type { StoredRule } from "./noise-region.store.ts";

type Exported = Pick<
  StoredRule,
  | "id"
  | "route"
  | "state"
  | "environment"
  | "viewport"
  | "appliesTo"
  | "region"
  | "threshold"
  | "scale"
  | "reason"
  | "decidedBy"
  | "decidedAt"
  | "expiresAt"
>;

/** Returns the active rules of a project as a part of `service.config.ts`. */
export function rulesAsConfig(project: string, rules: readonly Exported[]): RuleConfiguration {
  const left = rules.flatMap(rule => {
    const reason = whyNot(rule);
    return reason === null ? [] : [{ id: rule.id, reason }];
  });
  const leftIds = new Set(left.map(({ id }) => id));
  const exported = rules.filter(({ id }) => !leftIds.has(id));
  const ofAll = exported.filter(({ appliesTo }) => appliesTo === "project");
  const byRoute = Map.groupBy(
    exported.filter(({ appliesTo }) => appliesTo !== "project"),
    ({ route }) => route,
  );
  const routes = [...byRoute]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([route, own]) => [
      `    ${JSON.stringify(route)}: {`,
      ...thresholdOf(own),
      // The regions of a route replace those of all routes.
      ...regionLines("      ", own.some(({ region }) => region) ? [...ofAll, ...own] : []),
      "    },",
    ]);
  const lines = [
    `// ${visibleLine(RULE_TEXTS.configurationOf(project))}`,
    "export default defineConfig({",
    ...regionLines("  ", ofAll),
    ...(routes.length > 0 ? ["  perRoute: {", ...routes, "  },"] : []),
    "});",
  ];
  return { text: `${lines.join("\n")}\n`, rules: exported.length, left };
}

function whyNot({ route, state, environment, threshold, appliesTo }: Exported): string | null {
  if (appliesTo === "project") return null;
  if (!isRoute(route)) return RULE_TEXTS.notRoute;
  if (state !== null) return RULE_TEXTS.ofState(state);
  if (environment !== null && isOfRegion(environment)) return RULE_TEXTS.ofRegion(environment);
  return threshold !== null && appliesTo === "page" ? RULE_TEXTS.oneWidth : null;
}

function thresholdOf(rules: readonly Exported[]): string[] {
  const raised = rules.filter(({ threshold }) => threshold !== null);
  const most = Math.max(...raised.map(({ threshold }) => threshold ?? 0));
  const shown = raised.find(({ threshold }) => threshold === most);
  return shown ? [`      // ${describe(shown)}`, `      threshold: ${most},`] : [];
}

function regionLines(indent: string, rules: readonly Exported[]): string[] {
  const lines = rules.flatMap(rule =>
    rule.region ? [`${indent}  // ${describe(rule)}`, `${indent}  ${fieldsOf(rule, rule.region)},`] : [],
  );
  return lines.length > 0 ? [`${indent}ignoreRegions: [`, ...lines, `${indent}],`] : [];
}

function fieldsOf({ appliesTo, viewport, environment, scale }: Exported, region: Region): string {
  const { x, y, width, height } = scaled(region, 1 / scale);
  const fields = {
    ...{ x, y, width, height },
    ...(appliesTo === "page" && { viewport }),
    ...(appliesTo !== "project" && environment !== null && { environment }),
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `{ ${text.join(", ")} }`;
}

/** Returns a comment about a rule. Users wrote its parts, and a line break would end it. */
function describe({ reason, decidedBy, decidedAt, expiresAt }: Exported): string {
  const parts = [
    ...(reason === null ? [] : [reason]),
    RULE_TEXTS.madeBy(decidedBy, dayOf(decidedAt)),
    ...(expiresAt ? [RULE_TEXTS.until(dayOf(expiresAt))] : []),
  ];
  return visibleLine(parts.join(", "));
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
