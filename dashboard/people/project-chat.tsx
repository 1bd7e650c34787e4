import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { SyntheticEvent } from "react";
import { peopleApi } from "../api/people.ts";
import { ApiProblem } from "../api/request.ts";
import { useMe } from "../session.tsx";
import { noticeTexts } from "../texts/people.ts";
import { textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { projectChatQuery } from "./queries.ts";

/** Shows the chat channel that gets notifications about a project's runs. Admins can change it. */
export function ProjectChat({ project }: { project: string }) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const { data, error, refetch } = useQuery(projectChatQuery(project));
  const save = useMutation({
    mutationFn: (slack: string | null) => peopleApi.putProjectChat(project, slack),
    onError: problem => showToast({ text: messageOf(problem), isFailure: true }),
    onSuccess(answer) {
      client.setQueryData(projectChatQuery(project).queryKey, answer);
      showToast({ text: noticeTexts.chatSaved });
    },
  });
  const failure =
    save.error instanceof ApiProblem ? save.error.fields.find(({ path }) => path === "slack") : null;
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    save.mutate(textIn(new FormData(form), "slack"), { onSuccess: () => form.reset() });
  };
  return (
    <section aria-labelledby="project-chat" className="setting-part">
      <h3 id="project-chat">{noticeTexts.chat}</h3>
      <p className="about">{noticeTexts.chatAbout}</p>
      {error && !data && <Problem error={error} what={noticeTexts.chatThing} again={refetch} />}
      {!data && !error && <Loading what={noticeTexts.chatThing} />}
      {data && <p>{data.slack === null ? noticeTexts.chatNone : noticeTexts.chatSet(data.slack)}</p>}
      {data && may("admin") && (
        <form className="form setting-form" onSubmit={submit}>
          <Field label={noticeTexts.chatUrl} hint={noticeTexts.chatHint} failure={failure?.message}>
            <input
              name="slack"
              type="url"
              required
              autoComplete="off"
              placeholder="https://hooks.slack.com/…"
            />
          </Field>
          <div className="section-end">
            <button type="submit" disabled={save.isPending}>
              {noticeTexts.saveChat}
            </button>
            {data.slack !== null && (
              <button type="button" disabled={save.isPending} onClick={() => save.mutate(null)}>
                {noticeTexts.removeChat}
              </button>
            )}
          </div>
        </form>
      )}
    </section>
  );
}
