import { useMutation, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useId, useState } from "react";
import { api } from "../api/client.ts";
import type { TrialInput } from "../api/projects.ts";
import { ApiProblem } from "../api/request.ts";
import { configurationTexts, trialTexts } from "../texts/configuration.ts";
import { linesOf, textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { messageOf } from "../ui/toast.tsx";
import { draftOf, type NamedRow, viewportsOf } from "./draft.ts";
import { latestRunQuery } from "./queries.ts";
import { TrialResult } from "./trial-result.tsx";
import type { Editor } from "./use-editor.ts";

interface TryItProps {
  project: string;
  editor: Editor;
  /** Whether the trial chooses the page's session, because no field of the configuration does. */
  choosesSession: boolean;
  /** Called with the error of a trial, or with null at the next one. */
  onError: (error: Error | null) => void;
}

/** Captures one page with what is edited, and shows the result. */
export function TryIt({ project, editor, choosesSession, onError }: TryItProps) {
  const { data: latest } = useQuery(latestRunQuery(project));
  const [url, setUrl] = useState<string | null>(null);
  const [trial, setTrial] = useState<{ id: string; route: string } | null>(null);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (form: FormData) => {
      const input = inputOf(form, editor.read());
      return { ...(await api.submitTrial(project, input)), route: input.route };
    },
    onMutate: () => onError(null),
    onSuccess: ({ id, route }) => setTrial({ id, route }),
    onError,
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const failureIn = (name: string) => failures.find(({ path }) => path === name)?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(new FormData(event.currentTarget));
  };
  return (
    <section aria-labelledby="try-it" className="try-it">
      <h2 id="try-it">{trialTexts.title}</h2>
      <p className="about">{trialTexts.about}</p>
      <form className="form" onSubmit={submit}>
        <Field label={trialTexts.url} failure={failureIn("url")}>
          <input
            name="url"
            type="url"
            required
            placeholder="https://example.com"
            value={url ?? latest?.url ?? ""}
            onChange={event => setUrl(event.currentTarget.value)}
          />
        </Field>
        <PageChoice editor={editor} choosesSession={choosesSession} failureIn={failureIn} />
        {error && (
          <p className="fault" role="alert">
            {messageOf(error)}
          </p>
        )}
        <div className="form-end">
          <button type="submit" disabled={isPending}>
            {trialTexts.submit}
          </button>
        </div>
      </form>
      {trial && <TrialResult key={trial.id} id={trial.id} />}
    </section>
  );
}

/** Chooses one of the pages that are edited. Another route can be typed. */
function PageChoice({
  editor,
  choosesSession,
  failureIn,
}: Pick<TryItProps, "editor" | "choosesSession"> & {
  failureIn: (name: string) => string | undefined;
}) {
  const routeId = useId();
  const { routes, environments, viewports, sessions } = choicesOf(editor);
  return (
    <div className="row-fields">
      <Field label={trialTexts.route} failure={failureIn("route")}>
        <input name="route" defaultValue={routes[0] ?? "/"} list={routeId} autoComplete="off" />
      </Field>
      <datalist id={routeId}>
        {routes.map(route => (
          <option key={route} value={route} />
        ))}
      </datalist>
      <Field label={trialTexts.environment} failure={failureIn("environment")}>
        <select name="environment">
          <option value="">{trialTexts.defaultEnvironment}</option>
          {environments.map(name => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </Field>
      {choosesSession && (
        <Field label={trialTexts.session}>
          <select name="session">
            <option value="">{configurationTexts.noSession}</option>
            {sessions.map(name => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field label={trialTexts.viewport} failure={failureIn("viewport")}>
        <select name="viewport">
          <option value="">{trialTexts.firstViewport}</option>
          {viewports.map(width => (
            <option key={width} value={width}>
              {trialTexts.px(width)}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}

/** Returns the pages of what is edited. Text that is no JSON has none. */
function choicesOf(editor: Editor) {
  try {
    const draft = draftOf(editor.read());
    const routes = [...linesOf(draft.routes), ...draft.perRoute.map(({ name }) => name)];
    const widths = viewportsOf(draft.viewports)
      .map(viewport => (typeof viewport === "number" ? viewport : viewport.width))
      .filter(width => !Number.isNaN(width));
    return {
      routes: [...new Set(routes)].filter(route => route !== ""),
      environments: namesIn(draft.environments),
      sessions: namesIn(draft.sessions),
      viewports: [...new Set(widths)],
    };
  } catch {
    return { routes: [], environments: [], sessions: [], viewports: [] };
  }
}

function namesIn(rows: readonly NamedRow[]): string[] {
  return rows.map(({ name }) => name.trim()).filter(name => name !== "");
}

function inputOf(form: FormData, configuration: object): TrialInput {
  const [viewport, session] = [textIn(form, "viewport"), textIn(form, "session")];
  return {
    url: textIn(form, "url"),
    route: textIn(form, "route") || "/",
    environment: textIn(form, "environment") || null,
    ...(viewport && { viewport: Number(viewport) }),
    configuration: { ...configuration, ...(session && { session }) },
  };
}
