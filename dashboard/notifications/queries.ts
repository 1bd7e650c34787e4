import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ProjectChatView } from "../../shared/contracts/monitors/project-chat.ts";
import { notificationsApi } from "../api/notifications.ts";

const TEST_POLL_MS = 1_500;
const IDLE_MS = 30_000;
/** Later attempts of a message are minutes apart. */
const QUICK_TRIES = 2;

/** Polls more often until a message has a result. */
const intervalFor = (chats: readonly (ProjectChatView | undefined)[]) =>
  chats.some(chat => chat?.lastMessage?.status === "queued" && chat.lastMessage.tries < QUICK_TRIES)
    ? TEST_POLL_MS
    : IDLE_MS;

function firstPage(): string | null {
  return null;
}

/** Loads the chat channels of a team's projects. */
export const projectChatsQuery = (teamId: string) =>
  infiniteQueryOptions({
    queryKey: ["project-chats", teamId],
    initialPageParam: firstPage(),
    queryFn: ({ pageParam }) => notificationsApi.projectChats(teamId, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: ({ state }) => intervalFor(state.data?.pages.flatMap(page => page.data) ?? []),
  });

export const projectChatQuery = (project: string) =>
  queryOptions({
    queryKey: ["project-chat", project],
    queryFn: () => notificationsApi.projectChat(project),
    refetchInterval: ({ state }) => intervalFor([state.data]),
  });

export const projectEmailQuery = (project: string) =>
  queryOptions({
    queryKey: ["project-email", project],
    queryFn: () => notificationsApi.projectEmail(project),
  });

export const chatAppsQuery = (teamId: string) =>
  queryOptions({ queryKey: ["chat-apps", teamId], queryFn: () => notificationsApi.chatApps(teamId) });
