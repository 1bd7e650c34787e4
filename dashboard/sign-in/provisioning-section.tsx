import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey } from "../../shared/contracts/teams/keys.ts";
import { api } from "../api/client.ts";
import { Link } from "../navigation.tsx";
import { commonTexts } from "../texts/common.ts";
import { signInSettingsTexts as texts } from "../texts/sign-in.ts";
import { Dialog } from "../ui/dialog.tsx";
import { fill } from "../ui/fill.ts";
import { Copyable } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";

/** Shows what the provider needs to provision users, and creates its token. */
export function ProvisioningSection({ scimUrl }: { scimUrl: string }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.createKey({ name: texts.tokenName, scope: "scim" }),
    onSuccess(key) {
      setCreated(key);
      void client.invalidateQueries({ queryKey: ["keys"] });
    },
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  return (
    <section aria-labelledby="provisioning" className="section">
      <h2 id="provisioning">{texts.provisioning}</h2>
      <p className="about">
        {fill(texts.provisioningAbout, {
          keys: <Link to={{ page: "settings", setting: "keys" }}>{texts.keysLink}</Link>,
        })}
      </p>
      <div className="field">
        <span className="field-label">{texts.scimUrl}</span>
        <Copyable text={scimUrl} />
      </div>
      <div className="actions">
        <button type="button" disabled={isPending} onClick={() => mutate()}>
          {texts.createToken}
        </button>
      </div>
      {created && (
        <Dialog title={texts.tokenTitle} onClose={() => setCreated(null)}>
          <p>{texts.tokenAbout}</p>
          <Copyable text={created.key} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setCreated(null)}>
              {commonTexts.done}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}
