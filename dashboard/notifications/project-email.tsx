import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import type { ProjectEmailView } from "../../shared/contracts/monitors/project-email.ts";
import { notificationsApi } from "../api/notifications.ts";
import { channelsQuery } from "../api/queries.ts";
import { ApiProblem } from "../api/request.ts";
import { useMe } from "../session.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { monitorFormTexts } from "../texts/monitors/monitor-form.ts";
import { projectEmailTexts as texts } from "../texts/settings/notifications.ts";
import { linesOf, textIn } from "../ui/form-values.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { projectEmailQuery } from "./queries.ts";

interface ProjectEmailProps {
  project: string;
  /** What the addresses get. */
  about: string;
}

/** Shows the email addresses of a project. Admins can change them. */
export function ProjectEmail({ project, about }: ProjectEmailProps) {
  const { may } = useMe();
  const { data, error, refetch } = useQuery(projectEmailQuery(project));
  const { data: channels } = useQuery(channelsQuery);
  return (
    <section aria-labelledby="project-email" className="setting-part">
      <h3 id="project-email">{texts.title}</h3>
      <p className="about">{about}</p>
      {channels?.email === false && <p className="about">{monitorFormTexts.emailsDontWork}</p>}
      {error && !data && <Problem error={error} what={texts.thing} again={refetch} />}
      {!data && !error && <Loading what={texts.thing} />}
      {data && may("admin") && <EmailForm key={data.changedAt} of={data} />}
      {data && !may("admin") && <Addresses of={data} />}
    </section>
  );
}

function Addresses({ of: { addresses } }: { of: ProjectEmailView }) {
  if (addresses.length === 0) return <p className="empty">{texts.none}</p>;
  return (
    <ul className="rows" aria-label={texts.title}>
      {addresses.map(address => (
        <li key={address}>
          <span className="row-what">{address}</span>
        </li>
      ))}
    </ul>
  );
}

function EmailForm({ of: { project, addresses, unsubscribed } }: { of: ProjectEmailView }) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isEdited, setEdited] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (entered: string[]) => notificationsApi.putProjectEmail(project, entered),
    onSuccess(answer) {
      setEdited(false);
      client.setQueryData(projectEmailQuery(project).queryKey, answer);
      showToast({ text: texts.saved });
    },
  });
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = textIn(new FormData(event.currentTarget), "addresses");
    mutate(linesOf(text.replaceAll(/[,;]/g, "\n")));
  };
  const failure = failureOf(error);
  return (
    <form
      className="form setting-form"
      onSubmit={submit}
      onChange={() => setEdited(true)}
      noValidate
      aria-label={texts.title}
    >
      <Field label={texts.addresses} hint={texts.hint} failure={failure}>
        <textarea
          name="addresses"
          rows={3}
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.example}
          defaultValue={addresses.join("\n")}
        />
      </Field>
      {unsubscribed.length > 0 && <p className="about">{texts.unsubscribed(unsubscribed)}</p>}
      {error && failure === undefined && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className="section-end">
        <button type="submit" className={isEdited ? "primary" : undefined} disabled={isPending}>
          {isPending ? texts.saving : texts.save}
        </button>
        {isEdited && <span className="quiet">{configurationTexts.unsaved}</span>}
      </div>
    </form>
  );
}

/** Returns the first failure of the addresses, which names them as the form does. */
function failureOf(error: Error | null): string | undefined {
  if (!(error instanceof ApiProblem)) return undefined;
  const found = error.fields.find(({ path }) => path.startsWith("addresses"));
  return found?.message.replace(/"addresses(?:\[(\d+)\])?"/, (_, index?: string) =>
    index === undefined ? texts.title : texts.address(Number(index) + 1),
  );
}
