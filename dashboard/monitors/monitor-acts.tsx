import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { api } from "../api/client.ts";
import { goTo, Link } from "../location.tsx";
import { useMe } from "../session.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useSay, wordsOf } from "../ui/say.tsx";
import { monitorQuery } from "./queries.ts";

const SNOOZES = [
  { hours: 1, word: "1 hour" },
  { hours: 4, word: "4 hours" },
  { hours: 24, word: "1 day" },
  { hours: 168, word: "1 week" },
] as const;

/** Does something to a monitor, says what came of it, and reads the monitor anew. */
function useActing(id: string) {
  const client = useQueryClient();
  const say = useSay();
  return useMutation({
    mutationFn: async ({ act }: { act: () => Promise<unknown>; done?: string }) => act(),
    onError: error => say({ text: wordsOf(error), isFault: true }),
    onSuccess: (_answer, { done }) => done && say({ text: done }),
    onSettled() {
      void client.invalidateQueries({ queryKey: ["alerts", id] });
      return client.invalidateQueries({ queryKey: monitorQuery(id).queryKey });
    },
  });
}

/** What can be done with a monitor by who looks at it. */
export function MonitorActs({ monitor }: { monitor: MonitorView }) {
  const { may } = useMe();
  const { mutate, isPending } = useActing(monitor.id);
  const [isDeleting, setDeleting] = useState(false);
  if (!may("reviewer")) return null;
  const { id, paused, snoozedUntil, currentCheck, hold } = monitor;
  const isReadOnly = hold === "over";
  const set = (changed: boolean) =>
    mutate({
      act: () => api.changeMonitor(id, { paused: changed }),
      done: changed ? "Paused. Nothing is checked until it is resumed." : "Resumed.",
    });
  return (
    <div className="actions">
      {!isReadOnly && (
        <>
          <button
            type="button"
            className="primary"
            disabled={isPending || currentCheck !== null}
            onClick={() => mutate({ act: () => api.checkMonitor(id) })}
          >
            {currentCheck ? "Being checked …" : "Check now"}
          </button>
          {hold === "plan" ? null : snoozedUntil ? (
            <button
              type="button"
              disabled={isPending}
              onClick={() => mutate({ act: () => api.unsnooze(id), done: "Alerts are sent again." })}
            >
              Lift the snooze
            </button>
          ) : (
            <Snooze
              isOff={isPending}
              onChoose={hours =>
                mutate({ act: () => api.snooze(id, hours), done: "Snoozed: nobody is told anything of it." })
              }
            />
          )}
          <button type="button" disabled={isPending} onClick={() => set(!paused)}>
            {paused ? "Resume" : "Pause"}
          </button>
          <Link className="button" to={{ page: "monitor", id, isEdited: true }}>
            Edit
          </Link>
        </>
      )}
      <button type="button" disabled={isPending} onClick={() => setDeleting(true)}>
        Delete …
      </button>
      {isDeleting && <DeleteDialog monitor={monitor} onClose={() => setDeleting(false)} />}
    </div>
  );
}

function Snooze({ isOff, onChoose }: { isOff: boolean; onChoose: (hours: number) => void }) {
  return (
    <select
      className="as-button"
      aria-label="Snooze the alerts"
      disabled={isOff}
      value=""
      onChange={event => onChoose(Number(event.currentTarget.value))}
    >
      <option value="" disabled hidden>
        Snooze …
      </option>
      {SNOOZES.map(({ hours, word }) => (
        <option key={hours} value={hours}>
          for {word}
        </option>
      ))}
    </select>
  );
}

function DeleteDialog({ monitor, onClose }: { monitor: MonitorView; onClose: () => void }) {
  const client = useQueryClient();
  const say = useSay();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.deleteMonitor(monitor.id),
    onError: error => say({ text: wordsOf(error), isFault: true }),
    onSuccess() {
      goTo({ page: "monitors" }, "replace");
      client.removeQueries({ queryKey: monitorQuery(monitor.id).queryKey });
      void client.invalidateQueries({ queryKey: ["monitors"] });
      say({ text: `${monitor.name} is deleted.` });
    },
  });
  return (
    <Dialog title={`Delete “${monitor.name}”?`} onClose={onClose}>
      <p>Its history and its baselines go with it, and an open incident is closed. This cannot be undone.</p>
      <div className="form-end">
        <button type="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" className="danger" disabled={isPending} onClick={() => mutate()}>
          Delete it
        </button>
      </div>
    </Dialog>
  );
}
