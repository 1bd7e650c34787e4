import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { api } from "../../api/client.ts";
import { ApiProblem } from "../../api/request.ts";
import { Link, navigate } from "../../navigation.tsx";
import { useMe } from "../../session.tsx";
import { commonTexts } from "../../texts/common.ts";
import { monitorFormTexts } from "../../texts/monitors/monitor-form.ts";
import { Field } from "../../ui/parts.tsx";
import { messageOf, useToast } from "../../ui/toast.tsx";
import { HttpFields } from "../http/http-fields.tsx";
import { monitorQuery } from "../queries.ts";
import { ChannelFields } from "./channel-fields.tsx";
import { changesOf, createBodyOf, failureIn } from "./monitor-body.ts";
import { OPTIONS, OptionFields } from "./option-fields.tsx";
import { RegionInputs } from "./region-inputs.tsx";

const UNITS = [
  { minutes: 1, word: monitorFormTexts.units.minutes },
  { minutes: 60, word: monitorFormTexts.units.hours },
  { minutes: 1_440, word: monitorFormTexts.units.days },
] as const;

/** Fields that show their own failures. */
const FIELDS = [
  "name",
  "url",
  "routes",
  "viewports",
  "intervalMinutes",
  "alertThreshold",
  "tags",
  "regions",
  "agree",
  "http",
  "alerts",
  ...OPTIONS,
];

/**
 * Creates a monitor, or changes one. Only fields that differ from the opened form are sent, so changes by
 * others stay. The service validates the fields.
 */
export function MonitorForm({ monitor: latest }: { monitor?: MonitorView }) {
  const [monitor] = useState(latest);
  const client = useQueryClient();
  const showToast = useToast();
  const { may } = useMe();
  const [url, setUrl] = useState(monitor?.url ?? "");
  const { mutate, error, isPending } = useMutation({
    mutationFn: (form: FormData) => save(form, monitor, latest),
    onSuccess(saved) {
      client.setQueryData(monitorQuery(saved.id).queryKey, saved);
      void client.invalidateQueries({ queryKey: ["monitors"] });
      void client.invalidateQueries({ queryKey: ["drift", saved.id] });
      if (monitor) showToast({ text: monitorFormTexts.saved });
      navigate({ page: "monitor", id: saved.id, isEdited: false }, "replace");
    },
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const isElsewhere = failures.some(({ path }) => !FIELDS.some(name => path.startsWith(name)));
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <form className="form monitor-form" onSubmit={submit} noValidate>
      <Field label={monitorFormTexts.name} failure={failureIn("name", failures)}>
        <input
          name="name"
          defaultValue={monitor?.name}
          placeholder={monitorFormTexts.namePlaceholder}
          autoComplete="off"
        />
      </Field>
      <Field
        label={monitorFormTexts.url}
        failure={failureIn("url", failures)}
        {...(monitor &&
          url !== monitor.url && {
            hint: monitorFormTexts.otherUrl,
          })}
      >
        <input
          name="url"
          type="url"
          value={url}
          onChange={event => setUrl(event.currentTarget.value)}
          placeholder="https://example.com"
        />
      </Field>
      <Field
        label={monitorFormTexts.pages}
        hint={monitorFormTexts.pagesHint}
        failure={failureIn("routes", failures)}
      >
        <textarea
          name="routes"
          rows={Math.min(12, Math.max(3, (monitor?.routes.length ?? 1) + 1))}
          defaultValue={monitor?.routes.join("\n") ?? "/"}
          spellCheck={false}
        />
      </Field>
      <Field label={monitorFormTexts.widths} failure={failureIn("viewports", failures)}>
        <input
          name="viewports"
          defaultValue={monitor?.viewports.join(", ") ?? "375, 1280"}
          inputMode="numeric"
        />
      </Field>
      <Interval minutes={monitor?.intervalMinutes ?? 60} failure={failureIn("intervalMinutes", failures)} />
      <Field
        label={monitorFormTexts.threshold}
        hint={monitorFormTexts.thresholdHint}
        failure={failureIn("alertThreshold", failures)}
      >
        <input
          name="threshold"
          inputMode="decimal"
          defaultValue={Number(((monitor?.alertThreshold ?? 0.02) * 100).toFixed(4))}
        />
      </Field>
      <Field
        label={monitorFormTexts.tags}
        hint={monitorFormTexts.tagsHint}
        failure={failureIn("tags", failures)}
      >
        <input name="tags" defaultValue={monitor?.tags.join(", ") ?? ""} autoComplete="off" />
      </Field>
      <RegionInputs
        label={monitorFormTexts.regions}
        names={{ regions: "regions", agree: "agree" }}
        paths={{ regions: "regions", agree: "agree" }}
        settings={monitor ?? null}
        hint={monitorFormTexts.regionsHint}
        failures={failures}
      />
      <HttpFields http={monitor?.http ?? null} failures={failures} />
      <OptionFields options={monitor?.options ?? null} failures={failures} />
      {may("admin") ? (
        <ChannelFields alerts={monitor?.alerts ?? null} failures={failures} />
      ) : (
        <p className="about">{monitorFormTexts.adminsSetChannels}</p>
      )}
      {error && (
        <p className="fault" role="alert">
          {failures.length > 0 && !isElsewhere ? monitorFormTexts.seeFields : messageOf(error)}{" "}
          {error instanceof ApiProblem && error.status === 402 && (
            <Link to={{ page: "settings", setting: "usage" }}>{monitorFormTexts.viewUsage}</Link>
          )}
        </p>
      )}
      <div className="form-end">
        <Link
          className="button"
          to={monitor ? { page: "monitor", id: monitor.id, isEdited: false } : { page: "monitors" }}
        >
          {commonTexts.cancel}
        </Link>
        <button type="submit" className="primary" disabled={isPending}>
          {isPending ? monitorFormTexts.saving : monitor ? monitorFormTexts.save : monitorFormTexts.create}
        </button>
      </div>
    </form>
  );
}

/** @param latest the monitor with changes by others since the form was opened */
async function save(
  form: FormData,
  monitor: MonitorView | undefined,
  latest = monitor,
): Promise<MonitorView> {
  if (!monitor || !latest) return api.createMonitor(createBodyOf(form));
  const changes = changesOf(form, monitor);
  if (!changes) return latest;
  if (changes.options?.headers && latest.url !== monitor.url) throw new Error(monitorFormTexts.urlChanged);
  return api.changeMonitor(monitor.id, changes);
}

function Interval({ minutes, failure }: { minutes: number; failure: string | undefined }) {
  const unit = UNITS.findLast(one => minutes % one.minutes === 0) ?? UNITS[0];
  const id = useId();
  const described = failure ? `${id}-hint ${id}-fault` : `${id}-hint`;
  return (
    <fieldset className="interval">
      <legend className="field-label">{monitorFormTexts.interval}</legend>
      <input
        name="every"
        inputMode="numeric"
        aria-label={monitorFormTexts.intervalNumber}
        defaultValue={minutes / unit.minutes}
        autoComplete="off"
        aria-describedby={described}
        aria-invalid={failure !== undefined}
      />
      <select
        name="unit"
        aria-label={monitorFormTexts.intervalUnit}
        defaultValue={unit.minutes}
        aria-describedby={described}
      >
        {UNITS.map(({ minutes: size, word }) => (
          <option key={size} value={size}>
            {word}
          </option>
        ))}
      </select>
      <span id={`${id}-hint`} className="hint">
        {monitorFormTexts.intervalHint}
      </span>
      {failure && (
        <span id={`${id}-fault`} className="fault" role="alert">
          {failure}
        </span>
      )}
    </fieldset>
  );
}
