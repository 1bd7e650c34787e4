import { useQueryClient } from "@tanstack/react-query";

const CHATS = ["project-chats", "project-chat"];

/** Returns a function that reloads the chat channels, of all projects and of each. */
export function useReloadChats(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => Promise.all(CHATS.map(name => client.invalidateQueries({ queryKey: [name] })));
}
