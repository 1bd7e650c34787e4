import type { CommentView } from "../../shared/contracts/reviews/comments.ts";
import { useMe } from "../session.tsx";

/** Shows a text in which the mentions of members stand out, those of the reader most. */
export function MentionedText({ text, mentions }: Pick<CommentView, "text" | "mentions">) {
  const { session } = useMe();
  const known = new Map(mentions.map(({ id, login }) => [login.toLowerCase(), id]));
  let offset = 0;
  return text.split(/(@[\w.+-]+@[\w.-]*\w|@[\w-]+)/).map(part => {
    const key = offset;
    offset += part.length;
    const id = part.startsWith("@") ? known.get(part.slice(1).toLowerCase()) : undefined;
    if (id === undefined) return part;
    return (
      <span key={key} className="mention" data-me={id === session.countsAs}>
        {part}
      </span>
    );
  });
}
