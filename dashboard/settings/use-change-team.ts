import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ChangeTeam, TeamView } from "../../shared/contracts/teams/people.ts";
import { api } from "../api/client.ts";
import { sessionQuery } from "../api/queries.ts";
import { useSay, wordsOf } from "../ui/say.tsx";

/** Changes a team, and says so or why not. @param done what is said once it is */
export function useChangeTeam(team: TeamView, done: string) {
  const client = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: (body: ChangeTeam) => api.changeTeam(team.id, body),
    onError: error => say({ text: wordsOf(error), isFailure: true }),
    onSuccess(changed) {
      say({ text: done });
      void client.invalidateQueries({ queryKey: ["activity", team.id] });
      const now = (one: TeamView) => (one.id === changed.id ? changed : one);
      // Word of it may still be on its way to the node that would be asked.
      client.setQueryData(
        sessionQuery.queryKey,
        known => known && { ...known, team: known.team && now(known.team), teams: known.teams.map(now) },
      );
    },
  });
}
