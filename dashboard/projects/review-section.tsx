import type { ProjectView } from "../../shared/contracts/runs/projects.ts";
import { projectSettingTexts as texts } from "../texts/project-settings.ts";
import { textIn } from "../ui/form-values.ts";
import { Field } from "../ui/parts.tsx";
import { SettingSection } from "./setting-section.tsx";
import { useInherited } from "./use-inherited.ts";

/** Up to the most that the service accepts. */
const COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** Shows how many approvals the project's screenshots need, and whether submitters can approve their own runs. */
export function ReviewSection({ project }: { project: ProjectView }) {
  const inherited = useInherited(project);
  if (!inherited) return null;
  const { from } = inherited;
  const { requiredApprovals, allowSelfApproval } = project;
  const self = (isAllowed: boolean) => (isAllowed ? texts.allowed : texts.refused);
  return (
    <SettingSection
      section="reviews"
      about={texts.reviewsAbout(from)}
      project={project}
      current={texts.current(
        texts.approvalsOf(requiredApprovals ?? inherited.requiredApprovals),
        self(allowSelfApproval ?? inherited.allowSelfApproval).toLowerCase(),
      )}
      read={form => {
        const [approvals, own] = [textIn(form, "approvals"), textIn(form, "self")];
        return {
          requiredApprovals: approvals === "" ? null : Number(approvals),
          allowSelfApproval: own === "" ? null : own === "yes",
        };
      }}
    >
      {failureOf => (
        <>
          <Field label={texts.approvals} failure={failureOf("requiredApprovals")}>
            <select key={requiredApprovals} name="approvals" defaultValue={requiredApprovals ?? ""}>
              <option value="">
                {texts.inherited(from, texts.approvalsOf(inherited.requiredApprovals))}
              </option>
              {COUNTS.map(count => (
                <option key={count} value={count}>
                  {texts.approvalsOf(count)}
                </option>
              ))}
            </select>
          </Field>
          <Field label={texts.selfApproval} failure={failureOf("allowSelfApproval")}>
            <select
              key={String(allowSelfApproval)}
              name="self"
              defaultValue={allowSelfApproval === null ? "" : allowSelfApproval ? "yes" : "no"}
            >
              <option value="">
                {texts.inherited(from, self(inherited.allowSelfApproval).toLowerCase())}
              </option>
              <option value="yes">{texts.allowed}</option>
              <option value="no">{texts.refused}</option>
            </select>
          </Field>
        </>
      )}
    </SettingSection>
  );
}
