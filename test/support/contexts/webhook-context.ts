import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach } from "mocha";
import { Integration } from "../drivers/integration.ts";
import { CloudApi } from "../fakes/cloud-api.ts";
import { PREVIEW, PREVIEW_DOMAIN } from "../fixtures/platform-events.ts";

/** The exact responses of the deployment platform's webhook. */
export const INVALID = { status: 401, body: { error: "Invalid signature" } };
export const NOT_ALLOWED = { status: 400, body: { triggered: false, error: "Preview URL not allowed" } };
export const NOT_JSON = { status: 400, body: { triggered: false, error: "Body is not a JSON object" } };
export const skipped = (reason: string) => ({ status: 200, body: { triggered: false, reason } });
export const DUPLICATE = skipped("Duplicate delivery (already processed)");
export const triggered = (runId = "run_1", previewUrl = `https://${PREVIEW}`) => ({
  status: 200,
  body: { triggered: true, runId, previewUrl },
});

/** Returns an integration in front of a fake Cloud API, which is reset before each test of the calling suite. */
export function webhookTestContext() {
  let api: CloudApi;
  let integration: Integration;
  before(async () => {
    api = await CloudApi.start();
    const settings = { PLATFORM_PREVIEW_DOMAIN: PREVIEW_DOMAIN, SERVICE_ROUTES: " /, ,/pricing?a=1 ," };
    integration = await Integration.start({ ...api.env, ...settings });
  });
  beforeEach(() => api.reset());
  afterEach(() => assert.deepEqual(api.invalidRequests, []));
  after(async () => {
    await integration?.stop();
    await api?.close();
  });
  return {
    get api() {
      return api;
    },
    get baseUrl() {
      return integration.baseUrl;
    },
    /** Returns the response to a delivery. */
    async answer(...args: Parameters<Integration["deliver"]>) {
      const { status, body } = await integration.deliver(...args);
      return { status, body };
    },
    em: () => integration.em(),
  };
}
