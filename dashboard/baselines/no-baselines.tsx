import { Link } from "../location.tsx";
import { Copyable } from "../ui/parts.tsx";

interface NoBaselinesProps {
  /** Whether the team has no project at all. */
  isFirst: boolean;
  branch: string | null;
}

/** What a baseline is, to who has none, and how one comes to be. */
export function NoBaselines({ isFirst, branch }: NoBaselinesProps) {
  return (
    <section className="teach" aria-labelledby="no-baselines">
      <h2 id="no-baselines">
        {branch === null ? "No baselines yet" : `Nothing is approved on ${branch} yet`}
      </h2>
      <p>
        A baseline is a screenshot that somebody approved: the next run is compared with it. The first run of
        a project has nothing to compare with, so approve that one.
      </p>
      <p>
        <Link to={{ page: "runs", filters: {} }}>{isFirst ? "Submit the first run" : "Open a run"}</Link>, and
        approve it there, or from a terminal:
      </p>
      <Copyable text={command()} />
    </section>
  );
}

function command(): string {
  return [
    `curl -X POST ${new URL("v1/baselines/RUN_ID/approve", document.baseURI)} \\`,
    `  -H "Authorization: Bearer ..."`,
  ].join("\n");
}
