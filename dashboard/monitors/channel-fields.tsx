import { useQuery } from "@tanstack/react-query";
import type { MonitorView } from "../../shared/contracts/monitors.ts";
import { channelsQuery } from "../api/queries.ts";
import { Field } from "../ui/parts.tsx";
import { faultOf } from "./monitor-body.ts";
import { Secret } from "./secret.tsx";

interface ChannelFieldsProps {
  /** As they are; null for a new monitor. */
  alerts: MonitorView["alerts"] | null;
  faults: readonly { path: string; message: string }[];
}

/** Where alerts go. What is secret is not shown again: an empty field leaves it, a tick takes it away. */
export function ChannelFields({ alerts, faults }: ChannelFieldsProps) {
  const { slack, pagerduty, webhook } = alerts ?? { slack: null, pagerduty: null, webhook: null };
  const { data: channels } = useQuery(channelsQuery);
  const secretFault = faultOf("alerts.webhook.secret", faults);
  const urlFault = faultOf("alerts.webhook.url", faults);
  return (
    <fieldset className="channel-fields">
      <legend>Who is told</legend>
      <Field
        label="Mail addresses, one a line"
        hint={mailHint(channels?.email)}
        fault={faultOf("alerts.email", faults)}
      >
        <textarea name="email" rows={2} defaultValue={alerts?.email.join("\n")} spellCheck={false} />
      </Field>
      <Secret name="slack" known={slack && `…${slack.tail}`}>
        {placeholder => (
          <Field label="Chat: address of an incoming webhook" fault={faultOf("alerts.slack", faults)}>
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
          <Field
            label="Incident service: routing key of an Events API v2 integration"
            fault={faultOf("alerts.pagerduty", faults)}
          >
            <input name="pagerduty" placeholder={placeholder ?? "32 letters and digits"} autoComplete="off" />
          </Field>
        )}
      </Secret>
      <Secret name="webhook" known={webhook && `${webhook.host}…${webhook.tail}`}>
        {placeholder => (
          <>
            <Field label="Webhook: address" fault={urlFault}>
              <input
                name="webhook-url"
                type="url"
                placeholder={placeholder ?? "https://example.com/alerts"}
                autoComplete="off"
              />
            </Field>
            <Field
              label="Webhook: secret"
              hint="Signs what is sent, so that the receiver knows it is from here. At least 16 characters."
              fault={secretFault}
            >
              <input
                name="webhook-secret"
                type="password"
                placeholder={placeholder === null ? "" : "as it was"}
                autoComplete="new-password"
              />
            </Field>
          </>
        )}
      </Secret>
    </fieldset>
  );
}

/** @param isThere whether the service has a mail server; not known at first */
function mailHint(isThere: boolean | undefined): string {
  if (isThere === undefined) return "Mails need a mail server of this service.";
  return isThere
    ? "This service has a mail server, and sends them mails."
    : "This service has no mail server: until whoever runs it sets one up, they get no mails.";
}
