import type { Outcome } from "../../../shared/alerts/outcome.rule.ts";
import { cut, TEXT_LIMITS } from "../../../shared/text/text-limits.ts";
import { visibleLine } from "../../../shared/text/visible-text.ts";
import type { Sender } from "../alerts-context.ts";
import type { Mail } from "../mail/mailer.ts";
import { layOutMail, type MailSection } from "../mail/render-mail.ts";
import { explanation, headline, pageOf } from "../notifications/describe-message.ts";
import type { AlertMessage, NoticeMessage } from "../notifications/message.ts";
import type { Receiver } from "../notifications/receiver.ts";
import { DIGEST_TEXTS, MAIL_TEXTS, MESSAGE_TEXTS, NOTIFICATION_ERRORS } from "../texts.ts";
import { type Channel, imagesOf, linksOf, type Outgoing } from "./channel.ts";
import { digestMail } from "./digest-mail.ts";

/** Each page has three images of about 20 kB. Mails stay far below the limits of mail servers. */
const PAGES_WITH_IMAGES = 3;
/** Limit of a page's name in its heading. */
const NAME = { max: 200, unit: "characters" } as const;

/** Email, also for notices from the service itself. */
export const email: Channel = {
  // Mail servers accept only a few connections from one sender.
  concurrency: 8,
  incidents: false,
  receivers: ({ email: addresses = [] }) => addresses.map(address => ({ address, secret: null })),
  nameOf: ({ address }) => address,
  send: async (outgoing, sender) => post(await alertMail(outgoing, sender), sender),
  notify: (outgoing, sender) => post(noticeMail(outgoing, sender), sender),
  async digest(outgoing, sender) {
    const { subject, content, ...rest } = await digestMail(outgoing, sender);
    return post({ ...mailOf(outgoing, subject, content), ...rest }, sender);
  },
};

async function post(mail: Mail, { mailer }: Sender): Promise<Outcome> {
  return mailer ? mailer.send(mail) : { kind: "refused", answer: NOTIFICATION_ERRORS.noMailServer };
}

/** Returns the mail of an alert. */
async function alertMail(outgoing: Outgoing<AlertMessage>, sender: Sender): Promise<Mail> {
  const { message, receiver, signal } = outgoing;
  const { report, snooze, incident } = await linksOf(message, sender);
  const links = await sender.links();
  const { id, teamId, name } = message.monitor;
  const { address, userId, projectEmailId } = receiver;
  const unsubscribe =
    userId !== undefined
      ? links.stopNotices(userId, ["monitor"])
      : projectEmailId !== undefined
        ? links.unsubscribeProject(teamId, projectEmailId, address)
        : links.unsubscribe(teamId, id, address);
  const images: Mail["images"] = [];
  const sections: MailSection[] = [];
  for (const [index, regression] of message.regressions.entries()) {
    const heading = MESSAGE_TEXTS.pageWithRatio(cut(pageOf(regression), NAME), regression.diffRatio);
    const urls = await imagesOf(message, regression, sender);
    const thumbnails =
      index < PAGES_WITH_IMAGES ? await sender.thumbnails.of(regression, signal).catch(() => []) : [];
    signal.throwIfAborted();
    const shown = thumbnails.flatMap(({ name: label, jpeg }) => {
      const url = urls.find(image => image.name === label)?.url;
      if (url === undefined) return [];
      const cid = `${label.toLowerCase()}-${index}@${outgoing.id}`;
      images.push({ cid, name: `${label.toLowerCase()}-${index + 1}.jpg`, jpeg });
      return [{ label, cid, url }];
    });
    sections.push({ heading, images: shown });
  }
  const left = message.count - message.regressions.length;
  return {
    ...mailOf(outgoing, headline(message), {
      title: headline(message),
      paragraphs: [explanation(message), ...(left > 0 ? [MESSAGE_TEXTS.moreInMail(left)] : [])],
      sections,
      buttons: [
        ...(report === null ? [] : [{ label: MESSAGE_TEXTS.openReport, url: report }]),
        ...(incident === null ? [] : [{ label: MESSAGE_TEXTS.openIncident, url: incident }]),
        ...(message.kind === "recovered" ? [] : [{ label: MESSAGE_TEXTS.snooze, url: snooze }]),
      ],
      ...footerOf(receiver, name, message.monitor.url, unsubscribe),
    }),
    images,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

/** Returns why the receiver gets the mail of an alert, and the link that stops it. */
function footerOf({ userId, projectEmailId }: Receiver, monitor: string, monitorUrl: string, url: string) {
  if (userId !== undefined)
    return { footer: [MAIL_TEXTS.personFooter], footerLink: { label: DIGEST_TEXTS.unsubscribe, url } };
  if (projectEmailId !== undefined)
    return { footer: [MAIL_TEXTS.teamFooter], footerLink: { label: MAIL_TEXTS.unsubscribeAll, url } };
  const footer = [MAIL_TEXTS.footer(monitor, monitorUrl)];
  return { footer, footerLink: { label: MAIL_TEXTS.unsubscribe, url } };
}

/** Returns the mail of a notice. */
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
    images: [],
    headers: {},
    signal,
  };
}
