import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type {
  ChangeComment,
  CommentView,
  CreateComment,
} from "../../../shared/contracts/reviews/comments.ts";
import { commentsApi } from "../../api/comments.ts";
import { unlessLive, whenRunsChange } from "../../api/live.ts";
import { messageOf, useToast } from "../../ui/toast.tsx";
import { type Thread, threadsOf } from "./threads.rule.ts";
import { type Drafts, useDrafts } from "./use-draft.ts";

/** Without a stream, comments of others appear after this time. */
const POLL_MS = 10_000;

/** Loads all comments of a run. */
const commentsQuery = (runId: string) =>
  queryOptions({
    queryKey: ["comments", runId],
    queryFn: () => commentsApi.list(runId),
    refetchInterval: () => unlessLive(POLL_MS),
  });

export interface Comments {
  threads: readonly Thread[];
  error: unknown;
  refetch: () => void;
  create: (body: CreateComment) => Promise<CommentView>;
  change: (id: string, body: ChangeComment) => Promise<CommentView>;
  remove: (id: string) => Promise<null>;
  isSaving: boolean;
  /** Comments that aren't sent yet. */
  drafts: Drafts;
}

/** Returns the comments of a run, and keeps them current. */
export function useComments(runId: string): Comments {
  const client = useQueryClient();
  const showToast = useToast();
  const drafts = useDrafts();
  const { data, error, refetch } = useQuery(commentsQuery(runId));
  useEffect(
    () =>
      whenRunsChange(ids => {
        if (ids === null || ids.includes(runId))
          void client.invalidateQueries({ queryKey: commentsQuery(runId).queryKey });
      }),
    [client, runId],
  );
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (send: () => Promise<unknown>) => send(),
    onSettled: () => client.invalidateQueries({ queryKey: commentsQuery(runId).queryKey }),
    onError: problem => showToast({ text: messageOf(problem), isFailure: true }),
  });
  async function save<T>(send: () => Promise<T>): Promise<T> {
    let result: T | undefined;
    await mutateAsync(async () => {
      result = await send();
    });
    if (result === undefined) throw new Error(runId);
    return result;
  }
  const threads = useMemo(() => threadsOf(data ?? []), [data]);
  return {
    threads,
    error: data ? null : error,
    refetch: () => void refetch(),
    create: body => save(() => commentsApi.create(runId, body)),
    change: (id, body) => save(() => commentsApi.change(id, body)),
    remove: id => save(() => commentsApi.remove(id)),
    isSaving: isPending,
    drafts,
  };
}
