import { type Bus, call } from "../../shared/contracts/bus.ts";
import type { Caller } from "../../shared/contracts/caller.ts";
import { ROLES, type ScreenshotView, submitRunBody } from "../../shared/contracts/http.ts";
import { DEFAULT_TEAM_ID, newId } from "../../shared/ids.ts";
import { APP_ACTOR, type CloudApi, codeOf } from "./cloud-api.ts";

const APP: Caller = { teamId: DEFAULT_TEAM_ID, role: "reviewer", actor: APP_ACTOR };

/** Of a message on the bus, well under what one may hold. */
const SCREENSHOTS_AT_ONCE = 300;

/** This installation's own, as its default team. @param as a bus on which messages carry this caller */
export function ownCloudApi(as: (caller: Caller) => Bus): CloudApi {
  const bus = as(APP);
  return {
    async submit(run, key) {
      const params = { id: newId("run"), body: submitRunBody.parse(run), idempotencyKey: key };
      return (await call(bus, "runs.submit", params)).id;
    },
    run: id =>
      call(bus, "runs.get", { id }).catch(error => {
        if (codeOf(error) === "not_found") return null;
        throw error;
      }),
    async screenshots(runId) {
      const all: ScreenshotView[] = [];
      for (let cursor: string | undefined; ; ) {
        const query = { limit: SCREENSHOTS_AT_ONCE, ...(cursor !== undefined && { cursor }) };
        const { data, nextCursor } = await call(bus, "runs.screenshots", { runId, query });
        all.push(...data);
        if (nextCursor === null) return all;
        cursor = nextCursor;
      }
    },
    async approve(runId, { id, login }) {
      const member = await call(bus, "teams.memberByAccount", { teamId: DEFAULT_TEAM_ID, hostId: id });
      if (!member)
        return `${login} is in no team of this service. An admin of the team can add that login as a reviewer; who signs in once may approve here.`;
      if (ROLES.indexOf(member.role) < ROLES.indexOf("reviewer"))
        return `${login} is a ${member.role} of the team, and approving needs a reviewer.`;
      const caller: Caller = { teamId: DEFAULT_TEAM_ID, role: member.role, actor: member.actor };
      await call(as(caller), "runs.approve", { runId });
      return null;
    },
    async carryApprovals(project, pr) {
      await call(bus, "runs.carryApprovals", { teamId: DEFAULT_TEAM_ID, project, pr });
    },
  };
}
