import { ApiClient } from "../../../shared/api/api-client.ts";
import { APPROVAL_NOTES } from "../texts/comments.ts";
import { type CloudApi, codeOf } from "./cloud-api.ts";

/** Returns the Cloud API at a URL, as the team of its key. @throws the errors of ApiClient */
export function remoteCloudApi(options: { baseUrl: string; apiKey: string }): CloudApi {
  const client = new ApiClient(options);
  return {
    submit: async (run, key) => (await client.submitRun(run, key)).id,
    run: id => client.getRun(id).catch(nullWhenMissing),
    // Only runs that the app submitted there are reported.
    latestRuns: async () => [],
    screenshots: id => client.listScreenshots(id),
    cancel: async id => void (await client.cancelRun(id)),
    // Only the other installation knows its members.
    approve: async () => ({ isRecorded: false, note: APPROVAL_NOTES.inReport }),
    // The API has no such requests, so threads stay in the dashboard of the other installation.
    threads: async () => null,
    putReply: async () => false,
    deleteReply: async () => {},
    resolveThread: async () => {},
    // The API has no such request. Reviewers approve the first run of the default branch after the merge.
    carryApprovals: async () => {},
  };
}

function nullWhenMissing(error: unknown): null {
  if (codeOf(error) === "not_found") return null;
  throw error;
}
