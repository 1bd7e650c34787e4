import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookView } from "../../shared/contracts/webhooks/webhooks.ts";
import { api } from "../api/client.ts";
import { commonTexts, loadedThings } from "../texts/common.ts";
import { webhookTexts } from "../texts/settings/webhooks.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Copyable, Loading, Problem } from "../ui/parts.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { WebhookItem } from "./webhook-item.tsx";
import "./webhooks.css";

/** Lists the team's webhooks with their logs. A secret is shown once. */
export function WebhooksPage() {
  const [edited, setEdited] = useState<WebhookView | "new" | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ["webhooks"],
    queryFn: api.webhooks,
    // Pauses and failures appear on their own.
    refetchInterval: 10_000,
  });
  const webhooks = data?.data;
  return (
    <>
      <div className="page-head">
        <h1>{webhookTexts.title}</h1>
        <button type="button" className="primary" onClick={() => setEdited("new")}>
          {webhookTexts.add}
        </button>
      </div>
      <p className="detail">{webhookTexts.about}</p>
      {edited !== null && (
        <WebhookForm
          of={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onCreated={setSecret}
        />
      )}
      {secret !== null && (
        <Dialog title={webhookTexts.secretTitle} onClose={() => setSecret(null)}>
          <p>{webhookTexts.secretAbout}</p>
          <Copyable text={secret} />
          <div className="form-end">
            <button type="button" className="primary" onClick={() => setSecret(null)}>
              {commonTexts.done}
            </button>
          </div>
        </Dialog>
      )}
      {error && !webhooks && <Problem error={error} what={loadedThings.webhooks} again={refetch} />}
      {!webhooks && !error && <Loading what={loadedThings.webhooks} />}
      {webhooks?.length === 0 && <p className="empty">{webhookTexts.empty}</p>}
      {webhooks && webhooks.length > 0 && (
        <ul className="rows" aria-label={webhookTexts.title}>
          {webhooks.map(webhook => (
            <WebhookItem
              key={webhook.id}
              of={webhook}
              onEdit={() => setEdited(webhook)}
              onSecret={setSecret}
            />
          ))}
        </ul>
      )}
    </>
  );
}
