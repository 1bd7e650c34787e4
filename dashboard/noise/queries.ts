import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { unlessLive } from "../api/live.ts";
import { commonTexts } from "../texts/common.ts";
import { type Saying, useSay, wordsOf } from "../ui/say.tsx";

/** Observations and null reruns come in minutes, not seconds. */
const READ_EVERY_MS = 30_000;

/** A project's flaky pages, suggestions and null reruns. */
export const noiseQuery = (project: string) =>
  queryOptions({
    queryKey: ["noise", project],
    queryFn: () => api.noise(project),
    refetchInterval: () => unlessLive(READ_EVERY_MS),
  });

/** A project's ignore regions, fifty at a time. */
export const ignoreRegionsQuery = (project: string) =>
  infiniteQueryOptions({
    queryKey: ["ignore-regions", project],
    initialPageParam: NO_CURSOR,
    queryFn: ({ pageParam }) => api.ignoreRegions(project, pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });

const NO_CURSOR: string | null = null;

/**
 * Changes something about the project's noise, and reads it again.
 * @param done what is said then, with the way back if there is one; said here, because what changed may be gone from the page
 */
export function useNoiseChange<Input>(
  project: string,
  change: (input: Input) => Promise<unknown>,
  done?: Saying,
) {
  const client = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: change,
    onSuccess: () => done && say(done),
    onError: error => say({ text: commonTexts.notSaved(wordsOf(error)), isFailure: true }),
    onSettled: () =>
      Promise.all(
        [noiseQuery(project).queryKey, ignoreRegionsQuery(project).queryKey].map(queryKey =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
