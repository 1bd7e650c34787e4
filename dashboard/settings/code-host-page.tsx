import { useMutation, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CodeHostAppView, CreatedApp } from "../../shared/contracts/code-host/code-host.ts";
import { api } from "../api/client.ts";
import type { AppCreation } from "../app-location.ts";
import { navigate } from "../navigation.tsx";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { codeHostTexts as texts } from "../texts/settings/code-host.ts";
import { settingsTexts } from "../texts/settings/settings.ts";
import { fill } from "../ui/fill.ts";
import { textIn } from "../ui/form-values.ts";
import { Copyable, Field, Loading, Problem } from "../ui/parts.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf } from "../ui/toast.tsx";

const REFRESH_INTERVAL_MS = 5_000;

/**
 * Shows how to create the code-host app, and whether it has what it needs. @param created parameters from the
 * code host
 */
export function CodeHostPage({ created }: { created: AppCreation | null }) {
  const [app, setApp] = useState<CreatedApp | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["code-host"],
    queryFn: api.codeHostApp,
    refetchInterval: REFRESH_INTERVAL_MS,
  });
  const isNew = data?.state === "not_configured" || data?.state === "refused";
  return (
    <>
      <h1>{settingsTexts.titles["code-host"]}</h1>
      <p className="detail">{texts.about}</p>
      {created && <ShowSettings created={created} onShown={setApp} />}
      {app && <AppSettings app={app} />}
      {error && !data && <Problem error={error} what={loadedThings.codeHostApp} again={refetch} />}
      {!data && !error && <Loading what={loadedThings.codeHostApp} />}
      {data && !created && !app && <AppStatus view={data} />}
      {isNew && !created && !app && <CreateApp />}
    </>
  );
}

function AppStatus({ view }: { view: CodeHostAppView }) {
  const { state, app, missing, error, checkedAt, webhookUrl } = view;
  if (state === "not_configured") return <p className="empty">{texts.notConfigured}</p>;
  const lacks = [...missing.permissions, ...missing.events];
  return (
    <>
      {error && (
        <p className="banner" role="alert">
          {error}
        </p>
      )}
      {!app && !error && <Loading what={loadedThings.appFromCodeHost} />}
      {app && (
        <p className="app-summary">
          {fill(texts.webhook, {
            app: <a href={app.url}>{app.name}</a>,
            url: <code>{webhookUrl}</code>,
          })}
        </p>
      )}
      {app && lacks.length === 0 && <p>{texts.complete}</p>}
      {lacks.length > 0 && <Missing missing={missing} />}
      {checkedAt && (
        <p className="quiet app-summary">{fill(texts.checked, { time: <Time iso={checkedAt} /> })}</p>
      )}
    </>
  );
}

function Missing({ missing: { permissions, events } }: Pick<CodeHostAppView, "missing">) {
  return (
    <section aria-labelledby="missing" className="section">
      <h2 id="missing">{texts.missing}</h2>
      <p className="about">{texts.missingAbout}</p>
      <ul className="rows" aria-label={texts.missing}>
        {permissions.map(({ name, label, access, purpose, isOptional }) => (
          <li key={name}>
            <span className="row-what">
              <strong>{texts.permission(label, access)}</strong>
              <span className="quiet">{purpose.replaceAll("*", "")}</span>
            </span>
            <span className="quiet">{isOptional ? texts.optional : texts.required}</span>
          </li>
        ))}
        {events.map(({ name, label, isOptional }) => (
          <li key={name}>
            <span className="row-what">
              <strong>{texts.event(label)}</strong>
            </span>
            <span className="quiet">{isOptional ? texts.optional : texts.required}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CreateApp() {
  const { mutate, error, isPending } = useMutation({
    mutationFn: api.createApp,
    onSuccess: ({ url }) => location.assign(url),
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const organization = textIn(new FormData(event.currentTarget), "organization");
    mutate(organization === "" ? {} : { organization });
  };
  return (
    <section aria-labelledby="create" className="section">
      <h2 id="create">{texts.create}</h2>
      <p className="about">{texts.createAbout}</p>
      <form className="line-form" onSubmit={submit}>
        <Field label={texts.organization} hint={texts.organizationHint}>
          <input name="organization" maxLength={100} autoComplete="off" />
        </Field>
        <button type="submit" className="primary" disabled={isPending}>
          {texts.submit}
        </button>
        {error && (
          <p className="fault" role="alert">
            {messageOf(error)}
          </p>
        )}
      </form>
    </section>
  );
}

/** The code host's code works only once, so it isn't exchanged before the user is ready. */
function ShowSettings({ created, onShown }: { created: AppCreation; onShown: (app: CreatedApp) => void }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.finishApp(created),
    onSuccess(app) {
      onShown(app);
      navigate({ page: "settings", setting: "code-host" }, "replace");
    },
  });
  return (
    <section aria-labelledby="created" className="section">
      <h2 id="created">{texts.created}</h2>
      <p className="about">{texts.createdAbout}</p>
      <div className="actions">
        <button type="button" className="primary" disabled={isPending} onClick={() => mutate()}>
          {texts.showSettings}
        </button>
        <button type="button" onClick={() => navigate({ page: "settings", setting: "code-host" }, "replace")}>
          {commonTexts.cancel}
        </button>
      </div>
      {error && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
    </section>
  );
}

function AppSettings({ app: { name, installUrl, variables } }: { app: CreatedApp }) {
  const lines = Object.entries(variables).map(([variable, value]) => `${variable}="${value}"`);
  return (
    <section aria-labelledby="settings" className="section">
      <h2 id="settings">{texts.settings(name)}</h2>
      <p className="about">{texts.settingsAbout}</p>
      <Copyable text={lines.join("\n")} />
      <p>{fill(texts.install, { link: <a href={installUrl}>{texts.installLink}</a> })}</p>
    </section>
  );
}
