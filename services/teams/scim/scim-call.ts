import type { ScimRequest } from "../../../shared/contracts/teams/team-actions.ts";

/** A request of a provider, for the team of its key. */
export interface ScimCall extends ScimRequest {
  teamId: string;
  /** URL of `/scim/v2`. */
  root: string;
}
