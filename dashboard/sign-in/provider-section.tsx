import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import type { SignInSettings } from "../../shared/contracts/teams/sign-in.ts";
import { signInApi, signInKey } from "../api/sign-in.ts";
import { signInSettingsTexts as texts } from "../texts/sign-in.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Copyable } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { ProviderForm } from "./provider-form.tsx";

interface Props {
  team: TeamView;
  settings: SignInSettings;
}

/** Shows the provider that members sign in with, and what to register there. */
export function ProviderSection({ team, settings }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { provider } = settings;
  const add = provider ? texts.addOwn : texts.add;
  return (
    <section aria-labelledby="provider" className="section">
      <h2 id="provider">{texts.provider}</h2>
      {provider ? <Facts of={provider} /> : <p className="about">{texts.noProvider}</p>}
      <div className="actions">
        <button type="button" className={provider ? "" : "primary"} onClick={() => setEditing(true)}>
          {provider?.own ? texts.edit : add}
        </button>
        {provider?.own && <DeleteProvider team={team} name={provider.name} />}
      </div>
      {isEditing && <ProviderForm team={team} settings={settings} onClose={() => setEditing(false)} />}
    </section>
  );
}

function Facts({ of }: { of: NonNullable<SignInSettings["provider"]> }) {
  return (
    <>
      <p className="about">
        <strong>{of.name}</strong> · {texts.issuer} <code>{of.issuer}</code> · {texts.client}{" "}
        <code>{of.clientId}</code>
        {!of.own && ` · ${texts.ofInstallation}`}
      </p>
      {[
        [texts.signInUrl, of.signInUrl],
        [texts.redirectUrl, of.redirectUrl],
        [texts.logoutUrl, of.backChannelLogoutUrl],
      ].map(([label = "", url = ""]) => (
        <div className="field" key={label}>
          <span className="field-label">{label}</span>
          <Copyable text={url} />
        </div>
      ))}
    </>
  );
}

function DeleteProvider({ team, name }: { team: TeamView; name: string }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => signInApi.deleteProvider(team.id),
    onSuccess() {
      showToast({ text: texts.removed });
      return client.invalidateQueries({ queryKey: signInKey(team.id) });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <>
      <button type="button" disabled={isPending} onClick={() => setConfirming(true)}>
        {texts.remove}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={texts.removeTitle(name)}
          about={texts.removeAbout}
          keep={texts.keep}
          confirm={texts.remove}
          onClose={() => setConfirming(false)}
          onConfirm={() => {
            setConfirming(false);
            mutate();
          }}
        />
      )}
    </>
  );
}
