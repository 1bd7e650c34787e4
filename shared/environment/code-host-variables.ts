import { createPrivateKey } from "node:crypto";
import { z } from "zod";
import { commaList, httpUrl } from "./variable-kinds.ts";

/** The environment's variables about the code-host app, which config.ts reads. */

/** A domain such as `previews.example`; what stands before it may be anything. */
const domain = z
  .string()
  .toLowerCase()
  .regex(/^([a-z0-9-]+\.)+[a-z0-9-]+$/, "must be a domain, such as previews.example");

/** A private key in PEM, whose line breaks may be spelt \\n: many tools pass variables on in one line only. */
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

/** A deployment platform's, as environments spell it. */
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

/** The app's own variables, and those that it shares with others. */
interface Variables extends AppVariables {
  CODEHOST_API_URL?: string | undefined;
  SERVICE_API_URL?: string | undefined;
  SERVICE_API_KEY?: string | undefined;
  PLATFORM_INTEGRATION_NAME: string;
  PLATFORM_PREVIEW_DOMAIN: string[];
}

/** An app has an id and a key, or there is none. */
export function codeHostAppFailures(
  env: AppVariables,
  failure: (path: string, message: string) => void,
): void {
  if ((env.CODEHOST_APP_ID === undefined) !== (env.CODEHOST_APP_PRIVATE_KEY === undefined))
    failure("CODEHOST_APP_ID", "must be set together with CODEHOST_APP_PRIVATE_KEY");
}

/** Pages are at the API's host without its prefix: an enterprise server has the API at a path, other hosts at a name. */
function webUrlOf(apiUrl: string | null): string {
  if (apiUrl === null) return "https://github.com";
  return apiUrl.replace(/\/api\/v3$/, "").replace(/^(https?:\/\/)api\./, "$1");
}

/** The variables as settings. */
export function codeHostAppSettings(env: Variables) {
  const { CODEHOST_APP_ID: appId, CODEHOST_APP_PRIVATE_KEY: key } = env;
  const apiUrl = env.CODEHOST_API_URL?.replace(/\/+$/, "") ?? null;
  return {
    /** The app's identity at the code host; null where there is none. */
    app: appId === undefined || key === undefined ? null : { appId, privateKey: key, apiUrl },
    /** The code host's API; null for the public one. */
    apiUrl,
    /** Where its pages are, without a slash at the end. */
    webUrl: webUrlOf(apiUrl),
    webhookSecret: env.CODEHOST_WEBHOOK_SECRET ?? null,
    callbackSecret: env.SERVICE_CALLBACK_SECRET ?? null,
    /** Address of the app that is told of runs with a check; null where it is in this installation. */
    callbackUrl: env.SERVICE_CALLBACK_URL?.replace(/\/+$/, "") ?? null,
    previewUrlTemplate: env.SERVICE_PREVIEW_URL_TEMPLATE ?? null,
    previewDomains: { b: env.PREVIEW_DOMAIN_B ?? null, c: env.PREVIEW_DOMAIN_C ?? null },
    previewNames: { b: env.PREVIEW_NAME_B ?? null, c: env.PREVIEW_NAME_C ?? null },
    previewEnvironments: env.PREVIEW_ENVIRONMENTS,
    /** What the contexts of the deployment platform's commit statuses have in them. */
    platformName: env.PLATFORM_INTEGRATION_NAME,
    platformDomains: env.PLATFORM_PREVIEW_DOMAIN,
    /** The Cloud API that runs are submitted to; null for this installation's own, as the default team. */
    api:
      env.SERVICE_API_URL === undefined || env.SERVICE_API_KEY === undefined
        ? null
        : { baseUrl: env.SERVICE_API_URL, apiKey: env.SERVICE_API_KEY },
    /** `owner/repository` of the action that the bootstrap workflow uses; null for one in each owner's own account. */
    action: env.SERVICE_ACTION ?? null,
    /** Whether forks get a bootstrap pull request, as other repositories do. */
    bootstrapsForks: env.SERVICE_BOOTSTRAP_FORKS === "1",
  };
}
