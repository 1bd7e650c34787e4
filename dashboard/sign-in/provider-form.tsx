import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import type { SignInSettings, TeamProvider } from "../../shared/contracts/teams/sign-in.ts";
import { ApiProblem } from "../api/request.ts";
import { signInApi, signInKey } from "../api/sign-in.ts";
import { signInSettingsTexts as texts } from "../texts/sign-in.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { Copyable, Field } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";

interface Props {
  team: TeamView;
  settings: SignInSettings;
  onClose: () => void;
}

/** Sets the team's own provider. */
export function ProviderForm({ team, settings, onClose }: Props) {
  const client = useQueryClient();
  const showToast = useToast();
  const { provider, ownRedirectUrl } = settings;
  const known = provider?.own ? provider : null;
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: TeamProvider) => signInApi.changeProvider(team.id, body),
    onSuccess(changed) {
      client.setQueryData(signInKey(team.id), changed);
      showToast({ text: texts.saved });
      onClose();
    },
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const failureOf = (name: string) => failures.find(({ path }) => path === name)?.message;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(bodyOf(new FormData(event.currentTarget)));
  };
  return (
    <Dialog title={known ? texts.edit : texts.add} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>{texts.register}</p>
        <Copyable text={ownRedirectUrl} />
        <Field label={texts.name} failure={failureOf("name")}>
          <input
            name="name"
            required
            maxLength={60}
            defaultValue={known?.name}
            placeholder={texts.namePlaceholder}
            autoComplete="off"
          />
        </Field>
        <Field label={texts.issuer} failure={failureOf("issuer")}>
          <input
            name="issuer"
            type="url"
            required
            maxLength={500}
            defaultValue={known?.issuer}
            placeholder={texts.issuerPlaceholder}
            autoComplete="off"
          />
        </Field>
        <Field label={texts.clientId} failure={failureOf("clientId")}>
          <input name="clientId" required maxLength={500} defaultValue={known?.clientId} autoComplete="off" />
        </Field>
        <Field
          label={texts.clientSecret}
          failure={failureOf("clientSecret")}
          {...(known && { hint: texts.keepSecret })}
        >
          <input name="clientSecret" type="password" required={!known} maxLength={2000} autoComplete="off" />
        </Field>
        <Field label={texts.scopes} failure={failureOf("scopes")}>
          <input name="scopes" required defaultValue={known?.scopes ?? "openid profile email"} />
        </Field>
        <Field label={texts.groupsClaim} failure={failureOf("groupsClaim")}>
          <input name="groupsClaim" required defaultValue={known?.groupsClaim ?? "groups"} />
        </Field>
        <FormEnd
          save={texts.save}
          isPending={isPending}
          error={failures.length === 0 ? error : null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function bodyOf(form: FormData): TeamProvider {
  const clientSecret = textIn(form, "clientSecret");
  return {
    name: textIn(form, "name"),
    issuer: textIn(form, "issuer"),
    clientId: textIn(form, "clientId"),
    scopes: textIn(form, "scopes"),
    groupsClaim: textIn(form, "groupsClaim"),
    ...(clientSecret !== "" && { clientSecret }),
  };
}
