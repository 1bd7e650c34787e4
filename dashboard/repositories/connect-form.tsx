import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type {
  Connect,
  ConnectedHost,
  ConnectionWithSecret,
} from "../../shared/contracts/code-host/connections.ts";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import { repositoryTexts as texts } from "../texts/settings/repositories.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { labeledFailure } from "../ui/labeled-failure.ts";
import { Field } from "../ui/parts.tsx";

interface ConnectFormProps {
  onClose: () => void;
  /** Called with the secret of the webhook. */
  onConnected: (made: ConnectionWithSecret) => void;
}

const HOSTS: readonly ConnectedHost[] = ["gitlab", "gitea", "bitbucket"];

/** The fields of the form that the API can refuse. */
const FIELDS = ["url", "repository", "token"] as const;

/** Connects a repository. The token is never shown again. */
export function ConnectForm({ onClose, onConnected }: ConnectFormProps) {
  const client = useQueryClient();
  const [host, setHost] = useState<ConnectedHost>("gitlab");
  const { mutate, error, isPending } = useMutation({
    mutationFn: api.connect,
    onSuccess(made) {
      onClose();
      onConnected(made);
      return client.invalidateQueries({ queryKey: ["connections"] });
    },
  });
  const url = texts.urlField[host];
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(bodyOf(host, new FormData(event.currentTarget)));
  };
  const failureOf = (path: (typeof FIELDS)[number]) =>
    error instanceof ApiProblem ? labeledFailure(error.fields, path, texts[path]) : undefined;
  return (
    <Dialog title={texts.connect} onClose={onClose}>
      <form className="form connect-form" onSubmit={submit}>
        <Field label={texts.host}>
          <select
            value={host}
            onChange={({ target }) => setHost(HOSTS.find(name => name === target.value) ?? "gitlab")}
          >
            {HOSTS.map(name => (
              <option key={name} value={name}>
                {texts.hosts[name]}
              </option>
            ))}
          </select>
        </Field>
        {url && (
          <Field label={texts.url} hint={url.hint} failure={failureOf("url")}>
            <input
              name="url"
              type="url"
              required={url.isRequired}
              maxLength={2000}
              placeholder={url.placeholder}
              autoComplete="off"
            />
          </Field>
        )}
        <Field label={texts.repository} failure={failureOf("repository")}>
          <input
            name="repository"
            required
            maxLength={200}
            placeholder={texts.repositoryPlaceholder[host]}
            autoComplete="off"
          />
        </Field>
        <Field label={texts.token} hint={texts.tokenHint[host]} failure={failureOf("token")}>
          <input name="token" type="password" required minLength={8} maxLength={500} autoComplete="off" />
        </Field>
        <Field label={texts.project} hint={texts.projectHint}>
          <input name="project" maxLength={200} autoComplete="off" />
        </Field>
        <label className="check">
          <input type="checkbox" name="bootstrap" defaultChecked />
          <span>{texts.bootstrap}</span>
        </label>
        {host === "gitlab" && (
          <label className="check">
            <input type="checkbox" name="rotates" />
            <span>
              {texts.rotates} <span className="quiet">{texts.rotatesHint}</span>
            </span>
          </label>
        )}
        <FormEnd
          save={texts.save}
          isPending={isPending}
          error={FIELDS.some(failureOf) ? null : error}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function bodyOf(host: ConnectedHost, form: FormData): Connect {
  const [url, project] = [textIn(form, "url").trim(), textIn(form, "project").trim()];
  return {
    host,
    ...(url !== "" && { url }),
    repository: textIn(form, "repository").trim(),
    token: textIn(form, "token").trim(),
    ...(project !== "" && { project }),
    bootstrap: form.has("bootstrap"),
    rotatesToken: form.has("rotates"),
  };
}
