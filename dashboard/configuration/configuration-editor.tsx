import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useId, useState } from "react";
import type { ConfigurationView } from "../../shared/contracts/configuration/configuration.ts";
import { PROJECT_OF_ALL_MONITORS } from "../../shared/monitor-project.ts";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import { IgnoreRules } from "../noise/ignore-rules.tsx";
import { useMe } from "../session.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { fill } from "../ui/fill.ts";
import { Field } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { ConfigurationForm } from "./configuration-form.tsx";
import { cacheSaved, secretsQuery } from "./queries.ts";
import { FromRepository } from "./repository-settings.tsx";
import { SecretsSection } from "./secrets-section.tsx";
import { CAPTURE_SECTIONS, type CaptureSection, isSectionEdited, withSection } from "./sections.ts";
import { TryIt } from "./try-it.tsx";
import { type Editor, useEditor } from "./use-editor.ts";

interface EditorProps {
  project: string;
  loaded: ConfigurationView;
  onLoadLatest: () => void;
}

/** Edits a configuration by section or as JSON, and tries it. */
export function ConfigurationEditor({ project, loaded, onLoadLatest }: EditorProps) {
  const { may } = useMe();
  // The version that the form began with, or saved last.
  const [stored, setStored] = useState(loaded);
  const isForMonitors = loaded.project === PROJECT_OF_ALL_MONITORS;
  const editor = useEditor(stored.configuration);
  // Failures of a trial are about the same fields.
  const [trialError, setTrialError] = useState<Error | null>(null);
  const saving = useSaving({
    project,
    stored,
    editor,
    onSaved: setStored,
    onStart: () => setTrialError(null),
  });
  const frame = (section: CaptureSection | "json", fields: ReactNode) => (
    <SectionForm
      key={section}
      section={section}
      isEdited={section === "json" || isEdited(stored, editor, section)}
      saving={saving}
      onLoadLatest={onLoadLatest}
    >
      {fields}
    </SectionForm>
  );
  return (
    <div className="configuration">
      <div>
        <SavedBy project={project} stored={stored} />
        {!may("admin") && (
          <p className="about">
            {may("reviewer") ? configurationTexts.adminsSave : configurationTexts.viewersRead}
          </p>
        )}
        <ViewSwitch editor={editor} />
        {editor.edited.view === "form" ? (
          <ConfigurationForm
            draft={editor.edited.draft}
            failures={fieldsOf(trialError ?? saving.error)}
            isForMonitors={isForMonitors}
            onChange={editor.change}
            frame={frame}
            rules={<IgnoreRules project={project} />}
            secrets={<SecretsSection project={project} />}
          />
        ) : (
          frame("json", <JsonField editor={editor} />)
        )}
      </div>
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

interface SavingProps {
  project: string;
  stored: ConfigurationView;
  editor: Editor;
  onSaved: (saved: ConfigurationView) => void;
  onStart: () => void;
}

/** Saves one section of what is edited, or all of the JSON, in the version that was read. */
function useSaving({ project, stored, editor, onSaved, onStart }: SavingProps) {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: async (section: CaptureSection | "json") => {
      const edited = editor.read();
      const whole = section === "json" ? edited : withSection(stored.configuration, edited, section);
      return api.putConfiguration(project, stored.version, whole);
    },
    onMutate: onStart,
    onSuccess(saved) {
      onSaved(saved);
      cacheSaved(client, project, saved);
      showToast({ text: configurationTexts.saved });
    },
  });
}

function isEdited(stored: ConfigurationView, editor: Editor, section: CaptureSection): boolean {
  try {
    return isSectionEdited(stored.configuration, editor.read(), section);
  } catch {
    // Two equal names. Saving says so.
    return true;
  }
}

interface SectionFormProps {
  section: CaptureSection | "json";
  isEdited: boolean;
  saving: ReturnType<typeof useSaving>;
  onLoadLatest: () => void;
  children: ReactNode;
}

/** A form of one section, with its button and why it was not saved. */
function SectionForm({ section, isEdited: hasChanges, saving, onLoadLatest, children }: SectionFormProps) {
  const { may } = useMe();
  const { mutate, error, isPending, variables } = saving;
  const isThis = variables === section;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(section);
  };
  const name = configurationTexts.sections[section];
  return (
    <form className="section-form" onSubmit={submit} noValidate aria-label={name}>
      <fieldset disabled={!may("reviewer")}>{children}</fieldset>
      {section !== "json" && <FromRepository fields={CAPTURE_SECTIONS[section]} />}
      {error && isThis && <SaveProblem error={error} onLoadLatest={onLoadLatest} />}
      {may("admin") && (
        <div className="section-end">
          <button
            type="submit"
            className={hasChanges ? "primary" : undefined}
            disabled={isPending}
            aria-label={configurationTexts.saveSection(name)}
          >
            {isPending && isThis ? configurationTexts.saving : configurationTexts.save}
          </button>
          {hasChanges && section !== "json" && <span className="quiet">{configurationTexts.unsaved}</span>}
        </div>
      )}
    </form>
  );
}

function JsonField({ editor }: { editor: Editor }) {
  if (editor.edited.view !== "json") return null;
  return (
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
