import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ProjectChatView } from "../../shared/contracts/monitors/project-chat.ts";
import { notificationsApi } from "../api/notifications.ts";
import { Link } from "../navigation.tsx";
import { useMe } from "../session.tsx";
import { chatChannelTexts } from "../texts/settings/notifications.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { ChatChannelForm } from "./chat-channel-form.tsx";
import { LastMessage } from "./last-message.tsx";
import { useReloadChats } from "./use-reload-chats.ts";

interface ChatChannelProps {
  of: ProjectChatView & { slack: string };
  /** Whether the row names its project. */
  isNamed: boolean;
}

/** Shows a project's chat channel with its last message. Admins test, edit and remove it. */
export function ChatChannel({ of: chat, isNamed }: ChatChannelProps) {
  const { may } = useMe();
  const { project, slack, lastMessage } = chat;
  return (
    <li>
      <span className="row-what">
        {isNamed && (
          <strong>
            <Link to={{ page: "configuration", project, section: "notifications" }}>{project}</Link>
          </strong>
        )}
        <span className={isNamed ? "quiet" : ""}>{slack}</span>
      </span>
      {lastMessage ? (
        <LastMessage name={chatChannelTexts.kinds[lastMessage.kind]} of={lastMessage} />
      ) : (
        <span className="last-message quiet">{chatChannelTexts.nothingSent}</span>
      )}
      {may("admin") && <Actions of={chat} />}
    </li>
  );
}

function Actions({ of: { project, lastMessage } }: Pick<ChatChannelProps, "of">) {
  const [asked, setAsked] = useState<"edit" | "remove" | null>(null);
  const showToast = useToast();
  const reload = useReloadChats();
  const { mutate, isPending } = useMutation({
    mutationFn: (action: () => Promise<unknown>) => action(),
    onSuccess: reload,
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
  });
  const close = () => setAsked(null);
  const remove = () => {
    close();
    mutate(async () => {
      await notificationsApi.putProjectChat(project, null);
      showToast({ text: chatChannelTexts.removed(project) });
    });
  };
  const isTesting =
    lastMessage?.status === "queued" && lastMessage.kind === "test" && lastMessage.tries === 0;
  return (
    <span className="actions">
      <button
        type="button"
        disabled={isPending || isTesting}
        onClick={() => mutate(() => notificationsApi.testProjectChat(project))}
      >
        {chatChannelTexts.test}
        <span className="hidden"> {chatChannelTexts.to(project)}</span>
      </button>
      <button type="button" onClick={() => setAsked("edit")}>
        {chatChannelTexts.edit}
        <span className="hidden"> {chatChannelTexts.of(project)}</span>
      </button>
      <button type="button" disabled={isPending} onClick={() => setAsked("remove")}>
        {chatChannelTexts.remove}
        <span className="hidden"> {chatChannelTexts.of(project)}</span>
      </button>
      {asked === "edit" && <ChatChannelForm project={project} onClose={close} />}
      {asked === "remove" && (
        <ConfirmDialog
          title={chatChannelTexts.removeTitle}
          about={chatChannelTexts.removeAbout(project)}
          keep={chatChannelTexts.keep}
          confirm={chatChannelTexts.removeChannel}
          onClose={close}
          onConfirm={remove}
        />
      )}
    </span>
  );
}

/** Returns whether the project has a channel. */
export function isSet(chat: ProjectChatView): chat is ChatChannelProps["of"] {
  return chat.slack !== null;
}
