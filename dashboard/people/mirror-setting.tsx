import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ProjectView } from "../../shared/contracts/runs/baselines.ts";
import { MIRROR_SETTINGS, type MirrorSetting } from "../../shared/contracts/runs/mirror.ts";
import { api } from "../api/client.ts";
import { useMe } from "../session.tsx";
import { mirrorTexts } from "../texts/people.ts";
import { Field, Loading, Problem } from "../ui/parts.tsx";
import { messageOf, useToast } from "../ui/toast.tsx";
import { projectQuery } from "./queries.ts";

/** Shows whether the threads of a project's reviews appear on its pull requests. Admins can change it. */
export function MirrorSettings({ project }: { project: string }) {
  const { data, error, refetch } = useQuery(projectQuery(project));
  // A project without a run has nothing to show yet.
  if (data === null) return null;
  return (
    <section aria-labelledby="mirror-threads" className="section">
      <h2 id="mirror-threads">{mirrorTexts.title}</h2>
      <p className="about">{mirrorTexts.about}</p>
      {error && !data && <Problem error={error} what={mirrorTexts.thing} again={refetch} />}
      {!data && !error && <Loading what={mirrorTexts.thing} />}
      {data && <Choice project={data} />}
    </section>
  );
}

function Choice({ project: { id, name, mirrorThreads } }: { project: ProjectView }) {
  const { may } = useMe();
  const client = useQueryClient();
  const showToast = useToast();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (setting: MirrorSetting) => api.changeProject(id, { mirrorThreads: setting }),
    onError: error => showToast({ text: messageOf(error), isFailure: true }),
    onSuccess(answer) {
      client.setQueryData(projectQuery(name).queryKey, answer);
      showToast({ text: mirrorTexts.saved });
    },
  });
  if (!may("admin")) return <p>{mirrorTexts.settings[mirrorThreads]}</p>;
  return (
    <div className="form chat-form">
      <Field label={mirrorTexts.label}>
        <select
          value={isPending ? variables : mirrorThreads}
          disabled={isPending}
          onChange={({ currentTarget: { value } }) => {
            const setting = MIRROR_SETTINGS.find(each => each === value);
            if (setting) mutate(setting);
          }}
        >
          {MIRROR_SETTINGS.map(setting => (
            <option key={setting} value={setting}>
              {mirrorTexts.settings[setting]}
            </option>
          ))}
        </select>
      </Field>
    </div>
  );
}
