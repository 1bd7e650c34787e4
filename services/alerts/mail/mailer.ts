import { createTransport, type SendMailOptions } from "nodemailer";
import { z } from "zod";
import { type Outcome, plainAnswer } from "../../../shared/alerts/outcome.rule.ts";
import type { MailAddress } from "../../../shared/environment/mail-variables.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import { NOTIFICATION_ERRORS } from "../texts.ts";

/** A mail server that is silent for this long is unavailable. A large mail to a slow server takes seconds. */
const SOCKET_TIMEOUT_MS = 15_000;

/** One mail to one address. */
export interface Mail {
  /** Id of the notification. It is the Message-ID, by which servers and mail programs detect a repeat. */
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Inline images with the content ids that the HTML refers to. */
  images: { cid: string; name: string; jpeg: Buffer }[];
  headers: Record<string, string>;
  signal: AbortSignal;
}

const smtpError = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
  permanent: z.boolean().optional(),
});

/** The mail server. Only this file uses the mail client. */
export class Mailer {
  readonly #transport: ReturnType<typeof transportTo>;
  readonly #from: MailAddress;

  /** @param url `smtp://user:password@host:587` or `smtps://…` */
  constructor({ url, from }: { url: string; from: MailAddress }) {
    this.#transport = transportTo(url);
    this.#from = from;
  }

  /** Makes one attempt. @returns the result; never throws */
  async send({ id, to, subject, images, headers, html, text, signal }: Mail): Promise<Outcome> {
    if (!z.email().safeParse(to).success) return { kind: "refused", answer: NOTIFICATION_ERRORS.badAddress };
    const mail: SendMailOptions = {
      messageId: `<${id}@${this.#from.address.split("@").at(-1)}>`,
      from: this.#from,
      // An object, because a string could list several receivers.
      to: { name: "", address: to },
      subject: visibleLine(subject),
      html,
      text,
      attachments: images.map(({ cid, name, jpeg }) => ({
        cid,
        filename: name,
        content: jpeg,
        contentType: "image/jpeg",
        contentDisposition: "inline",
      })),
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All", ...headers },
      signal,
    };
    try {
      const { response } = await this.#transport.sendMail(mail);
      return { kind: "sent", answer: plainAnswer(response) };
    } catch (error) {
      return outcomeOfError(error);
    }
  }

  close(): void {
    this.#transport.close();
  }
}

function transportTo(url: string) {
  return createTransport({
    url,
    connectionTimeout: SOCKET_TIMEOUT_MS,
    greetingTimeout: SOCKET_TIMEOUT_MS,
    dnsTimeout: SOCKET_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * Returns the result of a failed attempt. Teams see the server's response about the mail or its receiver. Errors
 * about the service, such as a wrong password, are for the operator. The mail waits until they are fixed, and
 * teams get no details.
 */
function outcomeOfError(error: unknown): Outcome {
  const { code, response, permanent } = smtpError.safeParse(error).data ?? {};
  const isOfMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (isOfMail && response !== undefined)
    return permanent === true
      ? { kind: "refused", answer: plainAnswer(response) }
      : { kind: "retry", answer: plainAnswer(response), retryAfterMs: null };
  if (isOfMail) return { kind: "refused", answer: NOTIFICATION_ERRORS.addressRefused };
  const what =
    code === "EAUTH"
      ? NOTIFICATION_ERRORS.mailLogin
      : NOTIFICATION_ERRORS.mailFailed(code ?? "unknown error");
  return { kind: "retry", answer: what, retryAfterMs: null };
}
