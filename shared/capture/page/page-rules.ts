import type { Lease } from "../browser/lease.ts";
import type { VisitRequest } from "../capture-types.ts";
import { siteOf } from "../network/page-url.ts";
import { applyNetworkRules } from "../network/rules/network-rules.ts";
import { replaceResponses } from "../network/rules/replace-responses.ts";
import type { SecretValues } from "../sessions/secret-values.ts";

/** Runs work while the network rules and headers of a request apply to the page. @throws CaptureError */
export async function withPageRules<T>(
  lease: Lease,
  request: VisitRequest,
  secrets: SecretValues,
  work: () => Promise<T>,
): Promise<T> {
  const { options, session, files = new Map(), hars = new Map() } = request;
  const { network = [], headers = {} } = options;
  const all = { ...(await loginHeaders(session, secrets)), ...(await secrets.resolveAll(headers)) };
  const mask = (text: string) => secrets.mask(text);
  const site = siteOf(request);
  const rules = await applyNetworkRules(lease, network, { files, hars, site, mask });
  const removeReplacements = await replaceResponses(lease, request.replace);
  const removeHeaders = await lease.driver.sendHeaders(site, all);
  try {
    // When not all requests were matched, every other failure follows from that.
    return await work().finally(() => rules.verify());
  } finally {
    // A closed page has no rules left to remove, and only the first error matters.
    await Promise.all([rules.remove(), removeReplacements(), removeHeaders()]).catch(() => {});
  }
}

async function loginHeaders(
  session: VisitRequest["session"],
  secrets: SecretValues,
): Promise<Record<string, string>> {
  if (session?.basicAuth === undefined) return {};
  const { username, password } = await secrets.resolveAll(session.basicAuth);
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}
