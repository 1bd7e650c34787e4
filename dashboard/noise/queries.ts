import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { unlessLive } from "../api/live.ts";
import { commonTexts } from "../texts/common.ts";
import { messageOf, type Toast, useToast } from "../ui/toast.tsx";

/** Observations and null reruns take minutes, not seconds. */
const REFRESH_INTERVAL_MS = 30_000;

/** Loads a project's flaky pages, suggestions and null reruns. */
export const noiseQuery = (project: string) =>
  queryOptions({
    queryKey: ["noise", project],
    queryFn: () => api.noise(project),
    refetchInterval: () => unlessLive(REFRESH_INTERVAL_MS),
  });

/** Loads a project's ignore rules, fifty at a time. */
export const ignoreRulesQuery = (project: string, state: "active" | "ended") =>
  infiniteQueryOptions({
    queryKey: ["ignore-regions", project, state],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.ignoreRegions(project, state, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

const NO_CURSOR: string | null = null;

/**
 * Returns a mutation of a project's noise settings that reloads them.
 * @param done the message afterward, with an undo if possible. The row that changed may disappear, so the
 * message is shown here. Without the toast of a failure, the caller shows it.
 */
export function useNoiseChange<Input>(
  project: string,
  change: (input: Input) => Promise<unknown>,
  done?: Toast,
  { hasFailureToast = true } = {},
) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: change,
    onSuccess: () => done && showToast(done),
    onError: error =>
      hasFailureToast && showToast({ text: commonTexts.notSaved(messageOf(error)), isFailure: true }),
    onSettled: () =>
      Promise.all(
        [noiseQuery(project).queryKey, ["ignore-regions", project]].map(queryKey =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
