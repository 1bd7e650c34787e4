import { ApiClient } from "../../../shared/api-client.ts";
import { APPROVAL_NOTES } from "../texts.ts";
import { type CloudApi, codeOf } from "./cloud-api.ts";

/** A Cloud API at an address, as the team that its key is of. @throws what ApiClient does */
export function remoteCloudApi(options: { baseUrl: string; apiKey: string }): CloudApi {
  const client = new ApiClient(options);
  return {
    submit: async (run, key) => (await client.submitRun(run, key)).id,
    run: id => client.getRun(id).catch(nullWhenMissing),
    // Only what the app asked for there is reported.
    latestRuns: async () => [],
    screenshots: id => client.listScreenshots(id),
    cancel: async id => void (await client.cancelRun(id)),
    // It knows who its members are, and we do not.
    approve: async () => APPROVAL_NOTES.inReport,
    // Its API has no request for this; the first run of the default branch after the merge is reviewed there.
    carryApprovals: async () => {},
  };
}

function nullWhenMissing(error: unknown): null {
  if (codeOf(error) === "not_found") return null;
  throw error;
}
