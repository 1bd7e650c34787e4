import { MIRROR_SETTINGS } from "../../shared/contracts/reviews/mirror.ts";
import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import { mirrorTexts } from "../texts/people.ts";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { SettingSection } from "./setting-section.tsx";

/** Shows whether the threads of a project's reviews appear on its pull requests. */
export function ThreadSection({ project }: { project: ProjectView }) {
  const { mirrorThreads } = project;
  return (
    <SettingSection
      section="threads"
      about={mirrorTexts.about}
      project={project}
      current={`${mirrorTexts.settings[mirrorThreads]}.`}
      read={form => {
        const chosen = MIRROR_SETTINGS.find(each => each === textIn(form, "threads"));
        return chosen ? { mirrorThreads: chosen } : {};
      }}
    >
      {failureOf => (
        <Field label={mirrorTexts.label} failure={failureOf("mirrorThreads")}>
          <select key={mirrorThreads} name="threads" defaultValue={mirrorThreads}>
            {MIRROR_SETTINGS.map(setting => (
              <option key={setting} value={setting}>
                {mirrorTexts.settings[setting]}
              </option>
            ))}
          </select>
        </Field>
      )}
    </SettingSection>
  );
}
