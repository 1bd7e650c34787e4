import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { linesOf, shareIn, textIn, widthsIn } from "../ui/form-values.ts";

/** Reads the form that starts a run. Empty fields use the service's defaults. */
export function readRunForm(form: FormData): SubmitRunInput {
  const text = (name: string) => textIn(form, name);
  const [routes, viewports] = [linesOf(text("routes")), widthsIn(text("viewports"))];
  const [threshold, project, branch] = [text("threshold"), text("project"), text("branch")];
  return {
    url: text("url"),
    ...(routes.length > 0 && { routes }),
    ...(viewports.length > 0 && { viewports }),
    ...(threshold && { threshold: shareIn(threshold) }),
    ...(project && { project }),
    ...(branch && { branch }),
    ...(form.has("partial") && { partial: true }),
  };
}
