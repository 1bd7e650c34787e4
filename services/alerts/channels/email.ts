import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { cut, TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import type { Mail } from "../mail/mailer.ts";
import { layOutMail, type MailSection } from "../mail/render-mail.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage, NoticeMessage } from "../notifications/message.ts";
import { DELIVERY_ERRORS, MAIL_TEXTS, MESSAGE_TEXTS } from "../texts.ts";
import { type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";

/** Three pictures each of some 20 kB: a mail stays far below what servers take. */
const PAGES_WITH_PICTURES = 3;
/** Of a page's name in its heading. */
const NAME = { max: 200, unit: "characters" } as const;

/** Mail, also for what the service itself has to tell. */
export const email: Channel = {
  // A mail server takes a few connections from one sender.
  atOnce: 8,
  incidents: false,
  receivers: ({ email: addresses = [] }) => addresses.map(address => ({ address, secret: null })),
  nameOf: ({ address }) => address,
  send: async (outgoing, sender) => post(await alertMail(outgoing, sender), sender),
  notify: (outgoing, sender) => post(noticeMail(outgoing, sender), sender),
};

async function post(mail: Mail, { mailer }: Sender): Promise<Outcome> {
  return mailer ? mailer.send(mail) : { kind: "refused", answer: DELIVERY_ERRORS.noMailServer };
}

/** The mail of an alert. */
async function alertMail(outgoing: Outgoing<AlertMessage>, sender: Sender): Promise<Mail> {
  const { message, receiver, signal } = outgoing;
  const { report, snooze } = await linksOf(message, sender);
  const links = await sender.links();
  const { id, teamId, name } = message.monitor;
  const unsubscribe = links.unsubscribe(teamId, id, receiver.address);
  const pictures: Mail["pictures"] = [];
  const sections: MailSection[] = [];
  for (const [index, regression] of message.regressions.entries()) {
    const heading = MESSAGE_TEXTS.pageWithRatio(cut(pageOf(regression), NAME), regression.diffRatio);
    const urls = await imagesOf(message, regression, sender);
    const thumbnails =
      index < PAGES_WITH_PICTURES ? await sender.thumbnails.of(regression, signal).catch(() => []) : [];
    signal.throwIfAborted();
    const shown = thumbnails.flatMap(({ name: label, jpeg }) => {
      const url = urls.find(image => image.name === label)?.url;
      if (url === undefined) return [];
      const cid = `${label.toLowerCase()}-${index}@${outgoing.id}`;
      pictures.push({ cid, name: `${label.toLowerCase()}-${index + 1}.jpg`, jpeg });
      return [{ label, cid, url }];
    });
    sections.push({ heading, pictures: shown });
  }
  const left = message.count - message.regressions.length;
  return {
    ...mailOf(outgoing, headline(message), {
      title: headline(message),
      paragraphs: [explanation(message), ...(left > 0 ? [MESSAGE_TEXTS.moreInMail(left)] : [])],
      sections,
      buttons: [
        ...(report === null ? [] : [{ label: MESSAGE_TEXTS.openReport, url: report }]),
        ...(message.kind === "recovered" ? [] : [{ label: MESSAGE_TEXTS.snooze, url: snooze }]),
      ],
      footer: [MAIL_TEXTS.footer(name, message.monitor.url)],
      footerLink: { label: MAIL_TEXTS.unsubscribe, url: unsubscribe },
    }),
    pictures,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

/** The mail of a notice. */
function noticeMail(outgoing: Outgoing<NoticeMessage>, { baseUrl }: Sender): Mail {
  const { subject, paragraphs, button } = outgoing.message;
  return mailOf(outgoing, subject, {
    title: subject,
    paragraphs,
    buttons: button ? [button] : [],
    footer: [MAIL_TEXTS.sentBy(baseUrl)],
  });
}

function mailOf(
  { id, receiver, signal }: Outgoing<unknown>,
  subject: string,
  content: Parameters<typeof layOutMail>[0],
): Mail {
  return {
    id,
    to: receiver.address,
    subject: cut(visibleLine(subject), TEXT_LIMITS.mailSubject),
    ...layOutMail(content),
    pictures: [],
    headers: {},
    signal,
  };
}
