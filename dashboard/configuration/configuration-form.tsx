import type { ReactNode } from "react";
import { configurationTexts } from "../texts/configuration.ts";
import { Field } from "../ui/parts.tsx";
import { type Draft, fieldsOf, type NamedRow, textOf } from "./draft.ts";
import { type FieldFailure, failureAt } from "./failures.ts";
import { Choice, ChoiceField, LinesField, RecordEditor, type RowEdit, TextField } from "./record-editor.tsx";
import { RegionFields } from "./region-fields.tsx";
import type { CaptureSection } from "./sections.ts";
import { StepsEditor } from "./steps-editor.tsx";

interface FormProps {
  draft: Draft;
  failures: readonly FieldFailure[];
  /** Whether it is the project of all monitors, for which only environments and sessions apply. */
  isForMonitors: boolean;
  onChange: (change: Partial<Draft>) => void;
  /** Frames the fields of a section with its form and its button. */
  frame: (section: CaptureSection, fields: ReactNode) => ReactNode;
  /** Shown where users look for them: below the ignore regions, and below the sessions. */
  rules: ReactNode;
  secrets: ReactNode;
}

/** Edits the common fields of a configuration by section. Others stay as they are. */
export function ConfigurationForm(props: FormProps) {
  const { draft, failures, isForMonitors, onChange, frame, rules, secrets } = props;
  const sessions = draft.sessions.map(({ name }) => name.trim()).filter(name => name !== "");
  const part = { draft, failures, onChange };
  const otherFields = Object.keys(draft.rest);
  return (
    <>
      {!isForMonitors && (
        <>
          {frame("pages", <PageFields {...part} sessions={sessions} />)}
          {frame("elements", <ElementFields {...part} />)}
          {frame(
            "regions",
            <RegionFields
              rows={draft.ignoreRegions}
              failures={failures}
              onChange={ignoreRegions => onChange({ ignoreRegions })}
            />,
          )}
          {rules}
        </>
      )}
      {frame("environments", <Environments {...part} isForMonitors={isForMonitors} />)}
      {frame("sessions", <Sessions {...part} />)}
      {secrets}
      {!isForMonitors && frame("perRoute", <Routes {...part} sessions={sessions} />)}
      {otherFields.length > 0 && <p className="about add">{configurationTexts.otherFields(otherFields)}</p>}
    </>
  );
}

type PartProps = Pick<FormProps, "draft" | "failures" | "onChange">;

function PageFields({ draft, failures, sessions, onChange }: PartProps & { sessions: string[] }) {
  return (
    <section aria-labelledby="pages" className="section">
      <h2 id="pages">{configurationTexts.pages}</h2>
      <div className="form">
        <Field
          label={configurationTexts.routes}
          hint={configurationTexts.routesHint}
          failure={failureAt(failures, "routes")}
        >
          <textarea
            rows={Math.min(10, draft.routes.split("\n").length + 1)}
            value={draft.routes}
            spellCheck={false}
            onChange={event => onChange({ routes: event.currentTarget.value })}
          />
        </Field>
        <Field
          label={configurationTexts.viewports}
          hint={configurationTexts.viewportsHint}
          failure={failureAt(failures, "viewports")}
        >
          <input
            value={draft.viewports}
            onChange={event => onChange({ viewports: event.currentTarget.value })}
          />
        </Field>
        <Field
          label={configurationTexts.threshold}
          hint={configurationTexts.thresholdHint}
          failure={failureAt(failures, "threshold")}
        >
          <input
            inputMode="decimal"
            value={draft.threshold}
            onChange={event => onChange({ threshold: event.currentTarget.value })}
          />
        </Field>
        <Field label={configurationTexts.session} failure={failureAt(failures, "session")}>
          <Choice
            value={draft.session}
            options={sessions}
            none={configurationTexts.noSession}
            onChange={session => onChange({ session })}
          />
        </Field>
      </div>
    </section>
  );
}

function ElementFields({ draft, failures, onChange }: PartProps) {
  const lists = [
    ["masks", configurationTexts.masks, configurationTexts.masksHint],
    ["hide", configurationTexts.hide, configurationTexts.hideHint],
  ] as const;
  return (
    <section aria-labelledby="elements" className="section">
      <h2 id="elements">{configurationTexts.elements}</h2>
      <div className="form">
        {lists.map(([name, label, hint]) => (
          <Field key={name} label={label} hint={hint} failure={failureAt(failures, name)}>
            <textarea
              rows={2}
              value={draft[name]}
              spellCheck={false}
              onChange={event => onChange({ [name]: event.currentTarget.value })}
            />
          </Field>
        ))}
        <Field
          label={configurationTexts.waitFor}
          hint={configurationTexts.waitForHint}
          failure={failureAt(failures, "waitForSelector")}
        >
          <input
            value={draft.waitForSelector}
            autoComplete="off"
            spellCheck={false}
            onChange={event => onChange({ waitForSelector: event.currentTarget.value })}
          />
        </Field>
      </div>
    </section>
  );
}

function Environments({
  draft,
  failures,
  isForMonitors,
  onChange,
}: PartProps & Pick<FormProps, "isForMonitors">) {
  return (
    <RecordEditor
      id="environments"
      title={configurationTexts.environments}
      about={isForMonitors ? configurationTexts.environmentsOfMonitors : configurationTexts.environmentsAbout}
      nameLabel={configurationTexts.name}
      add={configurationTexts.addEnvironment}
      titleOf={configurationTexts.environment}
      rows={draft.environments}
      shown={["browser", "device", "colorScheme", "locale", "timezone", "viewports"]}
      failures={failures}
      onChange={environments => onChange({ environments })}
    >
      {(row, edit) => (
        <div className="row-fields">
          <ChoiceField
            {...{ row, edit, name: "browser", label: configurationTexts.browser }}
            options={["chromium", "firefox", "webkit"]}
            none={configurationTexts.default}
          />
          <TextField
            {...{
              row,
              edit,
              name: "device",
              label: configurationTexts.device,
              hint: configurationTexts.deviceHint,
            }}
          />
          <ChoiceField
            {...{ row, edit, name: "colorScheme", label: configurationTexts.colorScheme }}
            options={["light", "dark"]}
            none={configurationTexts.default}
          />
          <TextField {...{ row, edit, name: "locale", label: configurationTexts.locale }} />
          <TextField {...{ row, edit, name: "timezone", label: configurationTexts.timezone }} />
          <TextField {...{ row, edit, name: "viewports", label: configurationTexts.viewports }} />
        </div>
      )}
    </RecordEditor>
  );
}

function Sessions({ draft, failures, onChange }: PartProps) {
  return (
    <RecordEditor
      id="sessions"
      title={configurationTexts.sessions}
      about={configurationTexts.sessionsAbout}
      nameLabel={configurationTexts.name}
      add={configurationTexts.addSession}
      titleOf={configurationTexts.sessionOf}
      rows={draft.sessions}
      shown={["url", "expect"]}
      failures={failures}
      onChange={sessions => onChange({ sessions })}
    >
      {(row, edit) => (
        <>
          <div className="row-fields">
            <TextField
              {...{
                row,
                edit,
                name: "url",
                label: configurationTexts.startUrl,
                hint: configurationTexts.startUrlHint,
              }}
            />
            <ExpectField row={row} edit={edit} />
          </div>
          <RowSteps row={row} edit={edit} />
        </>
      )}
    </RecordEditor>
  );
}

/** Edits the text that proves a login. Other conditions are edited as JSON. */
function ExpectField({ row, edit }: { row: NamedRow; edit: RowEdit }) {
  const expect = fieldsOf(row.fields.expect);
  if (Object.keys(expect).some(name => name !== "text"))
    return <p className="hint">{configurationTexts.otherFields(["expect"])}</p>;
  return (
    <Field
      label={configurationTexts.expect}
      hint={configurationTexts.expectText}
      failure={failureAt(edit.failures, `${edit.path}.expect`)}
    >
      <input
        value={textOf(expect.text)}
        autoComplete="off"
        onChange={event => {
          const text = event.currentTarget.value;
          edit.set("expect", text === "" ? undefined : { text });
        }}
      />
    </Field>
  );
}

function RowSteps({ row, edit }: { row: NamedRow; edit: RowEdit }) {
  return (
    <StepsEditor
      steps={row.steps}
      path={`${edit.path}.steps`}
      failures={edit.failures}
      onChange={steps => edit.change({ ...row, steps })}
    />
  );
}

function Routes({ draft, failures, sessions, onChange }: PartProps & { sessions: string[] }) {
  return (
    <RecordEditor
      id="perRoute"
      title={configurationTexts.perRoute}
      about={configurationTexts.perRouteAbout}
      nameLabel={configurationTexts.route}
      add={configurationTexts.addRoute}
      titleOf={configurationTexts.routeOf}
      rows={draft.perRoute}
      shown={["session", "environments", "viewports", "threshold", "masks"]}
      failures={failures}
      onChange={perRoute => onChange({ perRoute })}
    >
      {(row, edit) => (
        <>
          <div className="row-fields">
            <ChoiceField
              {...{ row, edit, name: "session", label: configurationTexts.sessionOfRoute }}
              options={sessions}
              none={configurationTexts.noSession}
            />
            <TextField
              {...{ row, edit, name: "environments", label: configurationTexts.environmentNames }}
              hint={configurationTexts.environmentNamesHint}
            />
            <TextField {...{ row, edit, name: "viewports", label: configurationTexts.viewports }} />
            <TextField
              {...{ row, edit, name: "threshold", label: configurationTexts.threshold }}
              hint={configurationTexts.thresholdOfRouteHint}
            />
          </div>
          <LinesField
            {...{ row, edit, name: "masks", label: configurationTexts.masks }}
            hint={configurationTexts.masksHint}
          />
          <RowSteps row={row} edit={edit} />
        </>
      )}
    </RecordEditor>
  );
}
