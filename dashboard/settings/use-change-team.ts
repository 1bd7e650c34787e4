import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeTeam, TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { sessionQuery } from "../api/queries.ts";
import { messageOf, useToast } from "../ui/toast.tsx";

/** Returns a mutation that changes a team, and reports the result. @param done the message after success */
export function useChangeTeam(team: TeamView, done: string) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (body: ChangeTeam) => api.changeTeam(team.id, body),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess(changed) {
      showToast({ text: done });
      void client.invalidateQueries({ queryKey: ["activity", team.id] });
      const now = (one: TeamView) => (one.id === changed.id ? changed : one);
      // The node that would answer a reload may not know the change yet.
      client.setQueryData(
        sessionQuery.queryKey,
        known => known && { ...known, team: known.team && now(known.team), teams: known.teams.map(now) },
      );
    },
  });
}
