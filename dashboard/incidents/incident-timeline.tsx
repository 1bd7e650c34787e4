import { type SyntheticEvent, useRef } from "react";
import type { IncidentView, TimelineEntry } from "../../shared/contracts/monitors/incidents.ts";
import type { IconName } from "../../shared/report/render/icons.ts";
import { incidentsApi } from "../api/incidents.ts";
import { useMe } from "../session.tsx";
import { channelNames, notificationNames, notificationStatusNames } from "../texts/monitors/channels.ts";
import { incidentTexts, resolutionName, timelineTexts } from "../texts/monitors/incidents.ts";
import { Icon } from "../ui/icon.tsx";
import { Field } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { useIncident } from "./use-incident.ts";

const ICONS: Record<TimelineEntry["kind"], IconName> = {
  opened: "failed",
  confirmed: "unchanged",
  notified: "right",
  acknowledged: "pending",
  assigned: "new",
  commented: "comment",
  resolved: "approved",
};

/** Shows what happened in an incident, oldest first, and adds comments. */
export function Timeline({ incident }: { incident: IncidentView }) {
  const { may } = useMe();
  return (
    <section aria-labelledby="timeline" className="section">
      <h2 id="timeline">{incidentTexts.timeline}</h2>
      <ol className="timeline-entries" aria-label={incidentTexts.timeline}>
        {incident.timeline.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids, and are only added.
          <li key={`${entry.at} ${index}`}>
            <span className="entry-icon">
              <Icon name={ICONS[entry.kind]} />
            </span>
            <span className="row-what">
              <span>{titleOf(entry, incident)}</span>
              {textOf(entry, incident) && <span className="entry-text">{textOf(entry, incident)}</span>}
            </span>
            <span className="quiet">
              <Time iso={entry.at} />
            </span>
          </li>
        ))}
      </ol>
      {may("reviewer") && <CommentForm incident={incident} />}
    </section>
  );
}

function titleOf(entry: TimelineEntry, incident: IncidentView): string {
  switch (entry.kind) {
    case "opened":
      return timelineTexts.opened(incident);
    case "confirmed":
      return timelineTexts.confirmed(entry.attempts);
    case "notified":
      return timelineTexts.notified(channelNames[entry.channel], entry.receiver);
    case "acknowledged":
      return timelineTexts.acknowledged(entry.by);
    case "assigned":
      return timelineTexts.assigned(entry.by, entry.login);
    case "commented":
      return timelineTexts.commented(entry.by);
    case "resolved":
      return timelineTexts.resolved(entry.by);
  }
}

function textOf(entry: TimelineEntry, incident: IncidentView): string | null {
  switch (entry.kind) {
    case "opened":
    case "commented":
      return entry.text;
    case "notified": {
      const { message, status, answer } = entry;
      const words = [notificationNames[message], notificationStatusNames[status].toLowerCase()].join(", ");
      return answer === null ? words : `${words}: ${answer}`;
    }
    case "resolved":
      return entry.text ?? (entry.by === null ? resolutionName(entry.resolution, incident) : null);
    default:
      return null;
  }
}

function CommentForm({ incident }: { incident: IncidentView }) {
  const { mutate, isPending } = useIncident(incident);
  const form = useRef<HTMLFormElement>(null);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text") ?? "").trim();
    if (text === "") return;
    mutate(
      { action: () => incidentsApi.comment(incident.id, text) },
      { onSuccess: () => form.current?.reset() },
    );
  };
  return (
    <form ref={form} className="form incident-comment" onSubmit={submit}>
      <Field label={incidentTexts.comment}>
        <textarea
          name="text"
          rows={3}
          maxLength={2_000}
          required
          placeholder={incidentTexts.commentPlaceholder}
        />
      </Field>
      <div className="form-end">
        <button type="submit" disabled={isPending}>
          {incidentTexts.addComment}
        </button>
      </div>
    </form>
  );
}
