import type { MissingEvent, MissingPermission } from "../../../shared/contracts/code-host/code-host.ts";
import { APP_TEXTS } from "../texts.ts";

/** What the app must be allowed: the one source of its manifest, of the check at start and of the docs' tables. */
export const APP_PERMISSIONS: readonly MissingPermission[] = [
  need("pull_requests", "Pull requests", "write", APP_TEXTS.pullRequests),
  need("checks", "Checks", "write", APP_TEXTS.checks),
  need("contents", "Contents", "write", APP_TEXTS.contents),
  need("metadata", "Metadata", "read", APP_TEXTS.metadata),
  need("statuses", "Commit statuses", "read", APP_TEXTS.statuses),
  need("deployments", "Deployments", "read", APP_TEXTS.deployments),
  option("merge_queues", "Merge queues", "read", APP_TEXTS.mergeQueues),
  option("email_addresses", "Email addresses", "read", APP_TEXTS.emailAddresses),
  option("workflows", "Workflows", "write", APP_TEXTS.workflows),
];

/** The events that the app must be sent; those about installations come by themselves. */
export const APP_EVENTS: readonly MissingEvent[] = [
  { name: "pull_request", label: "Pull request", isOptional: false },
  { name: "status", label: "Status", isOptional: false },
  { name: "deployment_status", label: "Deployment status", isOptional: false },
  { name: "check_run", label: "Check run", isOptional: false },
  { name: "check_suite", label: "Check suite", isOptional: false },
  { name: "merge_group", label: "Merge group", isOptional: true },
];

type Access = MissingPermission["access"];

function need(name: string, label: string, access: Access, purpose: string): MissingPermission {
  return { name, label, access, purpose, isOptional: false };
}

function option(name: string, label: string, access: Access, purpose: string): MissingPermission {
  return { ...need(name, label, access, purpose), isOptional: true };
}

/** The longest name that the code host gives an app. */
const LONGEST_NAME = 34;

/** Where the code host sends its events. */
export function webhookUrlOf(baseUrl: string): string {
  return `${baseUrl}/codehost/webhook`;
}

/**
 * The manifest that the code host creates the app from.
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 * @param baseUrl the service's public address, without a slash at the end
 */
export function appManifest(baseUrl: string) {
  return {
    name: `vrs ${new URL(baseUrl).host}`.slice(0, LONGEST_NAME).trim(),
    url: baseUrl,
    description: APP_TEXTS.description,
    public: false,
    hook_attributes: { url: webhookUrlOf(baseUrl), active: true },
    redirect_url: `${baseUrl}/settings/code-host`,
    callback_urls: [`${baseUrl}/auth/callback`],
    default_permissions: Object.fromEntries(APP_PERMISSIONS.map(({ name, access }) => [name, access])),
    default_events: APP_EVENTS.map(({ name }) => name),
  };
}

/** What an app lacks of what it needs. */
export function missingOf({
  permissions,
  events,
}: {
  permissions: Record<string, string | undefined>;
  events: readonly string[];
}): { permissions: MissingPermission[]; events: MissingEvent[] } {
  const isGranted = ({ name, access }: MissingPermission) =>
    permissions[name] !== undefined && (access === "read" || permissions[name] !== "read");
  return {
    permissions: APP_PERMISSIONS.filter(permission => !isGranted(permission)),
    events: APP_EVENTS.filter(({ name }) => !events.includes(name)),
  };
}
