import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChatChannel, isSet } from "../notifications/chat-channel.tsx";
import { ChatChannelForm } from "../notifications/chat-channel-form.tsx";
import { projectChatQuery } from "../notifications/queries.ts";
import { useMe } from "../session.tsx";
import { noticeTexts } from "../texts/people.ts";
import { chatChannelTexts } from "../texts/settings/notifications.ts";
import { Loading, Problem } from "../ui/parts.tsx";

/** Shows the chat channel that gets notifications about a project's runs. Admins can change it. */
export function ProjectChat({ project }: { project: string }) {
  const { may } = useMe();
  const [isAdding, setAdding] = useState(false);
  const { data, error, refetch } = useQuery(projectChatQuery(project));
  return (
    <section aria-labelledby="project-chat" className="setting-part">
      <div className="page-head">
        <h3 id="project-chat">{noticeTexts.chat}</h3>
        {data && !isSet(data) && may("admin") && (
          <button type="button" onClick={() => setAdding(true)}>
            {chatChannelTexts.add}
          </button>
        )}
      </div>
      <p className="about">{noticeTexts.chatAbout}</p>
      {error && !data && <Problem error={error} what={noticeTexts.chatThing} again={refetch} />}
      {!data && !error && <Loading what={noticeTexts.chatThing} />}
      {isAdding && <ChatChannelForm project={project} onClose={() => setAdding(false)} />}
      {data && !isSet(data) && <p className="empty">{noticeTexts.chatNone}</p>}
      {data && isSet(data) && (
        <ul className="rows channels" aria-label={noticeTexts.chat}>
          <ChatChannel of={data} isNamed={false} />
        </ul>
      )}
    </section>
  );
}
