import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ConnectionView, ConnectionWithSecret } from "../../shared/contracts/code-host/connections.ts";
import { api } from "../api/client.ts";
import { repositoryTexts as texts } from "../texts/settings/repositories.ts";
import { Confirm } from "../ui/confirm.tsx";
import { fill } from "../ui/fill.ts";
import { Copyable } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { TokenForm } from "./token-form.tsx";

interface RepositoryItemProps {
  of: ConnectionView;
  /** Called with the new secret after a rotation. */
  onSecret: (made: ConnectionWithSecret) => void;
}

/** Shows a connected repository with its state and its actions. */
export function RepositoryItem({ of: connection, onSecret }: RepositoryItemProps) {
  const { id, host, url, repository, project, state, createdAt } = connection;
  const [asked, setAsked] = useState<"token" | "rotate" | "disconnect" | null>(null);
  const run = useAction();
  const close = () => setAsked(null);
  return (
    <li>
      <span className="row-what">
        <strong>{repository}</strong>
        <span>{url}</span>
        <span className="quiet">
          {fill(texts.facts, { host: texts.hosts[host], project, time: <Time iso={createdAt} /> })}
        </span>
        <State of={connection} />
      </span>
      <div className="actions">
        <button
          type="button"
          className={state === "refused" ? "primary" : ""}
          onClick={() => setAsked("token")}
        >
          {texts.setToken}
        </button>
        <button type="button" disabled={run.isPending} onClick={() => setAsked("rotate")}>
          {texts.rotate}
        </button>
        <button type="button" disabled={run.isPending} onClick={() => setAsked("disconnect")}>
          {texts.disconnect}
        </button>
      </div>
      {asked === "token" && <TokenForm of={connection} onClose={close} />}
      {asked === "rotate" && (
        <Confirm
          title={texts.rotateTitle}
          about={texts.rotateAbout}
          confirm={texts.rotate}
          onClose={close}
          onConfirm={() => run.mutate(async () => onSecret(await api.rotateConnectionSecret(id)))}
        />
      )}
      {asked === "disconnect" && (
        <Confirm
          title={texts.disconnectTitle}
          about={texts.disconnectAbout}
          confirm={texts.disconnect}
          isDanger
          onClose={close}
          onConfirm={() => run.mutate(() => api.disconnect(id))}
        />
      )}
    </li>
  );
}

function State({ of: connection }: { of: ConnectionView }) {
  const { error, hasWebhook, webhookUrl, lastEventAt, tokenExpiresAt, rotatesToken } = connection;
  const { statuses } = texts;
  const isSilent = !hasWebhook && lastEventAt === null;
  return (
    <>
      {error !== null ? (
        <>
          <Status name="failed" word={statuses.refused} />
          <span>{error}</span>
        </>
      ) : isSilent ? (
        <>
          <Status name="changed" word={statuses.silent} />
          <span>{texts.noWebhook}</span>
          <Copyable text={webhookUrl} />
        </>
      ) : (
        <Status name="approved" word={statuses.connected} />
      )}
      <span className="quiet">
        {lastEventAt === null ? texts.noEvent : fill(texts.lastEvent, { time: <Time iso={lastEventAt} /> })}
      </span>
      {tokenExpiresAt !== null && (
        <span className="quiet">
          {rotatesToken ? texts.rotatesItself(tokenExpiresAt) : texts.expires(tokenExpiresAt)}
        </span>
      )}
    </>
  );
}

/** Runs a request, and reloads the connections. */
function useAction() {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => client.invalidateQueries({ queryKey: ["connections"] }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
}
