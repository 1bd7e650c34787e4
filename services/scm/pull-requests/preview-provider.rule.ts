import { hasWord } from "./preview-url.rule.ts";

/** The deployer: the deployment platform, one of two others, or one that an operator named. `other` is ignored. */
export type Provider = "platform" | "b" | "c" | "named" | "other";

/** The settings that identify providers. */
export interface ProviderSettings {
  /** Of the deployment platform. */
  platformName: string;
  platformDomains: readonly string[];
  previewDomains: Record<"b" | "c", string | null>;
  previewNames: Record<"b" | "c", string | null>;
  /** Environments of other providers that count too. `*` stands for any text. */
  previewEnvironments: readonly string[];
}

/** A deployment as the code host reports it. */
export interface ReportedDeployment {
  /** Null while it is unknown. */
  address: string | null;
  environment: string;
  /** The login of the reporter, or null if it is missing. */
  creatorLogin: string | null;
}

/** Returns the provider of a deployment, by the URL, the environment's name, or the platform's own app. */
export function providerOf(
  { address, environment, creatorLogin }: ReportedDeployment,
  settings: ProviderSettings,
): Provider {
  const { platformName, platformDomains, previewDomains, previewNames } = settings;
  const host = URL.parse(address ?? "")?.hostname ?? "";
  const isApp = creatorLogin?.toLowerCase() === `${platformName.toLowerCase()}[bot]`;
  if (isApp || hasWord(environment, platformName) || platformDomains.some(domain => isOf(host, domain)))
    return "platform";
  for (const provider of ["b", "c"] as const) {
    const domain = previewDomains[provider];
    const name = previewNames[provider] ?? domain?.split(".").at(-2) ?? null;
    if (domain !== null && isOf(host, domain)) return provider;
    if (name !== null && environment.toLowerCase().includes(name.toLowerCase())) return provider;
  }
  return settings.previewEnvironments.some(pattern => matches(environment, pattern)) ? "named" : "other";
}

function isOf(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}

/** Returns whether a pattern matches the whole name, ignoring case. */
function matches(environment: string, pattern: string): boolean {
  const text = environment.trim().toLowerCase();
  const [first = "", ...others] = pattern.toLowerCase().split("*");
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}
