import {
  type AddressPolicy,
  hostOf,
  portOf,
  refusePreviewUrl,
  refuseUrl,
} from "../../../shared/capture/network/address-guard.ts";

/** The values of a pull request for a preview URL template. */
export interface PreviewFacts {
  owner: string;
  repo: string;
  prNumber: number;
  commitSha: string;
  branch: string;
}

/** The allowed characters of a value in the hostname. With others, a branch could name its own host. */
const HOST_PART = /^[\w.-]+$/;

/**
 * Returns the template with the pull request's values, encoded for a URL. A slash stays, and no other character of a
 * branch name separates parts. Unknown placeholders stay.
 * @returns null if a value would change the template's host
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

/** The longest label of a hostname. */
const LABEL_CHARS = 63;

/**
 * Returns a branch name as a hostname label, as deployment platforms write it. It is in lower case, with a hyphen for
 * each character that is no ASCII letter or digit. It has no hyphen at either end and at most 63 characters. It may be
 * empty.
 */
function slugOf(branch: string): string {
  const hyphened = branch.toLowerCase().replaceAll(/[^a-z0-9]/gu, "-");
  return hyphened
    .replace(/^-+/, "")
    .slice(0, LABEL_CHARS)
    .replace(/(?<!-)-+$/, "");
}

/** Returns the position where the template's path starts. */
function endOfAuthority(template: string): number {
  const start = /^[a-z][a-z0-9+.-]*:\/\//i.exec(template)?.[0].length ?? 0;
  const length = template.slice(start).search(/[/?#\\]/);
  return length === -1 ? template.length : start + length;
}

/**
 * Returns why this URL may not be rendered as a preview, or null if it may. Public https URLs may. Others only may if
 * the operator allowed their host. Pages of the code host never may.
 * @param hostPage any page of the code host's website; null if none is known
 */
export function refusePreview(
  address: string,
  hostPage: string | null,
  policy: AddressPolicy,
): string | null {
  const url = URL.parse(address);
  if (!url) return "it is not a URL";
  if (hostPage !== null && URL.parse(hostPage)?.host === url.host) return "it is a page of the code host";
  const refusal = refusePreviewUrl(url);
  if (refusal === null) return null;
  const host = hostOf(url);
  const isNamed = policy.allowed.has(host) || policy.allowed.has(`${host}:${portOf(url)}`);
  return isNamed ? refuseUrl(url, policy) : refusal;
}

/**
 * Returns whether a text contains this name at the start of a word, ignoring case. `cross-platform` does not match
 * `platform`.
 */
export function hasWord(text: string, name: string): boolean {
  const literally = name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}_-])${literally}(?![\\p{L}\\p{N}])`, "iu").test(text);
}

/** Returns whether an environment is production, which is no preview. */
export function isProduction(environment: string): boolean {
  return /^production(?![\w-])/i.test(environment.trim());
}
