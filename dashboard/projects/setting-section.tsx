import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import type { ChangeProject, ProjectView } from "../../shared/contracts/runs/projects.ts";
import { api } from "../api/client.ts";
import { ApiProblem } from "../api/request.ts";
import type { ProjectSection } from "../configuration/sections.ts";
import { projectQuery } from "../people/queries.ts";
import { useMe } from "../session.tsx";
import { configurationTexts } from "../texts/configuration.ts";
import { projectSettingTexts as texts } from "../texts/project-settings.ts";
import { messageOf, useToast } from "../ui/toast.tsx";

interface SettingSectionProps {
  section: ProjectSection;
  about: ReactNode;
  project: ProjectView;
  /** What applies now, for members who can't change it. */
  current: string;
  read: (form: FormData) => ChangeProject;
  /** The fields. Gets the failure of a field by its name. */
  children: (failureOf: (name: keyof ChangeProject) => string | undefined) => ReactNode;
  /** Shown below the fields, for everyone. */
  more?: ReactNode;
}

/** Shows settings of a project with a button that saves them. Only admins can change them. */
export function SettingSection(props: SettingSectionProps) {
  const { section, about, project, current, read, children, more } = props;
  const { may } = useMe();
  const title = texts.names[section];
  return (
    <section aria-labelledby={section} className="section">
      <h2 id={section}>{title}</h2>
      <p className="about">{about}</p>
      {may("admin") ? (
        <SettingForm project={project} title={title} read={read}>
          {children}
        </SettingForm>
      ) : (
        <p>
          {current} <span className="quiet">{texts.forAdmins}</span>
        </p>
      )}
      {more}
    </section>
  );
}

type SettingFormProps = Pick<SettingSectionProps, "project" | "read" | "children"> & { title: string };

function SettingForm({ project: { id, name }, title, read, children }: SettingFormProps) {
  const client = useQueryClient();
  const showToast = useToast();
  const [isEdited, setEdited] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: (change: ChangeProject) => api.changeProject(id, change),
    onSuccess(answer) {
      setEdited(false);
      client.setQueryData(projectQuery(name).queryKey, answer);
      showToast({ text: texts.saved(title) });
    },
  });
  const failures = error instanceof ApiProblem ? error.fields : [];
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault();
    mutate(read(new FormData(event.currentTarget)));
  };
  return (
    <form
      className="form setting-form"
      onSubmit={submit}
      onChange={() => setEdited(true)}
      noValidate
      aria-label={title}
    >
      {children(field => failures.find(({ path }) => path === field)?.message)}
      {error && failures.length === 0 && (
        <p className="fault" role="alert">
          {messageOf(error)}
        </p>
      )}
      <div className="section-end">
        <button
          type="submit"
          className={isEdited ? "primary" : undefined}
          disabled={isPending}
          aria-label={texts.saveLabel(title)}
        >
          {isPending ? texts.saving : texts.save}
        </button>
        {isEdited && <span className="quiet">{configurationTexts.unsaved}</span>}
      </div>
    </form>
  );
}
