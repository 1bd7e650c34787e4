import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { IncidentView } from "../../shared/contracts/monitors/incidents.ts";
import { messageOf, useToast } from "../ui/toast.tsx";
import { incidentQuery } from "./queries.ts";

/**
 * Returns a mutation that changes an incident, reports the result, and shows the new state.
 * @param how without the toast, the caller shows a failure
 */
export function useIncident(
  { id, monitor }: Pick<IncidentView, "id" | "monitor">,
  { hasFailureToast = true } = {},
) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: ({ action }: { action: () => Promise<IncidentView>; done?: string }) => action(),
    onError: error => hasFailureToast && showToast({ text: messageOf(error), isFailure: true }),
    onSuccess(view, { done }) {
      client.setQueryData(incidentQuery(id).queryKey, view);
      if (done) showToast({ text: done });
    },
    onSettled() {
      void client.invalidateQueries({ queryKey: ["incidents"] });
      void client.invalidateQueries({ queryKey: ["monitor", monitor.id] });
    },
  });
}
