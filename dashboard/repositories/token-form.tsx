import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import type { ConnectionView } from "../../shared/contracts/code-host/connections.ts";
import { api } from "../api/client.ts";
import { repositoryTexts as texts } from "../texts/settings/repositories.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";

/** Replaces the access token of a connected repository. */
export function TokenForm({ of: connection, onClose }: { of: ConnectionView; onClose: () => void }) {
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (token: string) => api.changeConnection(connection.id, { token }),
    onSuccess() {
      onClose();
      return client.invalidateQueries({ queryKey: ["connections"] });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(textIn(new FormData(event.currentTarget), "token").trim());
  };
  return (
    <Dialog title={texts.setTokenTitle} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p>{texts.setTokenAbout(connection.repository)}</p>
        <Field label={texts.token} hint={texts.tokenHint[connection.host]}>
          <input name="token" type="password" required minLength={8} maxLength={500} autoComplete="off" />
        </Field>
        <FormEnd save={texts.saveToken} isPending={isPending} error={error} onClose={onClose} />
      </form>
    </Dialog>
  );
}
