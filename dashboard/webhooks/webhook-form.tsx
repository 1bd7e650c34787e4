import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { CreateWebhook, WebhookView } from "../../shared/contracts/webhooks/webhooks.ts";
import { api } from "../api/client.ts";
import { eventNames, webhookTexts } from "../texts/settings/webhooks.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";

interface WebhookFormProps {
  /** Null for a new webhook. */
  of: WebhookView | null;
  onClose: () => void;
  /** Called with the secret of a new webhook. */
  onCreated: (secret: string) => void;
}

/** Creates or changes a webhook. */
export function WebhookForm({ of: webhook, onClose, onCreated }: WebhookFormProps) {
  const client = useQueryClient();
  const [isWithoutEvents, setWithoutEvents] = useState(false);
  const { mutate, error, isPending } = useMutation({
    async mutationFn(body: CreateWebhook) {
      if (webhook) await api.changeWebhook(webhook.id, body);
      else onCreated((await api.createWebhook(body)).secret);
    },
    onSuccess() {
      onClose();
      return client.invalidateQueries({ queryKey: ["webhooks"] });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const body = bodyOf(new FormData(event.currentTarget));
    setWithoutEvents(body.events.length === 0);
    if (body.events.length > 0) mutate(body);
  };
  return (
    <Dialog title={webhook ? webhookTexts.editTitle : webhookTexts.add} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <Field label={webhookTexts.url}>
          <input
            name="url"
            type="url"
            required
            maxLength={2000}
            defaultValue={webhook?.url}
            placeholder={webhookTexts.urlPlaceholder}
            autoComplete="off"
          />
        </Field>
        <fieldset>
          <legend className="field-label">{webhookTexts.events}</legend>
          {Object.entries(eventNames).map(([type, name]) => (
            <label key={type} className="check">
              <input
                type="checkbox"
                name="events"
                value={type}
                defaultChecked={webhook?.events.some(event => event === type) ?? false}
              />
              <span>
                {name} <code className="quiet">{type}</code>
              </span>
            </label>
          ))}
          {isWithoutEvents && (
            <p className="fault" role="alert">
              {webhookTexts.noEvents}
            </p>
          )}
        </fieldset>
        <Field label={webhookTexts.project} hint={webhookTexts.projectHint}>
          <input
            name="project"
            maxLength={200}
            defaultValue={webhook?.project ?? ""}
            placeholder={webhookTexts.projectPlaceholder}
            autoComplete="off"
          />
        </Field>
        <Field label={webhookTexts.description}>
          <input name="description" maxLength={200} defaultValue={webhook?.description} autoComplete="off" />
        </Field>
        <FormEnd save={webhookTexts.save} isPending={isPending} error={error} onClose={onClose} />
      </form>
    </Dialog>
  );
}

function bodyOf(form: FormData): CreateWebhook {
  const chosen = new Set(form.getAll("events"));
  const project = textIn(form, "project").trim();
  return {
    url: textIn(form, "url"),
    events: EVENTS.filter(type => chosen.has(type)),
    project: project === "" ? null : project,
    description: textIn(form, "description"),
  };
}

// biome-ignore lint/plugin: the keys of the object.
const EVENTS = Object.keys(eventNames) as (keyof typeof eventNames)[];
