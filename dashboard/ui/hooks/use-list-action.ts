import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messageOf, useToast } from "../toast.tsx";

/** Runs a request that changes items of a list, and reads the list again. */
export function useListAction(queryKey: string) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => client.invalidateQueries({ queryKey: [queryKey] }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
}
