import type { MissingEvent, MissingPermission } from "../../../../shared/contracts/code-host/code-host.ts";
import { APP_TEXTS } from "../../texts/connections.ts";

/** The app's permissions. The manifest, the check at startup, and the docs' tables all use this list. */
export const APP_PERMISSIONS: readonly MissingPermission[] = [
  required("pull_requests", "Pull requests", "write", APP_TEXTS.pullRequests),
  required("checks", "Checks", "write", APP_TEXTS.checks),
  required("contents", "Contents", "write", APP_TEXTS.contents),
  required("metadata", "Metadata", "read", APP_TEXTS.metadata),
  required("statuses", "Commit statuses", "read", APP_TEXTS.statuses),
  required("deployments", "Deployments", "read", APP_TEXTS.deployments),
  optional("merge_queues", "Merge queues", "read", APP_TEXTS.mergeQueues),
  optional("issues", "Issues", "read", APP_TEXTS.issues),
  optional("email_addresses", "Email addresses", "read", APP_TEXTS.emailAddresses),
  optional("workflows", "Workflows", "write", APP_TEXTS.workflows),
];

/** The events that the app subscribes to. Installation events need no subscription. */
export const APP_EVENTS: readonly MissingEvent[] = [
  { name: "pull_request", label: "Pull request", isOptional: false },
  { name: "status", label: "Status", isOptional: false },
  { name: "deployment_status", label: "Deployment status", isOptional: false },
  { name: "check_run", label: "Check run", isOptional: false },
  { name: "check_suite", label: "Check suite", isOptional: false },
  { name: "merge_group", label: "Merge group", isOptional: true },
  { name: "issue_comment", label: "Issue comment", isOptional: true },
];

type Access = MissingPermission["access"];

function required(name: string, label: string, access: Access, purpose: string): MissingPermission {
  return { name, label, access, purpose, isOptional: false };
}

function optional(name: string, label: string, access: Access, purpose: string): MissingPermission {
  return { ...required(name, label, access, purpose), isOptional: true };
}

/** The code host's limit for an app's name. */
const MAX_NAME_CHARS = 34;

/** Returns the URL that the code host sends its events to. */
export function webhookUrlOf(baseUrl: string): string {
  return `${baseUrl}/codehost/webhook`;
}

/**
 * Returns the manifest that the code host creates the app from.
 * @see https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 * @param baseUrl the service's public URL, without a trailing slash
 */
export function appManifest(baseUrl: string) {
  return {
    name: `vrs ${new URL(baseUrl).host}`.slice(0, MAX_NAME_CHARS).trim(),
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

/** Returns the required permissions and events that an app lacks. */
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
