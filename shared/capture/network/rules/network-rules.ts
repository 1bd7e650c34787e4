import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Route } from "playwright";
import { BOUNDS } from "../../../contracts/capture/bounds.ts";
import { type NetworkRule, TEXT_TYPE, wildcardsOf } from "../../../contracts/capture/network-rule.ts";
import type { Lease } from "../../browser/lease.ts";
import { CaptureError, type HarFiles, type RuleFiles } from "../../capture-types.ts";
import { PAGE_ERRORS, REQUEST_FAILURES } from "../../texts.ts";
import { HarRecorder } from "../har/har-recorder.ts";
import { HarReplay, type ReplayContext } from "../har/har-replay.ts";
import { ResponseRecording, requestOf } from "../har/record-responses.ts";
import type { NetworkActivity } from "../network-activity.ts";
import { routeRequests } from "./route-requests.ts";
import { type Meter, urlMatcher } from "./url-glob.ts";

/** No real URL is longer. Globs match no longer URL. */
const LONGEST_URL = 16_384;
/**
 * Wildcards of all rules × characters of a URL: what rules may cost the event loop at once, about 5 to 10 ms. Rules
 * with more than 61 wildcards together match only shorter URLs.
 */
export const MAX_STEPS_PER_URL = 1_000_000;

/** What a rule can ask of a request besides its URL. */
interface RequestKind {
  /** Such as `GET`. */
  method: string;
  /** Playwright's name, such as `image`. */
  resourceType: string;
}

/** Finds the first rule that matches a request, for the requests of one screenshot. */
export class RuleFinder {
  /** The cost of all searches. */
  readonly meter: Meter = { steps: 0 };
  /** Globs match no URL longer than this, characters. */
  readonly longestUrl: number;
  readonly #matchers: { rule: NetworkRule; matches: (url: string, meter: Meter) => boolean }[];
  readonly #maxSteps: number;

  /**
   * @param maxSteps the limit for all requests of the screenshot together
   * @throws CaptureError for rules with too many wildcards that were not checked before
   */
  constructor(rules: readonly NetworkRule[], maxSteps: number) {
    const wildcards = rules.reduce((sum, { url }) => sum + wildcardsOf(url), 0);
    if (rules.length > BOUNDS.networkRules || wildcards > BOUNDS.networkWildcards) throw tooMany(wildcards);
    this.longestUrl = Math.min(LONGEST_URL, Math.floor(MAX_STEPS_PER_URL / Math.max(1, wildcards)));
    this.#matchers = rules.map(rule => ({ rule, matches: urlMatcher(rule.url) }));
    this.#maxSteps = maxSteps;
  }

  /** Returns whether the page's requests have used up the limit, so that no further one is matched. */
  get isExhausted(): boolean {
    return this.meter.steps > this.#maxSteps;
  }

  ruleFor(url: string, kind: RequestKind): NetworkRule | undefined {
    const isLong = url.length > this.longestUrl;
    return this.#matchers.find(
      ({ rule, matches }) => isForKind(rule, kind) && (isLong ? rule.url === url : matches(url, this.meter)),
    )?.rule;
  }
}

function isForKind({ methods, resourceTypes }: NetworkRule, { method, resourceType }: RequestKind): boolean {
  return (
    (methods === undefined || methods.some(name => name === method)) &&
    (resourceTypes === undefined || resourceTypes.some(name => name === resourceType))
  );
}

/** What rules respond with. */
export interface RuleSources extends ReplayContext {
  files: RuleFiles;
  hars: HarFiles;
}

/** The rules of a page while they apply. */
export interface AppliedRules {
  /** @throws CaptureError when the page sent so many requests that not all were matched */
  verify(): void;
  remove(): Promise<void>;
}

/**
 * Applies the rules to all requests of the page and its frames until they are removed. The first rule that matches
 * decides. Rules see the requested URL, not the targets of its redirects.
 * @throws CaptureError for rules with too many wildcards, or with a file that is not given
 */
export async function applyNetworkRules(
  { page, network, limits }: Lease,
  rules: NetworkRule[],
  sources: RuleSources,
): Promise<AppliedRules> {
  // Interception costs every request a round trip, so pages without rules skip it.
  if (rules.length === 0) return { verify() {}, remove: async () => {} };
  const finder = new RuleFinder(rules, limits.maxMatchSteps);
  refuseMissingFiles(rules, sources);
  const { hars, files } = sources;
  const recorders = [...hars.values()].filter(har => har instanceof HarRecorder);
  const recording = recorders.length > 0 ? new ResponseRecording(page, sources.mask) : null;
  const removal = new AbortController();
  // Each delayed request listens.
  setMaxListeners(0, removal.signal);
  const unroute = await routeRequests(page, async route => {
    // It is unknown which rule would decide.
    if (finder.isExhausted) return await route.abort("blockedbyclient");
    const request = route.request();
    const kind = { method: request.method(), resourceType: request.resourceType() };
    const rule = finder.ruleFor(request.url(), kind);
    if (rule === undefined) return await route.fallback();
    if (rule.action === "block") return await route.abort("blockedbyclient");
    if (rule.action === "delay") {
      network.delay(request, rule.delayMs);
      return await sendAfter(route, rule.delayMs, removal.signal);
    }
    if (rule.action === "har") {
      const har = hars.get(rule.file);
      if (har instanceof HarReplay) return await replay(route, { rule, har, network }, sources);
      if (har !== undefined) recording?.record(request, har);
      return await route.fallback();
    }
    network.expect(request);
    await route.fulfill(responseOf(rule, files));
  });
  return {
    verify() {
      if (finder.isExhausted) throw tooCostly();
    },
    async remove() {
      removal.abort();
      await recording?.stop();
      await unroute();
    },
  };
}

interface Replay {
  rule: Extract<NetworkRule, { action: "har" }>;
  har: HarReplay;
  network: NetworkActivity;
}

/** Responds from a recording. */
async function replay(route: Route, { rule, har, network }: Replay, context: RuleSources): Promise<void> {
  const request = route.request();
  const response = har.find(requestOf(request), context);
  if (response) return await route.fulfill(response);
  if (response === undefined && rule.notFound === "continue") return await route.fallback();
  network.explain(request, response === null ? REQUEST_FAILURES.recorded : REQUEST_FAILURES.notIn(rule.file));
  await route.abort("failed");
}

/** Sends a request after a delay. The page's clock waits meanwhile, as for any open request. */
async function sendAfter(route: Route, delayMs: number, removal: AbortSignal): Promise<void> {
  await delay(delayMs, undefined, { signal: removal }).catch(() => {});
  if (!removal.aborted) return await route.fallback();
  // The page may be closed already.
  await route.abort().catch(() => {});
}

type FulfilRule = Extract<NetworkRule, { action: "fulfil" }>;

function responseOf({ status, contentType, body, file }: FulfilRule, files: RuleFiles) {
  const read = file === undefined ? undefined : files.get(file);
  return {
    status,
    contentType: contentType ?? read?.contentType ?? TEXT_TYPE,
    body: read?.content ?? body ?? "",
  };
}

/** @throws CaptureError for the first rule whose file is not given */
function refuseMissingFiles(rules: readonly NetworkRule[], { files, hars }: RuleSources): void {
  for (const rule of rules) {
    if (rule.action === "har" && !hars.has(rule.file))
      throw new CaptureError("file_missing", PAGE_ERRORS.noHar(rule.url, rule.file));
    if (rule.action !== "fulfil" || rule.file === undefined || files.has(rule.file)) continue;
    throw new CaptureError("file_missing", PAGE_ERRORS.noRuleFile(rule.url, rule.file));
  }
}

function tooMany(wildcards: number): CaptureError {
  return new CaptureError(
    "too_large",
    PAGE_ERRORS.tooManyWildcards(wildcards, BOUNDS.networkWildcards, BOUNDS.networkRules),
  );
}

function tooCostly(): CaptureError {
  return new CaptureError("too_large", PAGE_ERRORS.rulesTooCostly);
}
