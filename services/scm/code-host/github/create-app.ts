import { randomBytes } from "node:crypto";
import type { EntityManager } from "../../../../mixins/database.ts";
import { hashKey } from "../../../../shared/api-keys.ts";
import type {
  BeginApp,
  CreatedApp,
  FinishApp,
  NewAppForm,
  PendingApp,
} from "../../../../shared/contracts/code-host/code-host.ts";
import { invalidField, ServiceError } from "../../../../shared/errors.ts";
import { APP_ERRORS } from "../../texts/connections.ts";
import { HostError } from "../host-error.ts";
import { appManifest } from "./app-manifest.ts";
import type { HostRequest } from "./github-app.ts";
import { deletePendingApp, findPendingApp, insertPendingApp } from "./pending-app.store.ts";

/** The context of an app's creation. */
export interface AppCreation {
  em(): EntityManager;
  /** Sends unauthenticated requests. */
  host: HostRequest;
  /** The code host's website, without a trailing slash. */
  webUrl: string;
  /** This service's public URL, without a trailing slash. */
  baseUrl: string;
}

/** Starts the creation of an app for an operator. @returns the URL of the next step */
export async function startAppCreation(
  { em, baseUrl }: AppCreation,
  actorId: string,
  { organization = null }: { [K in keyof BeginApp]: BeginApp[K] | null },
): Promise<PendingApp> {
  const state = randomBytes(32).toString("base64url");
  await insertPendingApp(em(), { stateHash: hashKey(state), actorId, organization });
  return { url: `${baseUrl}/codehost/app/new?state=${state}` };
}

/** Returns the form that a browser sends to the code host. Returns null for an unknown or expired state. */
export async function newAppForm(
  { em, webUrl, baseUrl }: AppCreation,
  { state }: { state: string },
): Promise<NewAppForm | null> {
  const pending = await findPendingApp(em(), hashKey(state));
  if (!pending) return null;
  const owner =
    pending.organization === null ? "" : `/organizations/${encodeURIComponent(pending.organization)}`;
  const manifest = appManifest(baseUrl);
  return {
    action: `${webUrl}${owner}/settings/apps/new?state=${state}`,
    name: manifest.name,
    webhookUrl: manifest.hook_attributes.url,
    manifest: JSON.stringify(manifest),
  };
}

/**
 * Exchanges the code host's code for the app's identity, which is not stored.
 * @param actorId the operator, who must be the one who started
 * @throws ServiceError invalid_request for another operator's state or a refused code; unavailable if the code host
 * does not respond
 */
export async function finishAppCreation(
  { em, host }: AppCreation,
  actorId: string,
  { code, state }: FinishApp,
): Promise<CreatedApp> {
  const pending = await findPendingApp(em(), hashKey(state));
  const isOwn = pending?.actorId === actorId && (await deletePendingApp(em(), pending));
  if (!pending || !isOwn) throw invalidField("state", UNKNOWN_STATE);
  try {
    const { data } = await host("POST /app-manifests/{code}/conversions", { code });
    const { id, pem, webhook_secret, client_id, client_secret } = data;
    return {
      name: data.name,
      url: data.html_url,
      installUrl: `${data.html_url}/installations/new`,
      variables: {
        CODEHOST_APP_ID: String(id),
        // On one line, because some tools do not pass on line breaks.
        CODEHOST_APP_PRIVATE_KEY: pem.trim().replaceAll(/\r?\n/g, "\\n"),
        ...(webhook_secret !== null && { CODEHOST_WEBHOOK_SECRET: webhook_secret }),
        CODEHOST_CLIENT_ID: client_id,
        CODEHOST_CLIENT_SECRET: client_secret,
      },
    };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    if (!error.passing) throw invalidField("code", BAD_CODE);
    // The code is valid for an hour, so the operator can send the same request again.
    await insertPendingApp(em(), pending);
    throw new ServiceError("unavailable", APP_ERRORS.notResponding);
  }
}

const UNKNOWN_STATE = APP_ERRORS.unknownState;
const BAD_CODE = APP_ERRORS.badCode;
