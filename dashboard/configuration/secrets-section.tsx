import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import { useMe } from "../session.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { configurationTexts } from "../texts/configuration.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { fill } from "../ui/fill.ts";
import { textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { secretsQuery } from "./queries.ts";

/** Lists a project's secrets without their values. Admins can set and delete them. */
export function SecretsSection({ project }: { project: string }) {
  const { may } = useMe();
  const { data, error, refetch } = useQuery(secretsQuery(project));
  const [deleted, setDeleted] = useState<string | null>(null);
  const secrets = data?.data;
  return (
    <section aria-labelledby="secrets" className="section">
      <h2 id="secrets">{configurationTexts.secrets}</h2>
      <p className="about">{configurationTexts.secretsAbout}</p>
      {error && !secrets && <Problem error={error} what={loadedThings.secrets} again={refetch} />}
      {!secrets && !error && <Loading what={loadedThings.secrets} />}
      {secrets?.length === 0 && <p className="empty">{configurationTexts.noSecrets}</p>}
      {secrets && secrets.length > 0 && (
        <ul className="rows" aria-label={configurationTexts.secrets}>
          {secrets.map(({ name, changedBy, changedAt }) => (
            <li key={name}>
              <span className="row-what">
                <code>{name}</code>
                <span className="quiet">
                  {fill(configurationTexts.changed, { name: changedBy, time: <Time iso={changedAt} /> })}
                </span>
              </span>
              {may("admin") && (
                <button
                  type="button"
                  aria-label={configurationTexts.deleteSecret(name)}
                  onClick={() => setDeleted(name)}
                >
                  {configurationTexts.confirmDelete}
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {may("admin") && <NewSecret project={project} />}
      {deleted !== null && <DeleteSecret project={project} name={deleted} onClose={() => setDeleted(null)} />}
    </section>
  );
}

/** Returns a mutation of secrets that loads their list again. */
function useSecretChange<Input>(project: string, change: (input: Input) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => client.invalidateQueries({ queryKey: secretsQuery(project).queryKey }),
  });
}

function NewSecret({ project }: { project: string }) {
  const showToast = useToast();
  const { mutate, error, isPending } = useSecretChange(
    project,
    ({ name, value }: { name: string; value: string }) => api.putSecret(project, name, value),
  );
  const failures = error instanceof ApiProblem ? error.fields : [];
  const failureIn = (name: string) => failures.find(({ path }) => path === name)?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const fields = new FormData(form);
    const name = textIn(fields, "name");
    mutate(
      { name, value: String(fields.get("value") ?? "") },
      {
        onSuccess() {
          form.reset();
          showToast({ text: configurationTexts.secretSaved(name) });
        },
      },
    );
  };
  return (
    <form className="line-form" onSubmit={submit}>
      <Field label={configurationTexts.secretName} failure={failureIn("name")}>
        <input
          name="name"
          required
          placeholder={configurationTexts.secretPlaceholder}
          autoComplete="off"
          spellCheck={false}
        />
      </Field>
      <Field label={configurationTexts.secretValue} failure={failureIn("value")}>
        <input name="value" type="password" required autoComplete="new-password" />
      </Field>
      <button type="submit" disabled={isPending}>
        {configurationTexts.saveSecret}
      </button>
      {error && failures.length === 0 && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
    </form>
  );
}

function DeleteSecret({ project, name, onClose }: { project: string; name: string; onClose: () => void }) {
  const showToast = useToast();
  const { mutate, isPending } = useSecretChange(project, () => api.deleteSecret(project, name));
  const confirm = () =>
    mutate(undefined, {
      onSuccess: () => showToast({ text: configurationTexts.secretDeleted(name) }),
      onError: error => showToast({ text: commonTexts.notSaved(messageOf(error)), isFailure: true }),
      onSettled: onClose,
    });
  return (
    <ConfirmDialog
      title={configurationTexts.deleteTitle(name)}
      about={configurationTexts.deleteAbout}
      keep={configurationTexts.keepSecret}
      confirm={configurationTexts.confirmDelete}
      isPending={isPending}
      onClose={onClose}
      onConfirm={confirm}
    />
  );
}
