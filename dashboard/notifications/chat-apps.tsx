import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { ChatAppView } from "../../shared/contracts/monitors/chat-apps.ts";
import type { TeamView } from "../../shared/contracts/teams/people.ts";
import { notificationsApi } from "../api/notifications.ts";
import { ApiProblem } from "../api/request.ts";
import { chatAppTexts, chatToolNames } from "../texts/settings/notifications.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { fill } from "../ui/fill.ts";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { labeledFailure } from "../ui/labeled-failure.ts";
import { Copyable, Field, Loading, Problem } from "../ui/parts.tsx";
import { Status } from "../ui/status.tsx";
import { Time } from "../ui/text/time.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { chatAppsQuery } from "./queries.ts";

/** Shows the apps of chat tools, whose buttons approve and reject runs. For admins. */
export function ChatApps({ team }: { team: TeamView }) {
  const { data, error, refetch } = useQuery(chatAppsQuery(team.id));
  return (
    <section aria-labelledby="chat-apps" className="section">
      <h2 id="chat-apps">{chatAppTexts.title}</h2>
      <p className="about">{chatAppTexts.about}</p>
      {error && !data && <Problem error={error} what={chatAppTexts.thing} again={refetch} />}
      {!data && !error && <Loading what={chatAppTexts.thing} />}
      {data && (
        <ul className="rows" aria-label={chatAppTexts.title}>
          {data.data.map(app => (
            <ChatApp key={app.tool} team={team} of={app} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface ChatAppProps {
  team: TeamView;
  of: ChatAppView;
}

function ChatApp({ team, of: app }: ChatAppProps) {
  const { tool, isSet, changedBy, changedAt } = app;
  const [asked, setAsked] = useState<"edit" | "remove" | null>(null);
  const name = chatToolNames[tool];
  return (
    <li>
      <span className="row-what">
        <strong>{name}</strong>
        {isSet && changedAt ? (
          <>
            <Status name="approved" word={chatAppTexts.isSet} />
            <span className="quiet">
              {fill(chatAppTexts.changed, { name: changedBy ?? "", time: <Time iso={changedAt} /> })}
            </span>
          </>
        ) : (
          <span className="quiet">{chatAppTexts.notSet}</span>
        )}
      </span>
      <span className="actions">
        <button type="button" onClick={() => setAsked("edit")}>
          {isSet ? chatAppTexts.edit : chatAppTexts.setUp}
          <span className="hidden"> {name}</span>
        </button>
        {isSet && (
          <button type="button" onClick={() => setAsked("remove")}>
            {chatAppTexts.remove}
            <span className="hidden"> {name}</span>
          </button>
        )}
      </span>
      {asked === "edit" && <ChatAppForm team={team} of={app} onClose={() => setAsked(null)} />}
      {asked === "remove" && <RemoveChatApp team={team} of={app} onClose={() => setAsked(null)} />}
    </li>
  );
}

function ChatAppForm({
  team,
  of: { tool, isSet, requestUrl },
  onClose,
}: ChatAppProps & { onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const texts = chatAppTexts.tools[tool];
  const { mutate, error, isPending } = useMutation({
    mutationFn: (secret: string) => notificationsApi.putChatApp(team.id, tool, secret),
    onSuccess() {
      onClose();
      showToast({ text: chatAppTexts.saved(chatToolNames[tool]) });
      return client.invalidateQueries({ queryKey: ["chat-apps", team.id] });
    },
  });
  const failure =
    error instanceof ApiProblem ? labeledFailure(error.fields, "secret", texts.secret) : undefined;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(textIn(new FormData(event.currentTarget), "secret"));
  };
  return (
    <Dialog title={chatAppTexts.formTitle(chatToolNames[tool])} onClose={onClose}>
      <form className="form" onSubmit={submit}>
        <p className="detail">{texts.first}</p>
        <Field
          label={texts.secret}
          hint={isSet ? `${texts.where} ${chatAppTexts.replaces}` : texts.where}
          failure={failure}
        >
          <input
            name="secret"
            // Discord's key is public.
            type={tool === "slack" ? "password" : "text"}
            required
            autoComplete="off"
            spellCheck={false}
            placeholder={texts.placeholder}
          />
        </Field>
        <p className="detail">{texts.last}</p>
        <Copyable text={requestUrl} />
        <FormEnd
          save={chatAppTexts.save}
          isPending={isPending}
          error={failure === undefined ? error : null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function RemoveChatApp({ team, of: { tool }, onClose }: ChatAppProps & { onClose: () => void }) {
  const client = useQueryClient();
  const showToast = useToast();
  const name = chatToolNames[tool];
  const { mutate, isPending } = useMutation({
    mutationFn: () => notificationsApi.deleteChatApp(team.id, tool),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess: () => showToast({ text: chatAppTexts.removed(name) }),
    onSettled() {
      onClose();
      return client.invalidateQueries({ queryKey: ["chat-apps", team.id] });
    },
  });
  return (
    <ConfirmDialog
      title={chatAppTexts.removeTitle(name)}
      about={chatAppTexts.removeAbout(name)}
      keep={chatAppTexts.keep}
      confirm={chatAppTexts.removeApp}
      isPending={isPending}
      onClose={onClose}
      onConfirm={() => mutate()}
    />
  );
}
