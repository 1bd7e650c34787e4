import { call } from "../../shared/contracts/bus.ts";
import type { RunConfig } from "../../shared/contracts/scm-actions.ts";
import { type LeftOpen, type SubmitRun, submitRunBody } from "../../shared/contracts/submit-run.ts";
import { type FieldError, ServiceError } from "../../shared/errors.ts";
import type { RunsNode } from "./runs-node.ts";

/**
 * A submission with what it leaves open as the configuration of its repository says it.
 * @throws ServiceError invalid_request for a configuration with faults; unavailable where it cannot be read now
 */
export async function applyConfiguration(
  node: Pick<RunsNode, "bus">,
  teamId: string,
  body: SubmitRun,
  leftOpen: LeftOpen[],
): Promise<SubmitRun> {
  if (!body.scm || leftOpen.length === 0) return body;
  const { owner, repo, sha } = body.scm;
  const config = await readConfiguration(node, { teamId, commit: { owner, repo, sha } });
  if (config === null) return body;
  if ("faults" in config)
    throw refused(
      config.faults.map(({ line, column, message }) => `${config.path}:${line}:${column}: ${message}`),
    );
  const { run } = config;
  const merged = { ...body, ...Object.fromEntries(leftOpen.map(name => [name, run[name] ?? body[name]])) };
  const parsed = submitRunBody.safeParse({ ...merged, options: optionsFor(merged) });
  if (parsed.success) return parsed.data;
  throw refused(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`));
}

/** Where no node has the service, there is no code host either. */
async function readConfiguration(
  { bus }: Pick<RunsNode, "bus">,
  of: { teamId: string; commit: { owner: string; repo: string; sha: string } },
): Promise<RunConfig | null> {
  try {
    return await call(bus, "scm.configuration", of);
  } catch (error) {
    if (error instanceof Error && error.name === "ServiceNotFoundError") return null;
    throw error;
  }
}

/** Without what is said of other routes than these. */
function optionsFor({ routes, options }: Pick<SubmitRun, "routes" | "options">): SubmitRun["options"] {
  if (!options?.perRoute) return options;
  const perRoute = Object.entries(options.perRoute).filter(([route]) => routes.includes(route));
  return { ...options, perRoute: Object.fromEntries(perRoute) };
}

function refused(faults: string[]): ServiceError {
  const errors: FieldError[] = faults.map(message => ({ path: "scm", message }));
  return new ServiceError(
    "invalid_request",
    `The repository's configuration at this commit has faults: ${faults[0]}. Mend it, or say in the body how pages are taken.`,
    { errors },
  );
}
