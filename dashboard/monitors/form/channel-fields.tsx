import { useQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../../shared/contracts/monitors/monitors.ts";
import { channelsQuery } from "../../api/queries.ts";
import { monitorFormTexts } from "../../texts/monitors/monitor-form.ts";
import { Field } from "../../ui/parts.tsx";
import { IncidentFields } from "./incident-fields.tsx";
import { failureIn } from "./monitor-body.ts";
import { Secret } from "./secret.tsx";

interface ChannelFieldsProps {
  /** Current channels; null for a new monitor. */
  alerts: MonitorView["alerts"] | null;
  failures: readonly { path: string; message: string }[];
}

const NONE = { slack: null, pagerduty: null, incidents: null, webhook: null };

/**
 * Edits the alert channels. Secrets aren't shown again. An empty field keeps one, and a checkbox removes it.
 */
export function ChannelFields({ alerts, failures }: ChannelFieldsProps) {
  const { slack, pagerduty, incidents, webhook } = alerts ?? NONE;
  const { data: channels } = useQuery(channelsQuery);
  const secretFailure = failureIn("alerts.webhook.secret", failures);
  const urlFailure = failureIn("alerts.webhook.url", failures);
  return (
    <fieldset className="channel-fields">
      <legend>{monitorFormTexts.channels}</legend>
      <Field
        label={monitorFormTexts.emails}
        hint={emailHint(channels?.email)}
        failure={failureIn("alerts.email", failures)}
      >
        <textarea name="email" rows={2} defaultValue={alerts?.email.join("\n")} spellCheck={false} />
      </Field>
      <Secret name="slack" known={slack && `…${slack.tail}`}>
        {placeholder => (
          <Field label={monitorFormTexts.slack} failure={failureIn("alerts.slack", failures)}>
            <input
              name="slack"
              type="url"
              placeholder={placeholder ?? "https://hooks.slack.com/services/…"}
              autoComplete="off"
            />
          </Field>
        )}
      </Secret>
      <Secret name="pagerduty" known={pagerduty && `…${pagerduty.tail}`}>
        {placeholder => (
          <Field label={monitorFormTexts.pagerduty} failure={failureIn("alerts.pagerduty", failures)}>
            <input
              name="pagerduty"
              placeholder={placeholder ?? monitorFormTexts.pagerdutyPlaceholder}
              autoComplete="off"
            />
          </Field>
        )}
      </Secret>
      <IncidentFields of={incidents} failures={failures} />
      <Secret name="webhook" known={webhook && `${webhook.host}…${webhook.tail}`}>
        {placeholder => (
          <>
            <Field label={monitorFormTexts.webhook} failure={urlFailure}>
              <input
                name="webhook-url"
                type="url"
                placeholder={placeholder ?? "https://example.com/alerts"}
                autoComplete="off"
              />
            </Field>
            <Field
              label={monitorFormTexts.webhookSecret}
              hint={monitorFormTexts.webhookSecretHint}
              failure={secretFailure}
            >
              <input
                name="webhook-secret"
                type="password"
                placeholder={placeholder === null ? "" : monitorFormTexts.unchanged}
                autoComplete="new-password"
              />
            </Field>
          </>
        )}
      </Secret>
    </fieldset>
  );
}

/** @param isThere whether the service has a mail server; undefined until loaded */
function emailHint(isThere: boolean | undefined): string {
  if (isThere === undefined) return monitorFormTexts.emailsNeedServer;
  return isThere ? monitorFormTexts.emailsWork : monitorFormTexts.emailsDontWork;
}
