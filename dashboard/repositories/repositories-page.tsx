import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ConnectionWithSecret } from "../../shared/contracts/code-host/connections.ts";
import { api } from "../api/client.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { repositoryTexts as texts } from "../texts/settings/repositories.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Copyable, Loading, Problem } from "../ui/parts.tsx";
import { ConnectForm } from "./connect-form.tsx";
import { RepositoryItem } from "./repository-item.tsx";
import "./repositories.css";

/** Lists the team's connected repositories. A webhook's secret is shown once. */
export function RepositoriesPage() {
  const [isConnecting, setConnecting] = useState(false);
  const [made, setMade] = useState<ConnectionWithSecret | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["connections"],
    queryFn: api.connections,
    // Events and rejected tokens appear on their own.
    refetchInterval: 10_000,
  });
  const connections = data?.data;
  return (
    <>
      <div className="page-head">
        <h1>{texts.title}</h1>
        <button type="button" className="primary" onClick={() => setConnecting(true)}>
          {texts.connect}
        </button>
      </div>
      <p className="detail">{texts.about}</p>
      {isConnecting && <ConnectForm onClose={() => setConnecting(false)} onConnected={setMade} />}
      {made && <WebhookSecret of={made} onClose={() => setMade(null)} />}
      {error && !connections && <Problem error={error} what={loadedThings.connections} again={refetch} />}
      {!connections && !error && <Loading what={loadedThings.connections} />}
      {connections?.length === 0 && <p className="empty">{texts.empty}</p>}
      {connections && connections.length > 0 && (
        <ul className="rows connections" aria-label={texts.title}>
          {connections.map(connection => (
            <RepositoryItem key={connection.id} of={connection} onSecret={setMade} />
          ))}
        </ul>
      )}
    </>
  );
}

function WebhookSecret({ of: connection, onClose }: { of: ConnectionWithSecret; onClose: () => void }) {
  const { hasWebhook, webhookUrl, webhookSecret } = connection;
  return (
    <Dialog title={texts.secretTitle} onClose={onClose}>
      <p>{hasWebhook ? texts.secretCreated : texts.secretAbout}</p>
      <p className="field-label">{texts.secretUrl}</p>
      <Copyable text={webhookUrl} />
      <p className="field-label">{texts.secret}</p>
      <Copyable text={webhookSecret} />
      <div className="form-end">
        <button type="button" className="primary" onClick={onClose}>
          {commonTexts.done}
        </button>
      </div>
    </Dialog>
  );
}
