import { useMutation, useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useId } from "react";
import { api } from "../api/client.ts";
import { notificationsApi } from "../api/notifications.ts";
import { ApiProblem } from "../api/request.ts";
import { chatChannelTexts } from "../texts/settings/notifications.ts";
import { Dialog } from "../ui/dialog.tsx";
import { FormEnd } from "../ui/form-end.tsx";
import { textIn } from "../ui/form-values.ts";
import { labeledFailure } from "../ui/labeled-failure.ts";
import { Field } from "../ui/parts.tsx";
import { useToast } from "../ui/toast.tsx";
import { useReloadChats } from "./use-reload-chats.ts";

interface ChatChannelFormProps {
  /** Null to choose one. */
  project: string | null;
  onClose: () => void;
}

/** Sets a project's chat channel. The URL is a secret, so it isn't shown again. */
export function ChatChannelForm({ project, onClose }: ChatChannelFormProps) {
  const showToast = useToast();
  const reload = useReloadChats();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ name, url }: { name: string; url: string }) => notificationsApi.putProjectChat(name, url),
    onSuccess({ project: name }) {
      onClose();
      showToast({ text: chatChannelTexts.saved(name) });
      return reload();
    },
  });
  const failure =
    error instanceof ApiProblem ? labeledFailure(error.fields, "slack", chatChannelTexts.url) : undefined;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ name: project ?? textIn(form, "project"), url: textIn(form, "slack") });
  };
  return (
    <Dialog
      title={project === null ? chatChannelTexts.addTitle : chatChannelTexts.editTitle(project)}
      onClose={onClose}
    >
      <form className="form" onSubmit={submit}>
        {project === null && <ProjectField />}
        <Field label={chatChannelTexts.url} hint={chatChannelTexts.urlHint} failure={failure}>
          <input
            name="slack"
            type="url"
            required
            maxLength={2000}
            autoComplete="off"
            placeholder="https://hooks.slack.com/services/…"
          />
        </Field>
        <FormEnd
          save={chatChannelTexts.save}
          isPending={isPending}
          error={failure === undefined ? error : null}
          onClose={onClose}
        />
      </form>
    </Dialog>
  );
}

function ProjectField() {
  const id = useId();
  const { data } = useQuery({
    queryKey: ["projects-to-notify"],
    queryFn: () => api.projects({}, null),
  });
  return (
    <>
      <Field label={chatChannelTexts.project} hint={chatChannelTexts.projectHint}>
        <input
          name="project"
          required
          maxLength={200}
          list={id}
          autoComplete="off"
          placeholder={chatChannelTexts.projectExample}
        />
      </Field>
      <datalist id={id}>
        {data?.data.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}
