import { z } from "zod";
import { number } from "./variable-kinds.ts";

/** Environment variables of mail, which config.ts reads. */

/** `a@example.com` or `A name <a@example.com>`. */
const mailAddress = z.string().transform((value, context): MailAddress => {
  const [, name = "", address = value.trim()] =
    /^\s*"?([^"<>\p{Cc}]*?)"?\s*<([^<>]+)>\s*$/u.exec(value) ?? [];
  if (z.email().safeParse(address).success) return { name, address };
  context.addIssue({
    code: "custom",
    message: "must be an email address, or a name and an address such as vrs <vrs@example.com>",
  });
  return z.NEVER;
});

/** The sender of a mail. */
export interface MailAddress {
  name: string;
  address: string;
}

export const mailVariables = {
  SMTP_URL: z.url({ protocol: /^smtps?$/, error: "must be an smtp:// or smtps:// URL" }).optional(),
  MAIL_FROM: mailAddress.optional(),
  /** Time that notices of a run wait for others, so that one mail has them all. */
  NOTICE_DELAY_SECONDS: number(1, 3_600).default(120),
};

type Variables = Omit<z.infer<z.ZodObject<typeof mailVariables>>, "NOTICE_DELAY_SECONDS">;

/** Reports a missing one: mail needs both of them, or none. */
export function mailFailures(env: Variables, failure: (path: string, message: string) => void): void {
  if (env.SMTP_URL !== undefined && env.MAIL_FROM === undefined)
    failure("MAIL_FROM", "must be set together with SMTP_URL, because mails need a sender");
  if (env.SMTP_URL === undefined && env.MAIL_FROM !== undefined)
    failure("SMTP_URL", "must be set together with MAIL_FROM, because it configures the mail server");
}

/** Returns the mail server and the sender, or null if no mail is sent. */
export function mailSettings({ SMTP_URL: url, MAIL_FROM: from }: Variables) {
  return url === undefined || from === undefined ? null : { url, from };
}
