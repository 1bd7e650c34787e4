import { useState } from "react";
import type { WebhookView } from "../../shared/contracts/webhooks/webhooks.ts";
import { api } from "../api/client.ts";
import { webhookPauses, webhookTexts } from "../texts/settings/webhooks.ts";
import { ConfirmedButton } from "../ui/confirm.tsx";
import { fill } from "../ui/fill.ts";
import { useListAction } from "../ui/hooks/use-list-action.ts";
import { ListItem } from "../ui/list-item.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { useToast } from "../ui/toast.tsx";
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
  const showToast = useToast();
  const run = useListAction("webhooks");
  const isPaused = webhook.status === "paused";
  const test = () =>
    run.mutate(async () => {
      await api.testWebhook(id);
      setOpen(true);
      showToast({ text: webhookTexts.testQueued });
    });
  const toggle = () => run.mutate(() => api.changeWebhook(id, { status: isPaused ? "active" : "paused" }));
  return (
    <ListItem
      name={url}
      detail={description}
      facts={fill(webhookTexts.facts, {
        events: [webhookTexts.countEvents(events.length), project && webhookTexts.ofProject(project)]
          .filter(Boolean)
          .join(" · "),
        time: <Time iso={createdAt} />,
      })}
      state={<State of={webhook} />}
      actions={
        <>
          <button type="button" disabled={run.isPending} onClick={test}>
            {webhookTexts.test}
          </button>
          <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? webhookTexts.hideLog : webhookTexts.showLog}
          </button>
          <button type="button" onClick={onEdit}>
            {webhookTexts.edit}
          </button>
          <ConfirmedButton
            title={webhookTexts.rotateTitle}
            about={webhookTexts.rotateAbout}
            confirm={webhookTexts.rotate}
            onConfirm={() => run.mutate(async () => onSecret((await api.rotateWebhookSecret(id)).secret))}
          />
          <button
            type="button"
            className={isPaused ? "primary" : ""}
            disabled={run.isPending}
            onClick={toggle}
          >
            {isPaused ? webhookTexts.resume : webhookTexts.pause}
          </button>
          <ConfirmedButton
            title={webhookTexts.removeTitle}
            about={webhookTexts.removeAbout}
            confirm={webhookTexts.remove}
            isDanger
            onConfirm={() => {
              // The log is deleted, too, so it must not be read again.
              setOpen(false);
              run.mutate(() => api.deleteWebhook(id));
            }}
          />
        </>
      }
    >
      {isOpen && <DeliveryLog webhookId={id} isPaused={isPaused} />}
    </ListItem>
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
