import type { SignInPolicy, SignInSettings, TeamProvider } from "../../shared/contracts/teams/sign-in.ts";
import { requestJson } from "./request.ts";

const ofTeam = (team: string) => `v1/teams/${encodeURIComponent(team)}`;

/** The key of a team's sign-in settings in the cache. */
export const signInKey = (team: string) => ["sign-in", team];

/** Requests about a team's sign-in. Every function throws ApiProblem. */
export const signInApi = {
  settings: (team: string) => requestJson<SignInSettings>(`${ofTeam(team)}/sign-in`),
  changePolicy: (team: string, body: SignInPolicy) =>
    requestJson<SignInSettings>(`${ofTeam(team)}/sign-in`, { method: "PUT", body }),
  changeProvider: (team: string, body: TeamProvider) =>
    requestJson<SignInSettings>(`${ofTeam(team)}/provider`, { method: "PUT", body }),
  deleteProvider: (team: string) => requestJson<null>(`${ofTeam(team)}/provider`, { method: "DELETE" }),
  signOutMember: (team: string, member: string) =>
    requestJson<null>(`${ofTeam(team)}/members/${encodeURIComponent(member)}/sessions`, { method: "DELETE" }),
};
