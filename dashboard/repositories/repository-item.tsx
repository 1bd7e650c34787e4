import { useState } from "react";
import type { ConnectionView, ConnectionWithSecret } from "../../shared/contracts/code-host/connections.ts";
import { api } from "../api/client.ts";
import { repositoryTexts as texts } from "../texts/settings/repositories.ts";
import { ConfirmedButton } from "../ui/confirm.tsx";
import { fill } from "../ui/fill.ts";
import { useListAction } from "../ui/hooks/use-list-action.ts";
import { ListItem } from "../ui/list-item.tsx";
import { Copyable } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { TokenForm } from "./token-form.tsx";

interface RepositoryItemProps {
  of: ConnectionView;
  /** Called with the new secret after a rotation. */
  onSecret: (made: ConnectionWithSecret) => void;
}

/** Shows a connected repository with its state and its actions. */
export function RepositoryItem({ of: connection, onSecret }: RepositoryItemProps) {
  const { id, host, url, repository, project, state, createdAt } = connection;
  const [isEdited, setEdited] = useState(false);
  const run = useListAction("connections");
  return (
    <ListItem
      name={repository}
      detail={url}
      facts={fill(texts.facts, { host: texts.hosts[host], project, time: <Time iso={createdAt} /> })}
      state={<State of={connection} />}
      actions={
        <>
          <button
            type="button"
            className={state === "refused" ? "primary" : ""}
            onClick={() => setEdited(true)}
          >
            {texts.setToken}
          </button>
          <ConfirmedButton
            title={texts.rotateTitle}
            about={texts.rotateAbout}
            confirm={texts.rotate}
            disabled={run.isPending}
            onConfirm={() => run.mutate(async () => onSecret(await api.rotateConnectionSecret(id)))}
          />
          <ConfirmedButton
            title={texts.disconnectTitle}
            about={texts.disconnectAbout}
            confirm={texts.disconnect}
            isDanger
            disabled={run.isPending}
            onConfirm={() => run.mutate(() => api.disconnect(id))}
          />
        </>
      }
    >
      {isEdited && <TokenForm of={connection} onClose={() => setEdited(false)} />}
    </ListItem>
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
