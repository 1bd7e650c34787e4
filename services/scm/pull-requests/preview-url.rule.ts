import {
  type AddressPolicy,
  hostOf,
  portOf,
  refusePreviewUrl,
  refuseUrl,
} from "../../../shared/capture/network/address-guard.ts";

/** What a preview's address may have of its pull request. */
export interface PreviewFacts {
  owner: string;
  repo: string;
  prNumber: number;
  commitSha: string;
  branch: string;
}

/** What of it may become part of a host's name: with more, a branch could name a host of its own. */
const HOST_PART = /^[\w.-]+$/;

/**
 * The template with what is known of the pull request in place of its placeholders, as text of an address: a slash
 * stays one, and no other sign of a branch's name parts it. Unknown placeholders stay as they are.
 * @returns null where a value would make another host of the template's
 */
export function renderTemplate(template: string, facts: PreviewFacts): string | null {
  const values: Record<string, string> = {
    owner: facts.owner,
    repo: facts.repo,
    prNumber: String(facts.prNumber),
    commitSha: facts.commitSha,
    commitShortSha: facts.commitSha.slice(0, 7),
    branch: facts.branch,
    branchSlug: slugOf(facts.branch),
  };
  const authorityEnd = endOfAuthority(template);
  let isSafe = true;
  const url = template.replaceAll(/\{(\w+)\}/g, (placeholder, name: string, at: number) => {
    if (!Object.hasOwn(values, name)) return placeholder;
    const value = values[name] ?? placeholder;
    if (at >= authorityEnd) return value.split("/").map(encodeURIComponent).join("/");
    if (!HOST_PART.test(value)) isSafe = false;
    return value;
  });
  return isSafe ? url : null;
}

/** What a host's name takes as one of its parts. */
const LABEL_CHARS = 63;

/**
 * Returns a branch's name as a part of a host's name, as deployment platforms write it: in lower case, with a hyphen for
 * each character that is no ASCII letter or digit, none at either end, 63 characters at most. It may be empty.
 */
function slugOf(branch: string): string {
  const hyphened = branch.toLowerCase().replaceAll(/[^a-z0-9]/gu, "-");
  return hyphened
    .replace(/^-+/, "")
    .slice(0, LABEL_CHARS)
    .replace(/(?<!-)-+$/, "");
}

/** Where the template's path begins. */
function endOfAuthority(template: string): number {
  const start = /^[a-z][a-z0-9+.-]*:\/\//i.exec(template)?.[0].length ?? 0;
  const length = template.slice(start).search(/[/?#\\]/);
  return length === -1 ? template.length : start + length;
}

/**
 * Why this address may not be rendered as a preview; null when it may. Public https: addresses may, others only where
 * the operator named their host; pages of the code host itself never.
 * @param hostPage any page of the code host's web site
 */
export function refusePreview(address: string, hostPage: string, policy: AddressPolicy): string | null {
  const url = URL.parse(address);
  if (!url) return "it is not a URL";
  if (URL.parse(hostPage)?.host === url.host) return "it is a page of the code host";
  const refusal = refusePreviewUrl(url);
  if (refusal === null) return null;
  const host = hostOf(url);
  const isNamed = policy.allowed.has(host) || policy.allowed.has(`${host}:${portOf(url)}`);
  return isNamed ? refuseUrl(url, policy) : refusal;
}

/** Whether a text has this name in it, in any case and as where a word begins: `cross-platform` is not the platform. */
export function hasWord(text: string, name: string): boolean {
  const literally = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${literally}(?![\\p{L}\\p{N}])`, "iu").test(text);
}

/** Whether what was deployed there is what everybody sees. */
export function isProduction(environment: string): boolean {
  return /^production(?![\w-])/i.test(environment.trim());
}
