import { type Bus, call } from "../../../shared/contracts/bus.ts";
import { ROLES } from "../../../shared/contracts/runs/runs.ts";
import type { ScreenshotView } from "../../../shared/contracts/runs/screenshots.ts";
import {
  defaultedFields,
  type SubmitRun,
  type SubmitRunInput,
  submitRunBody,
} from "../../../shared/contracts/runs/submit-run.ts";
import type { Caller } from "../../../shared/contracts/teams/caller.ts";
import { invalidField } from "../../../shared/errors.ts";
import { newId } from "../../../shared/ids.ts";
import { describeInvalid, fieldPath } from "../../../shared/text/describe-invalid.ts";
import { APPROVAL_NOTES } from "../texts/comments.ts";
import { APP_ACTOR, type ApprovalResult, type CloudApi, codeOf } from "./cloud-api.ts";

/** Keeps a message well under the bus's limit. */
const SCREENSHOTS_PER_MESSAGE = 300;

/**
 * Returns this installation's own API.
 * @param as a bus whose messages carry this caller
 * @param teamOf the team of the runs
 */
export function localCloudApi(as: (caller: Caller) => Bus, teamOf: () => Promise<string>): CloudApi {
  // An admin, because a run may change the project's default branch.
  const asApp = async () => as({ teamId: await teamOf(), role: "admin", actor: APP_ACTOR });
  return {
    async submit(run, key) {
      const params = {
        id: newId("run"),
        body: validBody(run),
        defaultedFields: defaultedFields(new Set(Object.keys(run))),
        idempotencyKey: key,
      };
      return (await call(await asApp(), "runs.submit", params)).id;
    },
    run: async id =>
      call(await asApp(), "runs.get", { id }).catch(error => {
        if (codeOf(error) === "not_found") return null;
        throw error;
      }),
    async latestRuns(of) {
      const { data } = await call(await asApp(), "runs.list", { query: { monitors: "0", ...of } });
      return data;
    },
    async screenshots(runId) {
      const bus = await asApp();
      const all: ScreenshotView[] = [];
      for (let cursor: string | undefined; ; ) {
        const query = { limit: SCREENSHOTS_PER_MESSAGE, ...(cursor !== undefined && { cursor }) };
        const { data, nextCursor } = await call(bus, "runs.screenshots", { runId, query });
        all.push(...data);
        if (nextCursor === null) return all;
        cursor = nextCursor;
      }
    },
    async cancel(id) {
      await call(await asApp(), "runs.cancel", { id });
    },
    async approve(runId, { id, login }) {
      const teamId = await teamOf();
      const member = await call(await asApp(), "teams.memberByAccount", { teamId, hostId: id });
      if (!member) return refused(APPROVAL_NOTES.notMember(login));
      if (member.isClosed) return refused(APPROVAL_NOTES.otherSignIn);
      if (ROLES.indexOf(member.role) < ROLES.indexOf("reviewer"))
        return refused(APPROVAL_NOTES.needsReviewer(login, member.role));
      const caller: Caller = { teamId, role: member.role, actor: member.actor };
      const { pending } = await call(as(caller), "runs.approve", { runId });
      return { isRecorded: true, note: pending === 0 ? null : APPROVAL_NOTES.moreNeeded(login, pending) };
    },
    threads: async (runId, after) =>
      call(await asApp(), "runs.mirroredThreads", { teamId: await teamOf(), runId, after }),
    putReply: async reply =>
      call(await asApp(), "runs.putMirroredReply", { ...reply, teamId: await teamOf() }),
    async deleteReply(id) {
      await call(await asApp(), "runs.deleteMirroredReply", { teamId: await teamOf(), id });
    },
    async resolveThread(threadId, by) {
      const teamId = await teamOf();
      await call(await asApp(), "runs.resolveMirroredThread", { teamId, threadId, by });
    },
    async carryApprovals(project, merged, into) {
      await call(await asApp(), "runs.carryApprovals", { teamId: await teamOf(), project, merged, into });
    },
  };
}

/** @throws ServiceError invalid_request, like another installation's API */
function validBody(run: SubmitRunInput): SubmitRun {
  const { data, error } = submitRunBody.safeParse(run, { error: describeInvalid });
  if (data) return data;
  const [issue] = error.issues;
  throw invalidField(fieldPath(issue?.path ?? []), issue?.message ?? "");
}

function refused(note: string): ApprovalResult {
  return { isRecorded: false, note };
}
