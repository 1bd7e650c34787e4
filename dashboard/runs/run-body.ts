import type { SubmitRunInput } from "../../shared/contracts/runs/submit-run.ts";
import { linesOf, shareIn, textIn, widthsIn } from "../ui/form-values.ts";

/** Reads the form that starts a run. Empty fields use the service's defaults. */
export function readRunForm(form: FormData): SubmitRunInput {
  const text = (name: string) => textIn(form, name);
  const [routes, viewports] = [linesOf(text("routes")), widthsIn(text("viewports"))];
  const [threshold, project, branch] = [text("threshold"), text("project"), text("branch")];
  return {
    url: withScheme(text("url")),
    ...(routes.length > 0 && { routes }),
    ...(viewports.length > 0 && { viewports }),
    ...(threshold && { threshold: shareIn(threshold) }),
    ...(project && { project }),
    ...(branch && { branch }),
    ...(form.has("partial") && { partial: true }),
  };
}

/** Hosts without HTTPS in most setups: this machine, and names without a dot. */
const IS_LOCAL =
  /^(?:[^./:]+|[\d.]+|\[[^\]]*\]|[^/:]+\.(?:local|localhost|internal|test))(?::\d+)?(?:[/?#]|$)/i;

/** Adds the scheme that a URL such as `localhost:3000/shop` or `example.com` lacks. */
export function withScheme(url: string): string {
  if (url === "" || url.includes("://")) return url;
  return `${IS_LOCAL.test(url) ? "http" : "https"}://${url}`;
}
