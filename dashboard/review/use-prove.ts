import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import type { Screenshot } from "../api/screenshot.ts";
import { messageOf, useToast } from "../ui/toast.tsx";

/** Whether a screenshot has a cause to prove, and how to prove it. */
export interface Proving {
  isPossible: boolean;
  isPending: boolean;
  prove(): void;
}

/** Proves which file causes the change of a screenshot. @param mayProve whether the reader is a reviewer */
export function useProve(runId: string, shot: Screenshot | null, mayProve: boolean): Proving {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) => api.prove(id),
    async onSuccess() {
      for (const list of ["shots", "first-shots"])
        await client.invalidateQueries({ queryKey: [list, runId] });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  const isPossible = mayProve && shot?.status === "changed" && shot.explanation !== null && !hasResult(shot);
  return {
    isPossible,
    isPending: isPending || shot?.proof?.status === "running",
    prove() {
      if (isPossible && shot && shot.proof?.status !== "running") mutate(shot.id);
    },
  };
}

/** Returns whether another proof would have the same result. */
function hasResult({ proof }: Screenshot): boolean {
  const { outcome = null } = proof ?? {};
  return outcome === "proven" || outcome === "not_explained" || outcome === "not_kept";
}
