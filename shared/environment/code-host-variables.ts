import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { commaList, httpUrl } from "./variable-kinds.ts";

/** Environment variables of the code-host app, which config.ts reads. */

/** A domain such as `previews.example`. Any subdomain counts. */
const domain = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, "must be a domain, such as previews.example");

/**
 * A private key in PEM. Its line breaks may be written as \\n, because many tools pass variables in one line
 * only.
 */
const privateKey = z
  .string()
  .transform(value => value.replaceAll("\\n", "\n"))
  .refine(isPrivateKey, "must be the app's private key from the code host, in PEM format");

function isPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** The name of a deployment platform, as in the names of its environments. */
const platformName = z
  .string()
  .trim()
  .regex(/^[^\p{Cc}]{1,100}$/u, "must have at most 100 characters");

const environments = commaList.pipe(
  z
    .array(
      z
        .string()
        .max(100)
        .regex(/^[^\p{Cc}]+$/u, "must be names of environments, separated by commas"),
    )
    .max(100),
);

const secret = z.string().min(1).max(1000);

export const codeHostAppVariables = {
  CODEHOST_APP_ID: z
    .string()
    .regex(/^[\w.-]{1,100}$/, "must be the app's id")
    .optional(),
  CODEHOST_APP_PRIVATE_KEY: privateKey.optional(),
  CODEHOST_WEBHOOK_SECRET: secret.optional(),
  SERVICE_CALLBACK_SECRET: secret.optional(),
  SERVICE_CALLBACK_URL: httpUrl.optional(),
  SERVICE_PREVIEW_URL_TEMPLATE: z.string().min(1).max(2000).optional(),
  PREVIEW_DOMAIN_B: domain.optional(),
  PREVIEW_DOMAIN_C: domain.optional(),
  PREVIEW_NAME_B: platformName.optional(),
  PREVIEW_NAME_C: platformName.optional(),
  PREVIEW_ENVIRONMENTS: environments.default([]),
  SERVICE_ACTION: z
    .string()
    .regex(/^[\w.-]+\/[\w./-]+$/, "must be the owner and repository of the action, such as acme/vrs")
    .optional(),
  SERVICE_BOOTSTRAP_FORKS: z.enum(["0", "1"]).default("1"),
};

type AppVariables = z.infer<z.ZodObject<typeof codeHostAppVariables>>;

/** The app's own variables, and the shared ones. */
interface Variables extends AppVariables {
  CODEHOST_API_URL?: string | undefined;
  SERVICE_API_URL?: string | undefined;
  SERVICE_API_KEY?: string | undefined;
  PLATFORM_INTEGRATION_NAME: string;
  PLATFORM_PREVIEW_DOMAIN: string[];
}

/** Reports an app with only an id or only a key. */
export function codeHostAppFailures(
  env: AppVariables,
  failure: (path: string, message: string) => void,
): void {
  if ((env.CODEHOST_APP_ID === undefined) !== (env.CODEHOST_APP_PRIVATE_KEY === undefined))
    failure("CODEHOST_APP_ID", "must be set together with CODEHOST_APP_PRIVATE_KEY");
}

/**
 * Returns the code host's web URL: the API's without its prefix. An enterprise server has the API at a path,
 * other hosts at a name.
 */
function webUrlOf(apiUrl: string | null): string {
  if (apiUrl === null) return "https://github.com";
  return apiUrl.replace(/\/api\/v3$/, "").replace(/^(https?:\/\/)api\./, "$1");
}

/** Returns the variables as settings. */
export function codeHostAppSettings(env: Variables) {
  const { CODEHOST_APP_ID: appId, CODEHOST_APP_PRIVATE_KEY: key } = env;
  const apiUrl = env.CODEHOST_API_URL?.replace(/\/+$/, "") ?? null;
  return {
    /** The app's credentials at the code host. Null without an app. */
    app: appId === undefined || key === undefined ? null : { appId, privateKey: key, apiUrl },
    /** The code host's API. Null for the public one. */
    apiUrl,
    /** URL of its web pages, without a slash at the end. */
    webUrl: webUrlOf(apiUrl),
    webhookSecret: env.CODEHOST_WEBHOOK_SECRET ?? null,
    callbackSecret: env.SERVICE_CALLBACK_SECRET ?? null,
    /** URL of the app that is notified of runs with a check. Null if it is in this installation. */
    callbackUrl: env.SERVICE_CALLBACK_URL?.replace(/\/+$/, "") ?? null,
    previewUrlTemplate: env.SERVICE_PREVIEW_URL_TEMPLATE ?? null,
    previewDomains: { b: env.PREVIEW_DOMAIN_B ?? null, c: env.PREVIEW_DOMAIN_C ?? null },
    previewNames: { b: env.PREVIEW_NAME_B ?? null, c: env.PREVIEW_NAME_C ?? null },
    previewEnvironments: env.PREVIEW_ENVIRONMENTS,
    /** The name that the deployment platform's commit statuses contain. */
    platformName: env.PLATFORM_INTEGRATION_NAME,
    platformDomains: env.PLATFORM_PREVIEW_DOMAIN,
    /** The Cloud API that receives runs. Null for this installation's own, as the default team. */
    api:
      env.SERVICE_API_URL === undefined || env.SERVICE_API_KEY === undefined
        ? null
        : { baseUrl: env.SERVICE_API_URL, apiKey: env.SERVICE_API_KEY },
    /**
     * `owner/repository` of the action in the bootstrap workflow. Null for the one in each owner's own
     * account.
     */
    action: env.SERVICE_ACTION ?? null,
    /** Whether forks get a bootstrap pull request too. */
    bootstrapsForks: env.SERVICE_BOOTSTRAP_FORKS === "1",
  };
}

interface SignInVariables {
  CODEHOST_CLIENT_ID?: string | undefined;
  CODEHOST_CLIENT_SECRET?: string | undefined;
  CODEHOST_API_URL?: string | undefined;
}

/** Returns the OAuth client for sign-in. Null without one. */
export function signInSettings(env: SignInVariables) {
  const {
    CODEHOST_CLIENT_ID: clientId,
    CODEHOST_CLIENT_SECRET: clientSecret,
    CODEHOST_API_URL: apiUrl,
  } = env;
  if (clientId === undefined || clientSecret === undefined) return null;
  return { clientId, clientSecret, apiUrl: apiUrl?.replace(/\/+$/, "") ?? null };
}

/** Reports a client with only an id or only a secret. */
export function codeHostSignInFailures(
  env: SignInVariables,
  failure: (path: string, message: string) => void,
): void {
  if (env.CODEHOST_CLIENT_ID !== undefined && env.CODEHOST_CLIENT_SECRET === undefined)
    failure("CODEHOST_CLIENT_SECRET", "must be set together with CODEHOST_CLIENT_ID");
  if (env.CODEHOST_CLIENT_ID === undefined && env.CODEHOST_CLIENT_SECRET !== undefined)
    failure("CODEHOST_CLIENT_ID", "must be set together with CODEHOST_CLIENT_SECRET");
}
