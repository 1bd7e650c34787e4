import { createTransport, type SendMailOptions } from "nodemailer";
import { z } from "zod";
import { type Outcome, plainAnswer } from "../../../shared/alerts/outcome.rule.ts";
import type { MailAddress } from "../../../shared/environment/mail-variables.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import { DELIVERY_ERRORS } from "../texts.ts";

/** A mail server that says nothing for this long is away; a large mail to a slow one takes seconds. */
const SILENT_AT_MOST_MS = 15_000;

/** One mail to one address. */
export interface Mail {
  /** Of the delivery: its Message-ID, by which a server or reader can tell a repeat. */
  id: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** Pictures within the mail, by the names that its HTML refers to. */
  pictures: { cid: string; name: string; jpeg: Buffer }[];
  headers: Record<string, string>;
  signal: AbortSignal;
}

const smtpError = z.object({
  code: z.string().optional(),
  responseCode: z.number().optional(),
  response: z.string().optional(),
  permanent: z.boolean().optional(),
});

/** The mail server. The only file that knows its client. */
export class Mailer {
  readonly #transport: ReturnType<typeof transportTo>;
  readonly #from: MailAddress;

  /** @param url `smtp://user:password@host:587` or `smtps://…` */
  constructor({ url, from }: { url: string; from: MailAddress }) {
    this.#transport = transportTo(url);
    this.#from = from;
  }

  /** Tries once. @returns what became of it; never throws */
  async send({ id, to, subject, pictures, headers, html, text, signal }: Mail): Promise<Outcome> {
    if (!z.email().safeParse(to).success) return { kind: "refused", answer: DELIVERY_ERRORS.badAddress };
    const mail: SendMailOptions = {
      messageId: `<${id}@${this.#from.address.split("@").at(-1)}>`,
      from: this.#from,
      // As an object: a list in a string would be more than one receiver.
      to: { name: "", address: to },
      subject: visibleLine(subject),
      html,
      text,
      attachments: pictures.map(({ cid, name, jpeg }) => ({
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
    connectionTimeout: SILENT_AT_MOST_MS,
    greetingTimeout: SILENT_AT_MOST_MS,
    dnsTimeout: SILENT_AT_MOST_MS,
    socketTimeout: SILENT_AT_MOST_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/**
 * What the server said of this mail or its receiver is for the team to read. What it said of the service, such as a
 * wrong password, is the operator's to mend: the mail waits for that, and the team learns no more than that.
 */
function outcomeOfError(error: unknown): Outcome {
  const { code, response, permanent } = smtpError.safeParse(error).data ?? {};
  const isOfMail = code === "EENVELOPE" || code === "EMESSAGE";
  if (isOfMail && response !== undefined)
    return permanent === true
      ? { kind: "refused", answer: plainAnswer(response) }
      : { kind: "later", answer: plainAnswer(response), askedMs: null };
  if (isOfMail) return { kind: "refused", answer: DELIVERY_ERRORS.addressRefused };
  const what =
    code === "EAUTH" ? DELIVERY_ERRORS.mailLogin : DELIVERY_ERRORS.mailFailed(code ?? "unknown error");
  return { kind: "later", answer: what, askedMs: null };
}
