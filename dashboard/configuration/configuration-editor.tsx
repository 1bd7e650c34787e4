import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import type { ConfigurationView } from "../../shared/contracts/configuration/configuration.ts";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import { useMe } from "../session.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { fill } from "../ui/fill.ts";
import { Field } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { ConfigurationForm } from "./configuration-form.tsx";
import { MONITORS } from "./monitors-project.ts";
import { configurationQuery, secretsQuery } from "./queries.ts";
import { TryIt } from "./try-it.tsx";
import { type Editor, useEditor } from "./use-editor.ts";

interface EditorProps {
  project: string;
  loaded: ConfigurationView;
  onLoadLatest: () => void;
}

/** Edits a configuration as a form or as JSON, tries it, and saves it. */
export function ConfigurationEditor({ project, loaded, onLoadLatest }: EditorProps) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  // The version that the form began with, or saved last.
  const [stored, setStored] = useState(loaded);
  const isForMonitors = loaded.project === MONITORS;
  const editor = useEditor(stored.configuration);
  // Failures of a trial are about the same fields.
  const [trialError, setTrialError] = useState<Error | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async () => api.putConfiguration(project, stored.version, editor.read()),
    onMutate: () => setTrialError(null),
    onSuccess(saved) {
      setStored(saved);
      client.setQueryData(configurationQuery(project).queryKey, saved);
      showToast({ text: configurationTexts.saved });
    },
  });
  const failures = fieldsOf(trialError ?? error);
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate();
  };
  return (
    <div className="configuration">
      <form onSubmit={submit} noValidate aria-label={configurationTexts.title}>
        <SavedBy project={project} stored={stored} />
        <ViewSwitch editor={editor} />
        <fieldset disabled={!may("reviewer")}>
          {editor.edited.view === "form" ? (
            <ConfigurationForm
              draft={editor.edited.draft}
              failures={failures}
              isForMonitors={isForMonitors}
              onChange={editor.change}
            />
          ) : (
            <Field
              label={configurationTexts.jsonLabel}
              hint={configurationTexts.jsonHint}
              failure={editor.problem ?? undefined}
            >
              <textarea
                className="json"
                rows={24}
                value={editor.edited.json}
                spellCheck={false}
                onChange={event => editor.changeJson(event.currentTarget.value)}
              />
            </Field>
          )}
        </fieldset>
        <div className="save-bar">
          {error && <SaveProblem error={error} onLoadLatest={onLoadLatest} />}
          {may("admin") ? (
            <button type="submit" className="primary" disabled={isPending}>
              {isPending ? configurationTexts.saving : configurationTexts.save}
            </button>
          ) : (
            <p className="about">
              {may("reviewer") ? configurationTexts.adminsSave : configurationTexts.viewersRead}
            </p>
          )}
        </div>
      </form>
      {may("reviewer") && (
        <TryIt
          project={project}
          editor={editor}
          choosesSession={isForMonitors}
          onError={trial =>
            setTrialError(trial instanceof ApiProblem && trial.fields.length > 0 ? trial : null)
          }
        />
      )}
    </div>
  );
}

function SavedBy({ project, stored }: { project: string; stored: ConfigurationView }) {
  const { version, changedBy, changedAt } = stored;
  const { data: secrets } = useQuery(secretsQuery(project));
  const known = secrets?.data.map(({ name }) => name) ?? [];
  const missing = stored.missingSecrets.filter(name => !known.includes(name));
  return (
    <>
      <p className="about">
        {changedAt === null
          ? configurationTexts.neverSaved
          : fill(configurationTexts.savedBy, {
              version,
              name: changedBy ?? "",
              time: <Time iso={changedAt} />,
            })}
      </p>
      {missing.length > 0 && <p className="banner add">{configurationTexts.missingSecrets(missing)}</p>}
    </>
  );
}

function ViewSwitch({ editor: { edited, show } }: { editor: Editor }) {
  const name = useId();
  return (
    <fieldset className="view-switch">
      <legend className="field-label">{configurationTexts.view}</legend>
      {(["form", "json"] as const).map(view => (
        <label key={view} className="check">
          <input type="radio" name={name} checked={edited.view === view} onChange={() => show(view)} />
          {configurationTexts[view]}
        </label>
      ))}
    </fieldset>
  );
}

/** Shows why the configuration was not saved, with every invalid field. */
function SaveProblem({ error, onLoadLatest }: { error: Error; onLoadLatest: () => void }) {
  const fields = fieldsOf(error);
  const isConflict = error instanceof ApiProblem && error.status === 409;
  return (
    <div className="fault" role="alert">
      <strong>{configurationTexts.failed}</strong>{" "}
      {fields.length === 0 ? (
        messageOf(error)
      ) : (
        <ul>
          {fields.map(({ path, message }) => (
            <li key={`${path} ${message}`}>{message}</li>
          ))}
        </ul>
      )}
      {isConflict && (
        <button type="button" onClick={onLoadLatest}>
          {configurationTexts.loadLatest}
        </button>
      )}
    </div>
  );
}

function fieldsOf(error: Error | null): ApiProblem["fields"] {
  return error instanceof ApiProblem ? error.fields : [];
}
