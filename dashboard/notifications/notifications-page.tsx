import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { useMe } from "../session.tsx";
import { chatChannelTexts, notificationsTexts } from "../texts/settings/notifications.ts";
import { More } from "../ui/more.tsx";
import { Loading, Problem } from "../ui/parts.tsx";
import { ChatApps } from "./chat-apps.tsx";
import { ChatChannel, isSet } from "./chat-channel.tsx";
import { ChatChannelForm } from "./chat-channel-form.tsx";
import { MonitorChannels } from "./monitor-channels.tsx";
import "./notifications.css";
import { projectChatsQuery } from "./queries.ts";

/** Shows where a team's messages go: about runs by project, and about monitors. */
export function NotificationsPage({ team }: { team: TeamView }) {
  const { may } = useMe();
  return (
    <>
      <h1>{notificationsTexts.title}</h1>
      <p className="detail">{may("admin") ? notificationsTexts.about : notificationsTexts.forAdmins}</p>
      <ProjectChannels team={team} />
      {may("admin") && <ChatApps team={team} />}
      <MonitorChannels />
    </>
  );
}

function ProjectChannels({ team }: { team: TeamView }) {
  const { may } = useMe();
  const [isAdding, setAdding] = useState(false);
  const list = useInfiniteQuery(projectChatsQuery(team.id));
  const { data, error, refetch } = list;
  const chats = data?.pages.flatMap(page => page.data).filter(isSet);
  return (
    <section aria-labelledby="chat-channels" className="section">
      <div className="page-head">
        <h2 id="chat-channels">{chatChannelTexts.title}</h2>
        {may("admin") && (
          <button type="button" onClick={() => setAdding(true)}>
            {chatChannelTexts.add}
          </button>
        )}
      </div>
      <p className="about">{chatChannelTexts.about}</p>
      {isAdding && <ChatChannelForm project={null} onClose={() => setAdding(false)} />}
      {error && !chats && <Problem error={error} what={chatChannelTexts.things} again={refetch} />}
      {!chats && !error && <Loading what={chatChannelTexts.things} />}
      {chats?.length === 0 && <p className="empty">{chatChannelTexts.empty}</p>}
      {chats && chats.length > 0 && (
        <ul className="rows channels" aria-label={chatChannelTexts.title}>
          {chats
            .toSorted((a, b) => a.project.localeCompare(b.project))
            .map(chat => (
              <ChatChannel key={chat.project} of={chat} isNamed />
            ))}
        </ul>
      )}
      <More list={list}>{chatChannelTexts.more}</More>
    </section>
  );
}
