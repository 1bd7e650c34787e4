import { hasWord } from "./preview-url.rule.ts";

/** Who deployed: the deployment platform, one of two others, or what an operator named; `other`s are ignored. */
export type Provider = "platform" | "b" | "c" | "named" | "other";

/** How providers are told from each other. */
export interface ProviderSettings {
  /** The deployment platform's. */
  platformName: string;
  platformDomains: readonly string[];
  previewDomains: Record<"b" | "c", string | null>;
  previewNames: Record<"b" | "c", string | null>;
  /** Environments of any other provider that count too; `*` stands for any text. */
  previewEnvironments: readonly string[];
}

/** A deployment as the code host tells of it. */
export interface ToldDeployment {
  /** Null where nothing is known yet. */
  address: string | null;
  environment: string;
  /** Login of who told; null where that is not said. */
  teller: string | null;
}

/** Returns who deployed: by the address, by the name in the environment, or by the platform's own app. */
export function providerOf(
  { address, environment, teller }: ToldDeployment,
  settings: ProviderSettings,
): Provider {
  const { platformName, platformDomains, previewDomains, previewNames } = settings;
  const host = URL.parse(address ?? "")?.hostname ?? "";
  const isApp = teller?.toLowerCase() === `${platformName.toLowerCase()}[bot]`;
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

/** Whether a pattern is of the whole name, in any case. */
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
