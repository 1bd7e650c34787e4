import type { ChatAppList, ChatAppTool, ChatAppView } from "../../shared/contracts/monitors/chat-apps.ts";
import type { ProjectChatList, ProjectChatView } from "../../shared/contracts/monitors/project-chat.ts";
import type { ProjectEmailView } from "../../shared/contracts/monitors/project-email.ts";
import { requestJson } from "./request.ts";

const ofProject = (project: string) => `v1/projects/${encodeURIComponent(project)}/chat`;
const emailOf = (project: string) => `v1/projects/${encodeURIComponent(project)}/email`;
const ofTeam = (teamId: string) => `v1/teams/${encodeURIComponent(teamId)}`;

/** Requests about chat channels and email addresses of projects, and apps of chat tools. Every function throws ApiProblem. */
export const notificationsApi = {
  projectChat: (project: string) => requestJson<ProjectChatView>(ofProject(project)),
  /** @param slack the webhook's URL. Null removes the channel */
  putProjectChat: (project: string, slack: string | null) =>
    requestJson<ProjectChatView>(ofProject(project), { method: "PUT", body: { slack } }),
  testProjectChat: (project: string) =>
    requestJson<ProjectChatView>(`${ofProject(project)}/test`, { method: "POST" }),
  projectChats(teamId: string, cursor: string | null) {
    const query = new URLSearchParams({ limit: "50", ...(cursor !== null && { cursor }) });
    return requestJson<ProjectChatList>(`${ofTeam(teamId)}/chat-channels?${query}`);
  },
  projectEmail: (project: string) => requestJson<ProjectEmailView>(emailOf(project)),
  putProjectEmail: (project: string, addresses: string[]) =>
    requestJson<ProjectEmailView>(emailOf(project), { method: "PUT", body: { addresses } }),
  chatApps: (teamId: string) => requestJson<ChatAppList>(`${ofTeam(teamId)}/chat-apps`),
  putChatApp: (teamId: string, tool: ChatAppTool, secret: string) =>
    requestJson<ChatAppView>(`${ofTeam(teamId)}/chat-apps/${tool}`, { method: "PUT", body: { secret } }),
  deleteChatApp: (teamId: string, tool: ChatAppTool) =>
    requestJson<null>(`${ofTeam(teamId)}/chat-apps/${tool}`, { method: "DELETE" }),
};
