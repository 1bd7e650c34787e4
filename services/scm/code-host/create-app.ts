import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../mixins/database.ts";
import { hashKey } from "../../../shared/api-keys.ts";
import type {
  BeginApp,
  CreatedApp,
  FinishApp,
  NewAppForm,
  PendingApp,
} from "../../../shared/contracts/code-host/code-host.ts";
import { invalidField, ServiceError } from "../../../shared/errors.ts";
import { APP_ERRORS } from "../texts.ts";
import { appManifest } from "./app-manifest.ts";
import type { HostRequest } from "./code-host-app.ts";
import { HostError } from "./host-error.ts";
import { findPendingApp, insertPendingApp, takePendingApp } from "./pending-app.store.ts";

/** What an app is created with. */
export interface AppCreation {
  em(): EntityManager;
  /** Asks the code host as no one in particular. */
  host: HostRequest;
  /** The code host's pages, without a slash at the end. */
  webUrl: string;
  /** This service's public address, without a slash at the end. */
  baseUrl: string;
}

/** Begins to create an app for an operator. @returns where that goes on */
export async function beginApp(
  { em, baseUrl }: AppCreation,
  actorId: string,
  { organization = null }: { [K in keyof BeginApp]: BeginApp[K] | null },
): Promise<PendingApp> {
  const state = randomBytes(32).toString("base64url");
  await insertPendingApp(em(), { stateHash: hashKey(state), actorId, organization });
  return { url: `${baseUrl}/codehost/app/new?state=${state}` };
}

/** Returns the form that a browser sends to the code host; null where this state was not begun, or too long ago. */
export async function newAppForm(
  { em, webUrl, baseUrl }: AppCreation,
  { state }: { state: string },
): Promise<NewAppForm | null> {
  const begun = await findPendingApp(em(), hashKey(state));
  if (!begun) return null;
  const owner = begun.organization === null ? "" : `/organizations/${encodeURIComponent(begun.organization)}`;
  const manifest = appManifest(baseUrl);
  return {
    action: `${webUrl}${owner}/settings/apps/new?state=${state}`,
    name: manifest.name,
    webhookUrl: manifest.hook_attributes.url,
    manifest: JSON.stringify(manifest),
  };
}

/**
 * Exchanges the code host's code for the app's identity, which is not kept.
 * @param actorId the operator, who must be the one who began
 * @throws ServiceError invalid_request for another's state or a code that is not taken; unavailable where the code host
 * does not answer
 */
export async function finishApp(
  { em, host }: AppCreation,
  actorId: string,
  { code, state }: FinishApp,
): Promise<CreatedApp> {
  const begun = await findPendingApp(em(), hashKey(state));
  const isOwn = begun?.actorId === actorId && (await takePendingApp(em(), begun));
  if (!begun || !isOwn) throw invalidField("state", NOT_BEGUN);
  try {
    const { data } = await host("POST /app-manifests/{code}/conversions", { code });
    const { id, pem, webhook_secret, client_id, client_secret } = data;
    return {
      name: data.name,
      url: data.html_url,
      installUrl: `${data.html_url}/installations/new`,
      variables: {
        CODEHOST_APP_ID: String(id),
        // One line: so every tool passes it on.
        CODEHOST_APP_PRIVATE_KEY: pem.trim().replaceAll(/\r?\n/g, "\\n"),
        ...(webhook_secret !== null && { CODEHOST_WEBHOOK_SECRET: webhook_secret }),
        CODEHOST_CLIENT_ID: client_id,
        CODEHOST_CLIENT_SECRET: client_secret,
      },
    };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!error.passing) throw invalidField("code", NOT_ACCEPTED);
    // The code holds for an hour: the same request can be sent again.
    await insertPendingApp(em(), begun);
    throw new ServiceError("unavailable", APP_ERRORS.notResponding);
  }
}

const NOT_BEGUN = APP_ERRORS.unknownState;
const NOT_ACCEPTED = APP_ERRORS.badCode;
