import { cut } from "../../../shared/text/text-limits.ts";
import type { Sender } from "../alerts-context.ts";
import type { Mail } from "../mail/mailer.ts";
import type { MailContent, MailSection } from "../mail/render-mail.ts";
import {
  commentUrl,
  digestButton,
  digestHeadline,
  digestParagraphs,
  digestUrl,
  shotUrl,
} from "../notices/describe-digest.ts";
import type { DigestMessage } from "../notices/digest-message.ts";
import { pageOf } from "../notifications/describe-message.ts";
import { DIGEST_TEXTS, MAIL_TEXTS, MESSAGE_TEXTS } from "../texts.ts";
import type { Outgoing } from "./channel.ts";

/** Limit of a page's name in its heading. */
const NAME = { max: 200, unit: "characters" } as const;

/** The parts of a digest's mail. */
export interface DigestMail {
  subject: string;
  content: MailContent;
  images: Mail["images"];
  headers: Record<string, string>;
}

/** Returns the mail of a digest. Without its images, the headings and links say the same. */
export async function digestMail(outgoing: Outgoing<DigestMessage>, sender: Sender): Promise<DigestMail> {
  const { message, receiver, signal } = outgoing;
  const { baseUrl } = sender;
  const { run, comments, open, userId, kinds } = message;
  const images: Mail["images"] = [];
  const sections: MailSection[] = comments.map(comment => ({
    heading: DIGEST_TEXTS.comment(comment.by, comment.page),
    quote: comment.text,
    link: { label: DIGEST_TEXTS.openComment, url: commentUrl(baseUrl, run.id, comment) },
    images: [],
  }));
  for (const [index, regression] of message.regressions.entries()) {
    const url = shotUrl(baseUrl, run.id, regression.id);
    const thumbnails = await sender.thumbnails.of(regression, signal).catch(() => []);
    signal.throwIfAborted();
    const shown = thumbnails.map(({ name: label, jpeg }) => {
      const cid = `${label.toLowerCase()}-${index}@${outgoing.id}`;
      images.push({ cid, name: `${label.toLowerCase()}-${index + 1}.jpg`, jpeg });
      return { label, cid, url };
    });
    const name = cut(pageOf(regression), NAME);
    const isNew = regression.images.baseline === null;
    const heading = isNew
      ? DIGEST_TEXTS.newPage(name)
      : MESSAGE_TEXTS.pageWithRatio(name, regression.diffRatio);
    sections.push({ heading, images: shown });
  }
  const more = open === null ? 0 : open - message.regressions.length;
  const links = await sender.links();
  const { address, projectEmailId } = receiver;
  const isOfProject = projectEmailId !== undefined;
  const unsubscribe = isOfProject
    ? links.unsubscribeProject(message.teamId, projectEmailId, address)
    : links.stopNotices(userId ?? "", kinds);
  const because = isOfProject
    ? [DIGEST_TEXTS.becauseOfProject(run.project)]
    : kinds.map(kind => DIGEST_TEXTS.because[kind]);
  return {
    subject: digestHeadline(message),
    content: {
      title: digestHeadline(message),
      paragraphs: [...digestParagraphs(message), ...(more > 0 ? [DIGEST_TEXTS.more(more)] : [])],
      sections,
      buttons: [
        {
          label: digestButton(message),
          url: digestUrl(baseUrl, message),
        },
        // Readers of a project's address may have no inbox.
        ...(isOfProject ? [] : [{ label: DIGEST_TEXTS.openInbox, url: `${baseUrl}/inbox` }]),
      ],
      footer: [...because, MAIL_TEXTS.sentBy(baseUrl)],
      footerLink: {
        label: isOfProject ? DIGEST_TEXTS.unsubscribeProject : DIGEST_TEXTS.unsubscribe,
        url: unsubscribe,
      },
    },
    images,
    headers: {
      "List-Unsubscribe": `<${unsubscribe}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}
