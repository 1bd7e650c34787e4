import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { WebhookView } from "../../shared/contracts/webhooks/webhooks.ts";
import { api } from "../api/client.ts";
import { webhookPauses, webhookTexts } from "../texts/settings/webhooks.ts";
import { Confirm } from "../ui/confirm.tsx";
import { fill } from "../ui/fill.ts";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { DeliveryLog } from "./delivery-log.tsx";

interface WebhookItemProps {
  of: WebhookView;
  onEdit: () => void;
  /** Called with the new secret after a rotation. */
  onSecret: (secret: string) => void;
}

/** Shows a webhook with its state, its actions, and on request its log. */
export function WebhookItem({ of: webhook, onEdit, onSecret }: WebhookItemProps) {
  const { id, url, description, project, events, createdAt } = webhook;
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<"remove" | "rotate" | null>(null);
  const showToast = useToast();
  const run = useAction();
  const isPaused = webhook.status === "paused";
  const test = () =>
    run.mutate(async () => {
      await api.testWebhook(id);
      setOpen(true);
      showToast({ text: webhookTexts.testQueued });
    });
  const toggle = () => run.mutate(() => api.changeWebhook(id, { status: isPaused ? "active" : "paused" }));
  return (
    <li>
      <span className="row-what">
        <strong>{url}</strong>
        {description && <span>{description}</span>}
        <span className="quiet">
          {fill(webhookTexts.facts, {
            events: [webhookTexts.countEvents(events.length), project && webhookTexts.ofProject(project)]
              .filter(Boolean)
              .join(" · "),
            time: <Time iso={createdAt} />,
          })}
        </span>
        <State of={webhook} />
      </span>
      <div className="actions">
        <button type="button" disabled={run.isPending} onClick={test}>
          {webhookTexts.test}
        </button>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? webhookTexts.hideLog : webhookTexts.showLog}
        </button>
        <button type="button" onClick={onEdit}>
          {webhookTexts.edit}
        </button>
        <button type="button" onClick={() => setAsked("rotate")}>
          {webhookTexts.rotate}
        </button>
        <button type="button" className={isPaused ? "primary" : ""} disabled={run.isPending} onClick={toggle}>
          {isPaused ? webhookTexts.resume : webhookTexts.pause}
        </button>
        <button type="button" onClick={() => setAsked("remove")}>
          {webhookTexts.remove}
        </button>
      </div>
      {isOpen && <DeliveryLog webhookId={id} isPaused={isPaused} />}
      {asked === "rotate" && (
        <Confirm
          title={webhookTexts.rotateTitle}
          about={webhookTexts.rotateAbout}
          confirm={webhookTexts.rotate}
          onClose={() => setAsked(null)}
          onConfirm={() => run.mutate(async () => onSecret((await api.rotateWebhookSecret(id)).secret))}
        />
      )}
      {asked === "remove" && (
        <Confirm
          title={webhookTexts.removeTitle}
          about={webhookTexts.removeAbout}
          confirm={webhookTexts.remove}
          isDanger
          onClose={() => setAsked(null)}
          onConfirm={() => {
            // The log is deleted, too, so it must not be read again.
            setOpen(false);
            run.mutate(() => api.deleteWebhook(id));
          }}
        />
      )}
    </li>
  );
}

function State({ of: webhook }: { of: WebhookView }) {
  const { pausedBecause, failingSince, previousSecretUntil } = webhook;
  const { statuses } = webhookTexts;
  return (
    <>
      {pausedBecause ? (
        <>
          <Status name="removed" word={statuses.paused} />
          <span>{webhookPauses[pausedBecause]}</span>
        </>
      ) : failingSince ? (
        <>
          <Status name="failed" word={statuses.failing} />
          <span>{fill(webhookTexts.failingSince, { time: <Time iso={failingSince} /> })}</span>
        </>
      ) : (
        <Status name="approved" word={statuses.active} />
      )}
      {previousSecretUntil && (
        <span className="quiet">
          {fill(webhookTexts.previousUntil, { time: <Time iso={previousSecretUntil} /> })}
        </span>
      )}
    </>
  );
}

/** Runs a request, and reloads the webhooks. */
function useAction() {
  const client = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: () => client.invalidateQueries({ queryKey: ["webhooks"] }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
}
