import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { MonitorView } from "../../shared/contracts/monitors/monitors.ts";
import { api } from "../api/client.ts";
import { Link, navigate } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { monitorTexts } from "../texts/monitors/monitors.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { monitorQuery } from "./queries.ts";

const SNOOZES = [
  { hours: 1, label: monitorTexts.snoozeFor.hour },
  { hours: 4, label: monitorTexts.snoozeFor.hours },
  { hours: 24, label: monitorTexts.snoozeFor.day },
  { hours: 168, label: monitorTexts.snoozeFor.week },
];

/** Returns a mutation that changes a monitor, reports the result, and reloads the monitor. */
function useActing(id: string) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: async ({ action }: { action: () => Promise<unknown>; done?: string }) => action(),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess: (_answer, { done }) => done && showToast({ text: done }),
    onSettled() {
      void client.invalidateQueries({ queryKey: ["alerts", id] });
      return client.invalidateQueries({ queryKey: monitorQuery(id).queryKey });
    },
  });
}

/** Shows the actions on a monitor. */
export function MonitorActions({ monitor }: { monitor: MonitorView }) {
  const { may } = useMe();
  const { mutate, isPending } = useActing(monitor.id);
  const [isDeleting, setDeleting] = useState(false);
  if (!may("reviewer")) return null;
  const { id, paused, snoozedUntil, currentCheck, hold } = monitor;
  const isReadOnly = hold === "over";
  const set = (changed: boolean) =>
    mutate({
      action: () => api.changeMonitor(id, { paused: changed }),
      done: changed ? monitorTexts.paused : monitorTexts.resumed,
    });
  return (
    <div className="actions">
      {!isReadOnly && (
        <>
          <button
            type="button"
            className="primary"
            disabled={isPending || currentCheck !== null}
            onClick={() => mutate({ action: () => api.checkMonitor(id) })}
          >
            {currentCheck ? monitorTexts.checking : monitorTexts.runCheck}
          </button>
          {hold === "plan" ? null : snoozedUntil ? (
            <button
              type="button"
              disabled={isPending}
              onClick={() => mutate({ action: () => api.unsnooze(id), done: monitorTexts.snoozeEnded })}
            >
              {monitorTexts.endSnooze}
            </button>
          ) : (
            <Snooze
              isOff={isPending}
              onChoose={hours => mutate({ action: () => api.snooze(id, hours), done: monitorTexts.snoozed })}
            />
          )}
          <button type="button" disabled={isPending} onClick={() => set(!paused)}>
            {paused ? monitorTexts.resume : monitorTexts.pause}
          </button>
          <Link className="button" to={{ page: "monitor", id, isEdited: true }}>
            {monitorTexts.edit}
          </Link>
        </>
      )}
      <button type="button" disabled={isPending} onClick={() => setDeleting(true)}>
        {monitorTexts.delete}
      </button>
      {isDeleting && <DeleteDialog monitor={monitor} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Snooze({ isOff, onChoose }: { isOff: boolean; onChoose: (hours: number) => void }) {
  return (
    <select
      className="as-button"
      aria-label={monitorTexts.snoozeLabel}
      disabled={isOff}
      value=""
      onChange={event => onChoose(Number(event.currentTarget.value))}
    >
      <option value="" disabled hidden>
        {monitorTexts.snooze}
      </option>
      {SNOOZES.map(({ hours, label }) => (
        <option key={hours} value={hours}>
          {label}
        </option>
      ))}
    </select>
  );
}

function DeleteDialog({ monitor, onClose }: { monitor: MonitorView; onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.deleteMonitor(monitor.id),
    onSuccess() {
      navigate({ page: "monitors" }, "replace");
      client.removeQueries({ queryKey: monitorQuery(monitor.id).queryKey });
      void client.invalidateQueries({ queryKey: ["monitors"] });
      showToast({ text: monitorTexts.deleted(monitor.name) });
    },
  });
  return (
    <ConfirmDialog
      title={monitorTexts.deleteTitle(monitor.name)}
      about={monitorTexts.deleteAbout}
      keep={monitorTexts.keep}
      confirm={monitorTexts.confirmDelete}
      isPending={isPending}
      error={error}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
